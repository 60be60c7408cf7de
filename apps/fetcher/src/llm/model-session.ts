import { isObject, readAnswer } from '@app/content';
import type { Deadline, LlmProblem } from '@app/contracts';
import type { AnswerSchema, LlmBudget, LlmClient, LlmMessage, ModelUse } from '@app/providers';
import { messagesFor, withFailedAnswer, type ModelTask } from './prompts.js';

/** What all model calls of one request share. */
export interface ModelSession {
  readonly client: LlmClient;
  readonly use: ModelUse;
  readonly budget: LlmBudget;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  /** Calls that run at once. */
  readonly concurrency: number;
  /** Tokens of a page that one call is shown. */
  readonly maxPartTokens: number;
}

export interface ModelFailure {
  readonly ok: false;
  readonly problem: LlmProblem;
  readonly message: string;
  /** The page is more than the model can be shown at once. */
  readonly isTooLong?: boolean;
}

export function failure(problem: LlmProblem, message: string): ModelFailure {
  return { ok: false, problem, message };
}

type Said = { readonly ok: true; readonly text: string; readonly isCut: boolean } | ModelFailure;

export interface AnswerBounds {
  /** Null: text. */
  readonly answer: AnswerSchema | null;
  readonly maxTokens: number;
  /** Where the budget does not reach for more. */
  readonly leastTokens: number;
}

/** One call for text. */
export async function askText(
  { client, use, budget, deadline, signal }: ModelSession,
  messages: readonly LlmMessage[],
  { answer, maxTokens, leastTokens }: AnswerBounds,
): Promise<Said> {
  const result = await client.complete({
    use,
    messages,
    answer,
    maxTokens,
    leastTokens,
    deadline,
    budget,
    ...(signal === undefined ? {} : { signal }),
  });
  if (result.ok) return result;
  const { problem, message, code } = result;
  return { ok: false, problem, message, isTooLong: code === 'too_long' };
}

/** What an answer turned out to be. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly string[] };

export interface JsonQuestion<T> extends AnswerBounds {
  readonly task: ModelTask;
  /** Looks at the members of the answer's object; the text itself where it is no JSON. */
  readonly check: (json: unknown, text: string) => Checked<T>;
}

/** One call for JSON, and a second one when the answer is not valid. */
export async function askJson<T>(
  session: ModelSession,
  question: JsonQuestion<T>,
): Promise<{ readonly ok: true; readonly value: T } | ModelFailure> {
  const { maxTokens, task } = question;
  const first = await askText(session, messagesFor(task), question);
  if (!first.ok) return first;
  const checked = checkText(question, first);
  if (checked.ok) return checked;
  const repair = withFailedAnswer(task, { answer: first.text, errors: checked.errors });
  const second = await askText(session, messagesFor(repair), {
    ...question,
    // It may have been the room that was missing.
    maxTokens: first.isCut ? 2 * maxTokens : maxTokens,
  });
  if (!second.ok) return second;
  const repaired = checkText(question, second);
  if (repaired.ok) return repaired;
  const [reason = 'it is not valid'] = repaired.errors;
  return failure('llm_invalid', `the model answered twice with what the schema refuses: ${reason}`);
}

function checkText<T>(
  { check, maxTokens }: JsonQuestion<T>,
  { text, isCut }: { readonly text: string; readonly isCut: boolean },
): Checked<T> {
  const json = readAnswer(text);
  const checked = check(json, text);
  if (checked.ok || json !== undefined) return checked;
  return {
    ok: false,
    errors: [isCut ? `the answer is longer than ${maxTokens} tokens: be brief` : 'it is no JSON'],
  };
}

/** A member of the answer; the answer itself where the model left the object around it out. */
export function memberOf(json: unknown, name: string): unknown {
  return isObject(json) && Object.hasOwn(json, name) ? json[name] : json;
}

/** Runs the work over the items in order, some at once; results come in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const run = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, run));
  return results;
}
