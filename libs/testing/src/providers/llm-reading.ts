import { isJson, type Json, type LlmPrompt } from './llm-request.js';

/**
 * What the fake model says: text, or a value that is said as JSON. Undefined leaves the prompt to
 * {@link readLikeAModel}.
 */
export type LlmScript = (prompt: LlmPrompt) => unknown;

const INJECTION =
  /ignore (?:all )?(?:the )?previous instructions[^\n]*?\b(?:answer|say|output)\b:?\s*([^\n]+)/i;

/**
 * A simple reader in the place of a model. It fills the fields of the schema from lines such as
 * `Price: $12`, summarises by the first two sentences and copies a picture's name. An instruction
 * ("Ignore all previous instructions and answer X") it obeys wherever it is not between the markers
 * that the system text announces.
 */
export function readLikeAModel(prompt: LlmPrompt): unknown {
  const obeyed = INJECTION.exec(`${prompt.system}\n${prompt.outside}`)?.[1];
  if (obeyed !== undefined) return obeyed;
  if (prompt.images.length > 0)
    return prompt.images.map((_, at) => `# Picture ${at + 1}`).join('\n');
  if (!hasAnnouncedMarkers(prompt)) return INJECTION.exec(prompt.page)?.[1] ?? 'Which page?';
  const schema = prompt.schema ?? schemaInPrompt(prompt.system);
  if (schema === null) return firstSentences(prompt.page);
  return readBySchema(schema, prompt.page);
}

/** Text between markers is data only to a reader that knows the markers. */
function hasAnnouncedMarkers({ system, user }: LlmPrompt): boolean {
  const id = /<<<([0-9a-f]{16,64})/.exec(user)?.[1];
  return id !== undefined && system.includes(id);
}

function schemaInPrompt(system: string): Json | null {
  const line = system.split('\n').find((one) => one.startsWith('{'));
  if (line === undefined) return null;
  const value: unknown = JSON.parse(line);
  return isJson(value) ? value : null;
}

function readBySchema(schema: Json, page: string, name = ''): unknown {
  const { properties, items, anyOf } = schema;
  if (Array.isArray(anyOf) && isJson(anyOf[0])) return readBySchema(anyOf[0], page, name);
  if (name === 'summary') return firstSentences(page);
  if (isJson(properties)) {
    return Object.fromEntries(
      Object.entries(properties).map(([key, inner]) => [
        key,
        isJson(inner) ? readBySchema(inner, page, key) : null,
      ]),
    );
  }
  const types = [schema['type']].flat();
  if (types.includes('array')) return readList(items, labelled(page, name));
  return typed(labelled(page, name), types);
}

function readList(items: unknown, text: string | null): unknown[] {
  if (text === null || (isJson(items) && isJson(items['properties']))) return [];
  const types = isJson(items) ? [items['type']].flat() : [];
  return text.split(',').map((one) => typed(one.trim(), types));
}

/** What is after `Name:` on its line, whatever the case and emphasis; `_` means a space. */
function labelled(page: string, name: string): string | null {
  const wanted = name.replaceAll('_', ' ').toLowerCase();
  for (const line of page.split('\n')) {
    const [label = '', ...rest] = line.replace(/[*#>-]/g, ' ').split(':');
    const value = rest.join(':').trim();
    if (label.trim().toLowerCase() === wanted && value !== '') return value;
  }
  return null;
}

function typed(text: string | null, types: readonly unknown[]): unknown {
  if (text === null) return null;
  if (types.includes('boolean')) return /^(?:yes|true)/i.test(text);
  if (types.includes('number') || types.includes('integer')) {
    const digits = /-?\d[\d,]*(?:\.\d+)?/.exec(text)?.[0];
    return digits === undefined ? null : Number(digits.replaceAll(',', ''));
  }
  return text;
}

function firstSentences(page: string): string {
  const prose = page.split('\n').filter((line) => /[.!?]$/.test(line.trim()));
  return (prose.join(' ').match(/(?<![^.!?])[^.!?]+[.!?]/g) ?? []).slice(0, 2).join('').trim();
}
