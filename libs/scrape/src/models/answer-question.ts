import { answerData, type CitableSource, type CitationCheck } from '@app/search';
import type { AnswerSchema } from '@app/providers';
import { failure, type ModelFailure } from './model-failure.js';
import { callForJson, runStep, type ModelSession } from './model-session.js';
import { answerInstructions } from './prompts.js';

/** A question, and the results that may answer it. */
export interface QuestionSources {
  readonly question: string;
  readonly sources: readonly CitableSource[];
}

const MAX_ANSWER_TOKENS = 700;
const MIN_ANSWER_TOKENS = 150;

const ANSWER: AnswerSchema = {
  name: 'cited_answer',
  schema: {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
    additionalProperties: false,
  },
  isStrict: true,
};
const SCHEMA_TEXT = JSON.stringify(ANSWER.schema);

/** An answer from sources of which each sentence is checked against those it cites. */
export async function answerQuestion(
  session: ModelSession,
  { question, sources: given }: QuestionSources,
): Promise<{ readonly ok: true; readonly value: CitationCheck } | ModelFailure> {
  const prepared = await runStep(session, 'source', { sources: given });
  if (!prepared.ok) return prepared;
  const sources = prepared.value;
  if (sources.every(({ text, title }) => `${title}${text}`.trim() === ''))
    return failure('llm_failed', 'the sources have no text');
  return callForJson(session, {
    task: {
      instructions: answerInstructions(SCHEMA_TEXT, question, sources.length),
      data: answerData(sources),
    },
    answer: ANSWER,
    maxTokens: MAX_ANSWER_TOKENS,
    minTokens: MIN_ANSWER_TOKENS,
    check: async (answer) => {
      const cited = await runStep(session, 'cite', { answer, question, sources });
      if (!cited.ok) return cited;
      const { value } = cited;
      return value === null
        ? { ok: false, errors: ['it contains no answer'] }
        : { ok: true, value };
    },
  });
}
