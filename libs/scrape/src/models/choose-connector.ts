import {
  CHOICE_SCHEMA,
  readChoice,
  type ChosenConnector,
  type ConnectorChoiceTask,
} from '@app/connectors';
import { withoutFence, withoutThoughts } from '@app/content';
import type { AnswerSchema } from '@app/providers';
import type { Checked } from './checked.js';
import { type ModelFailure } from './model-failure.js';
import { callForJson, type ModelSession } from './model-session.js';
import { choiceInstructions } from './prompts.js';

const MAX_ANSWER_TOKENS = 600;
const MIN_ANSWER_TOKENS = 100;

const ANSWER: AnswerSchema = { name: 'connector', schema: CHOICE_SCHEMA, isStrict: true };
const SCHEMA_TEXT = JSON.stringify(CHOICE_SCHEMA);

/**
 * The connector that a message means. The message is data: the answer is an id of the list and parameters, which the API
 * checks by the schema of the connector; nothing else of it is used.
 */
export function chooseConnector(
  session: ModelSession,
  { text, known, connectors }: Pick<ConnectorChoiceTask, 'text' | 'known' | 'connectors'>,
): Promise<
  { readonly ok: true; readonly value: { readonly chosen: ChosenConnector | null } } | ModelFailure
> {
  const before = known === null ? '' : `\nPrevious request: ${JSON.stringify(known)}`;
  return callForJson(session, {
    task: {
      instructions: choiceInstructions(SCHEMA_TEXT, JSON.stringify(connectors)),
      data: `Message: ${text}${before}`,
    },
    answer: ANSWER,
    maxTokens: MAX_ANSWER_TOKENS,
    minTokens: MIN_ANSWER_TOKENS,
    check: (answer) => Promise.resolve(checked(answer, connectors)),
  });
}

function checked(
  answer: string,
  connectors: ConnectorChoiceTask['connectors'],
): Checked<{ readonly chosen: ChosenConnector | null }> {
  try {
    const json = JSON.parse(withoutFence(withoutThoughts(answer))) as unknown;
    return { ok: true, value: { chosen: readChoice(json, connectors) } };
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'it is no JSON' : String(error);
    return { ok: false, errors: [problem] };
  }
}
