import { readAnswer, withoutThoughts, type PageParts } from '@app/content';
import type { LlmCut } from '@app/contracts';
import type { AnswerSchema } from '@app/providers';
import { memberOf, type Checked } from './checked.js';
import { failure, type ModelFailure } from './model-failure.js';
import { callForJson, inParallel, runStep, type ModelSession } from './model-session.js';
import { MAX_SUMMARY_SENTENCES, pageData, summaryInstructions, type ModelPage } from './prompts.js';
import type { ModelStepResult } from './reading-threads.js';

export interface SummaryReading {
  readonly ok: true;
  readonly summary: string;
  readonly notes: readonly string[];
  readonly cut?: LlmCut;
}

const MAX_SUMMARY_CHARS = 1_500;
const MAX_SUMMARY_TOKENS = 700;
const MIN_SUMMARY_TOKENS = 200;
/** Maximum levels of summaries of summaries; each level is far shorter than the one before. */
const MAX_LEVELS = 4;

const ANSWER: AnswerSchema = {
  name: 'page_summary',
  schema: {
    type: 'object',
    properties: { summary: { type: 'string' } },
    required: ['summary'],
    additionalProperties: false,
  },
  isStrict: true,
};
const SCHEMA_TEXT = JSON.stringify(ANSWER.schema);

/**
 * A few sentences about a page; a long one is first summarised part by part.
 * @param partsOfPage cuts the page when called
 */
export async function readSummary(
  session: ModelSession,
  page: ModelPage,
  partsOfPage: () => Promise<ModelStepResult<PageParts>>,
): Promise<SummaryReading | ModelFailure> {
  const { maxPartTokens: maxTokens } = session;
  const pieces = await partsOfPage();
  if (!pieces.ok) return pieces;
  const { isCut } = pieces.value;
  let { parts } = pieces.value;
  if (parts.length === 0) return failure('llm_failed', 'the page has no text to summarise');
  const notes = isCut
    ? ['the page is longer than a model is shown; its end was not summarised']
    : [];
  for (let level = 0; level < MAX_LEVELS; level++) {
    const isNotes = level > 0;
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) {
      const last = await summarise(session, page, only, isNotes ? 'notes' : 'page');
      if (!last.ok) return last;
      const cut: { cut?: LlmCut } = isCut ? { cut: 'llm_max_chars' } : {};
      return { ok: true, summary: last.value, notes, ...cut };
    }
    const read = await inParallel(parts, session.concurrency, (part) =>
      summarise(session, page, part, isNotes ? 'notes' : 'part'),
    );
    const [failed] = read.filter((one) => !one.ok);
    if (failed !== undefined) return failed;
    const texts = read.flatMap((one) => (one.ok ? [one.value] : []));
    const cut = await runStep(session, 'cut', { markdown: texts.join('\n\n'), maxTokens });
    if (!cut.ok) return cut;
    ({ parts } = cut.value);
  }
  return failure('llm_failed', 'the page is too long to be summarised');
}

async function summarise(
  session: ModelSession,
  page: ModelPage,
  text: string,
  of: 'page' | 'part' | 'notes',
): Promise<{ readonly ok: true; readonly value: string } | ModelFailure> {
  return callForJson(session, {
    task: { instructions: summaryInstructions(SCHEMA_TEXT, of), data: pageData(page, text) },
    answer: ANSWER,
    maxTokens: MAX_SUMMARY_TOKENS,
    minTokens: MIN_SUMMARY_TOKENS,
    check: async (answer) => readSummaryAnswer(answer),
  });
}

/** A model without JSON mode may send plain text. */
function readSummaryAnswer(text: string): Checked<string> {
  const json = readAnswer(text);
  const said = json === undefined ? withoutThoughts(text) : memberOf(json, 'summary');
  const summary = typeof said === 'string' ? clipSummary(said) : '';
  const isJsonLike = json === undefined && /^[[{`]/.test(summary);
  if (summary !== '' && !isJsonLike) return { ok: true, value: summary };
  return { ok: false, errors: json === undefined ? null : ['it contains no summary'] };
}

/** The first sentences, on one line; an overlong text is cut. */
export function clipSummary(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const sentences = Array.from(
    new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(line.slice(0, 20_000)),
    ({ segment }) => segment,
  );
  const short = sentences.slice(0, MAX_SUMMARY_SENTENCES).join('').trim();
  if (short.length <= MAX_SUMMARY_CHARS) return short;
  const cut = short.slice(0, MAX_SUMMARY_CHARS - 1);
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > 0 ? space : undefined)}…`;
}
