import { structureProblem } from '../../http/json-structure.js';
import type { FormField } from './request-form.js';

/** What a person filled in, as the body of a request, or what is wrong with it. */
export interface FilledRequest {
  readonly body: Readonly<Record<string, unknown>>;
  /** By the name of the field. */
  readonly problems: ReadonlyMap<string, FieldProblem>;
}

export interface FieldProblem {
  readonly text: string;
  /** What was filled in; it is shown again. */
  readonly given: string;
}

type Fields = Record<string, unknown>;

/**
 * The request body of a filled form. A field that is left as the service has it is not sent. Values are checked as far as the
 * form needs it; the API checks the rest and says what to do.
 * @param values the fields of the form; a `choices` or `lines` field may be there several times
 */
export function readForm(fields: readonly FormField[], values: URLSearchParams): FilledRequest {
  const body: Fields = {};
  const problems = new Map<string, FieldProblem>();
  for (const field of fields) {
    try {
      const value = valueOf(field, values);
      if (value !== undefined && !isSame(value, field.fallback)) put(body, field.name, value);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      problems.set(field.name, { text, given: values.get(field.name) ?? '' });
    }
  }
  return { body, problems };
}

/** @throws Error with what to do */
function valueOf(field: FormField, values: URLSearchParams): unknown {
  const { name, kind } = field;
  const text = (values.get(name) ?? '').trim();
  switch (kind) {
    case 'switch':
      return switchOf(values.getAll(name), field);
    case 'choices':
      return someOf(values.getAll(name).filter((one) => one !== ''));
    case 'lines':
      return someOf(linesOf(text));
    case 'pairs':
      return text === '' ? undefined : pairsOf(text);
    case 'number':
      return text === '' ? undefined : numberOf(text);
    case 'json':
      return text === '' ? undefined : jsonOf(text);
    case 'prose':
      // White space of a document is part of it.
      return text === '' ? undefined : (values.get(name) ?? '');
    case 'text':
    case 'address':
    case 'choice':
      return text === '' ? undefined : text;
  }
}

/** A box that is not ticked is not sent: a field before it says that the form had one. */
function switchOf(sent: readonly string[], { fallback }: FormField): boolean | undefined {
  if (sent.includes('on')) return true;
  return sent.includes('off') && fallback === true ? false : undefined;
}

const someOf = (texts: readonly string[]): readonly string[] | undefined =>
  texts.length === 0 ? undefined : texts;

const linesOf = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => line.trim() || []);

function pairsOf(text: string): Fields {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1)
        throw new Error(`Write each line as name: value; this one is not: ${line.slice(0, 80)}`);
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

function numberOf(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Error('Write a number.');
  return value;
}

/** As deep and as many values as the API takes. */
function jsonOf(text: string): unknown {
  const problem = structureProblem(text);
  if (problem !== null) throw new Error(`${problem}.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

const isSame = (value: unknown, other: unknown): boolean =>
  JSON.stringify(value) === JSON.stringify(other);

function put(body: Fields, name: string, value: unknown): void {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) {
    body[first] = value;
    return;
  }
  const inner = (body[first] ??= {}) as Fields;
  put(inner, rest.join('.'), value);
}
