import { isObject, readAnswer } from '@app/content';
import type { MarkdownParts } from '@app/contracts';
import type { AnswerSchema } from '@app/providers';
import { memberOf } from './checked.js';
import { type ModelFailure } from './model-failure.js';
import { callForJson, type ModelSession } from './model-session.js';
import { rankInstructions } from './prompts.js';

type Passage = NonNullable<MarkdownParts['passages']>[number];

/** A question, and the passages that have its words. */
export interface RankedQuestion {
  readonly query: string;
  readonly passages: readonly Passage[];
}

const MAX_ANSWER_TOKENS = 400;
const MIN_ANSWER_TOKENS = 100;
/** Of the titles above a passage. */
const MAX_TITLE_CHARS = 300;

const ANSWER: AnswerSchema = {
  name: 'ranking',
  schema: {
    type: 'object',
    properties: { order: { type: 'array', items: { type: 'integer' } } },
    required: ['order'],
    additionalProperties: false,
  },
  isStrict: true,
};
const SCHEMA_TEXT = JSON.stringify(ANSWER.schema);

/**
 * The passages in the order of a model, best first; those that it does not name follow as they were. The passages are
 * data: of the answer only numbers of passages are used.
 */
export function rankPassages(
  session: ModelSession,
  { query, passages }: RankedQuestion,
): Promise<{ readonly ok: true; readonly value: readonly Passage[] } | ModelFailure> {
  return callForJson(session, {
    task: {
      instructions: rankInstructions(SCHEMA_TEXT, query, passages.length),
      data: passages.map(asData).join('\n\n'),
    },
    answer: ANSWER,
    maxTokens: MAX_ANSWER_TOKENS,
    minTokens: MIN_ANSWER_TOKENS,
    check: (answer) => {
      const named = numbersIn(answer, passages.length);
      if (named === null)
        return Promise.resolve({ ok: false, errors: ['"order" must be a list of numbers'] });
      const order = [...new Set([...named, ...passages.keys()])];
      return Promise.resolve({ ok: true, value: order.flatMap((at) => passages[at] ?? []) });
    },
  });
}

function asData({ headings, text }: Passage, at: number): string {
  const titles = headings.join(' › ').slice(0, MAX_TITLE_CHARS).toWellFormed();
  return `----- passage [${at + 1}] -----\n${titles}\n${text}`;
}

/** From 0; null: the answer is no list. */
function numbersIn(answer: string, count: number): readonly number[] | null {
  const json = readAnswer(answer);
  const list = isObject(json) || Array.isArray(json) ? memberOf(json, 'order') : null;
  if (!Array.isArray(list)) return null;
  return list
    .map((number: unknown) => Number(number) - 1)
    .filter((at) => Number.isInteger(at) && at >= 0 && at < count);
}
