import type { PageParts } from '@app/content';
import type { JsonSchema, LlmCut, Quote } from '@app/contracts';
import { failure, type ModelFailure } from './model-failure.js';
import { callForJson, inParallel, runStep, type ModelSession } from './model-session.js';
import { extractInstructions, pageData, type ModelPage } from './prompts.js';
import type { GroundedAnswer, PreparedSchema, SchemaText } from './reading-task.js';
import type { ModelStepResult } from './reading-threads.js';

export interface JsonReading {
  readonly ok: true;
  readonly value: unknown;
  readonly quotes: Readonly<Record<string, Quote>>;
  /** For users: the omissions, with reasons. */
  readonly notes: readonly string[];
  /** Part of the page was not read. */
  readonly cut?: LlmCut;
}

/** Tokens of an answer; twice as many for the retry of one that was cut. */
const MAX_JSON_TOKENS = 4_096;
const MIN_JSON_TOKENS = 512;
/** A part that is too long for the model is halved down to this size. */
const MIN_PART_TOKENS = 500;
/** Maximum number of values named in a note. */
const MAX_NAMED = 5;

/**
 * Compiles a schema, before any call of a model.
 * @param schema null: the model chooses the form
 */
export async function prepareJson(
  session: ModelSession,
  schema: JsonSchema | null,
): Promise<JsonQuery | ModelFailure> {
  const schemaText = JSON.stringify(schema ?? { type: 'object' });
  const prepared = await runStep(session, 'prepare', { schema: schemaText });
  if (!prepared.ok) return prepared;
  if (!prepared.value.ok) return failure('llm_schema', prepared.value.problem);
  return { ...prepared.value, schemaText, isFree: schema === null };
}

/**
 * Reads data by a compiled schema.
 * @param partsOfPage cuts the page when called
 */
export async function readJson(
  session: ModelSession,
  query: JsonQuery,
  page: ModelPage,
  partsOfPage: () => Promise<ModelStepResult<PageParts>>,
): Promise<JsonReading | ModelFailure> {
  const cut = await partsOfPage();
  if (!cut.ok) return cut;
  const { parts, isCut } = cut.value;
  const reader = new JsonReader(session, page, query);
  const readings = await inParallel(parts, session.concurrency, (part) => reader.readPart(part));
  return reader.join(readings.flat(), isCut);
}

interface PartReading extends GroundedAnswer {
  readonly ok: true;
}

/** A compiled schema. */
export interface JsonQuery extends Extract<PreparedSchema, { readonly ok: true }> {
  readonly schemaText: SchemaText;
  /** The model chooses the form. */
  readonly isFree: boolean;
}

class JsonReader {
  private readonly instructions: string;

  constructor(
    private readonly session: ModelSession,
    private readonly page: ModelPage,
    private readonly query: JsonQuery,
  ) {
    this.instructions = extractInstructions(query.answerText, query.isFree);
  }

  /** One result, or several if the part had to be split. */
  async readPart(
    part: string,
    maxTokens = this.session.maxPartTokens,
  ): Promise<(PartReading | ModelFailure)[]> {
    const asked = await callForJson(this.session, {
      task: { instructions: this.instructions, data: pageData(this.page, part) },
      answer: this.query.answer,
      maxTokens: MAX_JSON_TOKENS,
      minTokens: MIN_JSON_TOKENS,
      check: (answer) => this.check(answer, part),
    });
    if (asked.ok) return [{ ok: true, ...asked.value }];
    const halfTokens = Math.floor(maxTokens / 2);
    if (!asked.isTooLong || halfTokens < MIN_PART_TOKENS) return [asked];
    const halves = await runStep(this.session, 'cut', { markdown: part, maxTokens: halfTokens });
    if (!halves.ok) return [halves];
    const { parts } = halves.value;
    const readings = await inParallel(parts, 1, (one) => this.readPart(one, halfTokens));
    return readings.flat();
  }

  private async check(answer: string, part: string) {
    const { title = '', url } = this.page;
    const task = { schema: this.query.schemaText, answer, part, title, url };
    const checked = await runStep(this.session, 'check', task);
    return checked.ok ? checked.value : checked;
  }

  async join(
    readings: readonly (PartReading | ModelFailure)[],
    isCut: boolean,
  ): Promise<JsonReading | ModelFailure> {
    const read = readings.filter((one) => one.ok);
    const [failed] = readings.filter((one) => !one.ok);
    if (read.length === 0 && failed !== undefined) return failed;
    const answers = read.map(({ value, quotes }) => ({ value, quotes }));
    const joined = await runStep(this.session, 'join', { schema: this.query.schemaText, answers });
    if (!joined.ok) return joined;
    if (!joined.value.ok) {
      const { error } = joined.value;
      return failure(
        'llm_invalid',
        `the joined data of the page does not match the schema: ${error}`,
      );
    }
    const { value, quotes } = joined.value;
    const notes = [
      ...cutNotes(isCut, readings.length - read.length, readings.length, failed),
      ...droppedNotes(read.flatMap(({ dropped }) => dropped)),
    ];
    const cut = failed?.problem ?? (isCut ? 'llm_max_chars' : undefined);
    return { ok: true, value, quotes, notes, ...(cut ? { cut } : {}) };
  }
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
