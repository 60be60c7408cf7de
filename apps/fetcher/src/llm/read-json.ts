import {
  compileSchema,
  conform,
  groundValue,
  isObject,
  isStrictSchema,
  mergeAnswers,
  modelSchema,
  pageParts,
  PageText,
  type CompiledSchema,
  type PartAnswer,
} from '@app/content';
import type { JsonSchema, LlmCut, Quote } from '@app/contracts';
import type { AnswerSchema } from '@app/providers';
import {
  askJson,
  failure,
  inParallel,
  memberOf,
  type Checked,
  type ModelFailure,
  type ModelSession,
} from './model-session.js';
import { extractInstructions, pageData, type ModelPage } from './prompts.js';

export interface JsonReading {
  readonly ok: true;
  readonly value: unknown;
  readonly quotes: Readonly<Record<string, Quote>>;
  /** For people: what was left out and why. */
  readonly notes: readonly string[];
  /** Not the whole page was read. */
  readonly cut?: LlmCut;
}

/** Tokens of an answer; twice as many for the second try of one that was cut. */
const MAX_JSON_TOKENS = 4_096;
const LEAST_JSON_TOKENS = 512;
/** A part that is too long for the model is halved down to this. */
const MIN_PART_TOKENS = 500;
/** Names of values in a note. */
const MAX_NAMED = 5;

/** Reads data by a schema, or of a form of the model's choice when the schema is null. */
export async function readJson(
  session: ModelSession,
  schema: JsonSchema | null,
  page: ModelPage,
): Promise<JsonReading | ModelFailure> {
  const compilation = compileSchema(schema ?? { type: 'object' });
  if (!compilation.ok) return failure('llm_invalid', `the schema ${compilation.problem}`);
  const { parts, isCut } = pageParts(page.markdown, session.maxPartTokens);
  const reader = new JsonReader(session, compilation.compiled, page, schema === null);
  const readings = await inParallel(parts, session.concurrency, (part) => reader.readPart(part));
  return reader.join(readings.flat(), isCut);
}

interface PartReading extends PartAnswer {
  readonly ok: true;
  readonly dropped: readonly string[];
}

class JsonReader {
  private readonly answer: AnswerSchema;
  private readonly instructions: string;

  constructor(
    private readonly session: ModelSession,
    private readonly compiled: CompiledSchema,
    private readonly page: ModelPage,
    isFree: boolean,
  ) {
    this.answer = answerSchema(compiled);
    this.instructions = extractInstructions(JSON.stringify(this.answer.schema), isFree);
  }

  /** One reading, or several where the part had to be cut. */
  async readPart(
    part: string,
    maxTokens = this.session.maxPartTokens,
  ): Promise<(PartReading | ModelFailure)[]> {
    const asked = await askJson(this.session, {
      task: { instructions: this.instructions, data: pageData(this.page, part) },
      answer: this.answer,
      maxTokens: MAX_JSON_TOKENS,
      leastTokens: LEAST_JSON_TOKENS,
      check: (json) => this.check(json, part),
    });
    if (asked.ok) return [asked.value];
    const halfTokens = Math.floor(maxTokens / 2);
    if (!asked.isTooLong || halfTokens < MIN_PART_TOKENS) return [asked];
    const { parts } = pageParts(part, halfTokens);
    const readings = await inParallel(parts, 1, (one) => this.readPart(one, halfTokens));
    return readings.flat();
  }

  private check(json: unknown, part: string): Checked<PartReading> {
    if (json === undefined) return { ok: false, errors: ['it is no JSON'] };
    const { nullable, errorsOf } = this.compiled;
    const value = conform(memberOf(json, 'data'), nullable);
    const errors = errorsOf(value);
    if (errors.length > 0) return { ok: false, errors };
    // Of the page it has seen just this.
    const page = new PageText([this.page.title ?? '', part].join('\n\n'), this.page.url);
    const hints = readHints(isObject(json) ? json['quotes'] : null);
    const grounded = groundValue(value, { schema: nullable, page, hints });
    return { ok: true, value: { ok: true, ...grounded } };
  }

  join(
    readings: readonly (PartReading | ModelFailure)[],
    isCut: boolean,
  ): JsonReading | ModelFailure {
    const read = readings.filter((one) => one.ok);
    const [failed] = readings.filter((one) => !one.ok);
    if (read.length === 0 && failed !== undefined) return failed;
    const { nullable, errorsOf } = this.compiled;
    const merged = mergeAnswers(read);
    const value = conform(read.length === 0 ? this.nothing() : merged.value, nullable);
    const [error] = errorsOf(value);
    if (error !== undefined) {
      return failure('llm_invalid', `what the page says does not match the schema: ${error}`);
    }
    const notes = [
      ...cutNotes(isCut, readings.length - read.length, readings.length, failed),
      ...droppedNotes(read.flatMap(({ dropped }) => dropped)),
    ];
    const cut = failed?.problem ?? (isCut ? 'llm_max_chars' : undefined);
    return { ok: true, value, quotes: merged.quotes, notes, ...(cut ? { cut } : {}) };
  }

  /** The answer for a page without text. */
  private nothing(): unknown {
    const types = [this.compiled.nullable['type']].flat();
    return types.includes('object') ? {} : types.includes('array') ? [] : null;
  }
}

function answerSchema({ nullable }: CompiledSchema): AnswerSchema {
  const data = modelSchema(nullable);
  const quote = {
    type: 'object',
    properties: { at: TEXT, quote: TEXT },
    ...CLOSED(['at', 'quote']),
  };
  return {
    name: 'page_data',
    schema: {
      type: 'object',
      properties: { data, quotes: { type: 'array', items: quote } },
      ...CLOSED(['data', 'quotes']),
    },
    isStrict: isStrictSchema(data),
  };
}

const TEXT = { type: 'string' };
const CLOSED = (required: readonly string[]) => ({ required, additionalProperties: false });

function readHints(quotes: unknown): ReadonlyMap<string, string> {
  const hints = new Map<string, string>();
  if (!Array.isArray(quotes)) return hints;
  for (const one of quotes as readonly unknown[]) {
    if (!isObject(one) || typeof one['at'] !== 'string' || typeof one['quote'] !== 'string')
      continue;
    // Some models count from the root of their answer.
    hints.set(one['at'].replace(/^\/data(?=\/)/, ''), one['quote']);
  }
  return hints;
}

function cutNotes(
  isCut: boolean,
  failed: number,
  all: number,
  first: ModelFailure | undefined,
): string[] {
  const notes = isCut ? ['the page is longer than a model is shown; its end was not read'] : [];
  if (first !== undefined) {
    notes.push(`${failed} of ${all} parts of the page could not be read: ${first.message}`);
  }
  return notes;
}

function droppedNotes(dropped: readonly string[]): string[] {
  if (dropped.length === 0) return [];
  const names = dropped.slice(0, MAX_NAMED).join(', ');
  const more = dropped.length > MAX_NAMED ? ` and ${dropped.length - MAX_NAMED} more` : '';
  return [`left out, since the page does not say it: ${names}${more}`];
}
