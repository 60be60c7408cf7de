import type { Deadline } from '@app/contracts';
import type { AnswerSchema, LlmBudget, LlmClient, LlmMessage, ModelUse } from '@app/providers';
import type { Checked } from './checked.js';
import { failure, type ModelFailure } from './model-failure.js';
import { messagesFor, withFailedAnswer, type ModelTask } from './prompts.js';
import type { ResultOf, TaskOf } from '../threads/thread-pool.js';
import type { ReadingSteps } from './reading.worker.js';
import type { ModelStepResult, ReadingStep, ReadingThreads } from './reading-threads.js';

/**
 * Deadlines of the stages of a request. Results read in time still have to be processed and joined, even if a
 * thread has to be replaced for it.
 */
export interface ReadingTimes {
  /** Model calls, and the steps before them. */
  readonly modelCalls: Deadline;
  /** Processing an answer. */
  readonly check: Deadline;
  readonly join: Deadline;
}

/** Counts the calls of a tenant. Every call passes it: {@link callForText} is the only place that makes one. */
export interface ModelGate {
  /** Reserves a call of the day. @returns `ok` false: `limit` of them were made today */
  admit(tenantId: string): Promise<{ readonly ok: boolean; readonly limit: number }>;
}

/** Shared by all model calls of one request. */
export interface ModelSession {
  readonly client: LlmClient;
  readonly gate: ModelGate;
  readonly threads: ReadingThreads;
  /** Owner of the request; null: no tenant. */
  readonly tenantId: string | null;
  readonly use: ModelUse;
  readonly budget: LlmBudget;
  readonly times: ReadingTimes;
  readonly signal?: AbortSignal;
  /** Concurrent calls. */
  readonly concurrency: number;
  /** Maximum tokens of a page in one call. */
  readonly maxPartTokens: number;
}

const TIME_OF: Readonly<Record<ReadingStep, keyof ReadingTimes>> = {
  cut: 'modelCalls',
  prepare: 'modelCalls',
  check: 'check',
  join: 'join',
  source: 'modelCalls',
  cite: 'check',
};

/** One step in a thread. */
export function runStep<Step extends ReadingStep>(
  { threads, times, signal, tenantId }: ModelSession,
  step: Step,
  task: TaskOf<ReadingSteps, Step>,
): Promise<ModelStepResult<ResultOf<ReadingSteps, Step>>> {
  return threads.run(step, task, { deadline: times[TIME_OF[step]], signal, tenantId });
}

type TextResult =
  { readonly ok: true; readonly text: string; readonly isCut: boolean } | ModelFailure;

export interface AnswerBounds {
  /** Null: plain text. */
  readonly answer: AnswerSchema | null;
  readonly maxTokens: number;
  /** Shortest useful answer, if the budget does not cover `maxTokens`. */
  readonly minTokens: number;
}

/** One call that returns text. */
export async function callForText(
  session: ModelSession,
  messages: readonly LlmMessage[],
  { answer, maxTokens, minTokens }: AnswerBounds,
): Promise<TextResult> {
  const { client, use, budget, times, signal } = session;
  const refused = await refusalOf(session);
  if (refused) return refused;
  const result = await client.complete({
    use,
    messages,
    answer,
    maxTokens,
    minTokens,
    deadline: times.modelCalls,
    budget,
    ...(signal === undefined ? {} : { signal }),
  });
  if (result.ok) return result;
  const { problem, message, code } = result;
  return { ok: false, problem, message, isTooLong: code === 'too_long' };
}

/** A call without a tenant is nobody's, so nobody would pay for it. */
async function refusalOf({ gate, tenantId }: ModelSession): Promise<ModelFailure | null> {
  if (tenantId === null) return failure('llm_failed', 'the request has no tenant');
  const admitted = await gate.admit(tenantId).catch(() => null);
  if (admitted === null) return failure('llm_failed', 'the calls of the day could not be counted');
  if (admitted.ok) return null;
  const message = `The ${admitted.limit} model calls a day of this plan are used up. They begin again at 00:00 UTC.`;
  return failure('llm_quota', message);
}

export interface JsonCall<T> extends AnswerBounds {
  readonly task: ModelTask;
  /**
   * Processes the text of an answer. A failure means that the processing failed, which a second answer would not
   * fix.
   */
  readonly check: (answer: string) => Promise<Checked<T> | ModelFailure>;
}

/** One call for JSON, and a second one if the answer is not valid. */
export async function callForJson<T>(
  session: ModelSession,
  question: JsonCall<T>,
): Promise<{ readonly ok: true; readonly value: T } | ModelFailure> {
  const { maxTokens, task } = question;
  const first = await callForText(session, messagesFor(task), question);
  if (!first.ok) return first;
  const checked = await checkText(question, first);
  if (checked.ok || 'problem' in checked) return checked;
  const repair = withFailedAnswer(task, { answer: first.text, errors: checked.errors });
  const second = await callForText(session, messagesFor(repair), {
    ...question,
    // A lack of room may have caused it.
    maxTokens: first.isCut ? 2 * maxTokens : maxTokens,
  });
  if (!second.ok) return second;
  const repaired = await checkText(question, second);
  if (repaired.ok || 'problem' in repaired) return repaired;
  const [reason = 'it is not valid'] = repaired.errors;
  return failure(
    'llm_invalid',
    `the model's output did not match the schema, nor did its correction: ${reason}`,
  );
}

type CheckResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly string[] }
  | ModelFailure;

async function checkText<T>(
  { check, maxTokens }: JsonCall<T>,
  { text, isCut }: { readonly text: string; readonly isCut: boolean },
): Promise<CheckResult<T>> {
  const checked = await check(text);
  if (checked.ok || 'problem' in checked) return checked;
  const { errors } = checked;
  if (errors !== null) return { ok: false, errors };
  return {
    ok: false,
    errors: [isCut ? `the answer is longer than ${maxTokens} tokens: be brief` : 'it is no JSON'],
  };
}

/** Runs the work over the items in order, a few in parallel; results are in the order of the items. */
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
