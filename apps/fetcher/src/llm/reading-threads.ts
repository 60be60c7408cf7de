import type { Deadline } from '@app/contracts';
import { Slots } from '../threads/slots.js';
import { threadCount } from '../threads/thread-count.js';
import { ThreadPool, ThreadTimeoutError } from '../threads/thread-pool.js';
import { failure, type ModelFailure } from './model-failure.js';
import type { ReadingResult, ReadingStep, ReadingSteps, ReadingTask } from './reading-task.js';

export interface ReadingThreadsOptions {
  /** 0: one less than the processors. */
  readonly threads: number;
  /** Told when a step or a thread failed for another reason than its time and memory. */
  readonly onProblem: (what: string, error: unknown) => void;
  /** Longest that one step may take. @default 10_000 */
  readonly maxStepMs?: number;
  /** What the threads run. @default reading.worker.js */
  readonly module?: URL;
}

export interface StepTerms {
  /** Bounds waiting for a thread and the step together. */
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
}

/** What a step gave, or why it gave nothing. */
export type Worked<T> = { readonly ok: true; readonly value: T } | ModelFailure;

/** The tokenizer's table is 40 MB; a page and its words are a tenth of that. */
const MAX_THREAD_HEAP_MB = 512;
/** Far above what the longest page takes: past it a schema or an answer was made to hang. */
const MAX_STEP_MS = 10_000;

const MISSED: Readonly<Record<ReadingStep, string>> = {
  cut: 'the page could not be cut into parts',
  prepare: 'the schema could not be prepared',
  check: 'an answer of the model could not be checked',
  join: 'the answers of the model could not be put together',
};

/**
 * Threads that do the work on pages and answers which would stop the event loop. They are apart from
 * those that convert pages: a schema made to hang delays only what models read.
 */
export class ReadingThreads {
  private readonly slots: Slots;
  private readonly pool: ThreadPool<ReadingTask, ReadingResult>;
  private readonly maxStepMs: number;
  private readonly onProblem: ReadingThreadsOptions['onProblem'];

  constructor({ threads, onProblem, maxStepMs = MAX_STEP_MS, module }: ReadingThreadsOptions) {
    const maxThreads = threadCount(threads);
    this.slots = new Slots(maxThreads);
    this.pool = new ThreadPool({
      module: module ?? new URL('./reading.worker.js', import.meta.url),
      maxThreads,
      maxHeapMb: MAX_THREAD_HEAP_MB,
      isWarm: false,
      onProblem: (error) => onProblem('a reading thread broke', error),
    });
    this.maxStepMs = maxStepMs;
    this.onProblem = onProblem;
  }

  /** Never rejects: what a thread does not give in its time is a failure that says so. */
  async run<Step extends ReadingStep>(
    step: Step,
    task: ReadingSteps[Step]['task'],
    terms: StepTerms,
  ): Promise<Worked<ReadingSteps[Step]['result']>> {
    const { deadline, signal } = terms;
    if (deadline.isPassed || signal?.aborted) return missed(step, signal);
    if (!(await this.slots.acquire(deadline, signal))) return missed(step, signal);
    try {
      const whole = { ...task, step } as ReadingTask;
      // A thread answers a task with the result of its step.
      const value = (await this.pool.run(
        whole,
        deadline.within(this.maxStepMs),
        signal,
      )) as ReadingSteps[Step]['result'];
      return { ok: true, value };
    } catch (error) {
      if (error instanceof ThreadTimeoutError || signal?.aborted) return missed(step, signal);
      this.onProblem(MISSED[step], error);
      return failure('llm_failed', MISSED[step]);
    } finally {
      this.slots.release();
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }
}

function missed(step: ReadingStep, signal: AbortSignal | undefined): ModelFailure {
  const why = signal?.aborted ? 'before the request was cancelled' : 'within its time and memory';
  return failure('llm_timeout', `${MISSED[step]} ${why}`);
}
