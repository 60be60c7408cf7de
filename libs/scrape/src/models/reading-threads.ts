import { threadCount } from '../threads/thread-count.js';
import { ThreadPool, ThreadTimeoutError, type ThreadTerms } from '../threads/thread-pool.js';
import { failure, type ModelFailure } from './model-failure.js';
import type { ReadingResult, ReadingStep, ReadingSteps, ReadingTask } from './reading-task.js';

export interface ReadingThreadsOptions {
  /** 0: one per processor, at least two. */
  readonly threads: number;
  /** Called when a step or a thread failed for a reason other than its time and memory limits. */
  readonly onProblem: (what: string, error: unknown) => void;
  /** Time limit of one step. @default 10_000 */
  readonly maxStepMs?: number;
  /** CPU time limit for compiling a schema. @default 2_000 */
  readonly maxCompileCpuMs?: number;
  /** The module that the threads run. @default reading.worker.js */
  readonly module?: URL;
}

/** Steps of one tenant wait for those of others. */
export type StepTerms = Pick<ThreadTerms, 'deadline' | 'signal' | 'tenantId'>;

/** The result of a step, or the reason why there is none. */
export type ModelStepResult<T> = { readonly ok: true; readonly value: T } | ModelFailure;

/** The tokenizer's table is 40 MB; a page and its words are a tenth of that. */
const MAX_THREAD_HEAP_MB = 512;
/** Far above the need of the longest page: beyond it a schema or an answer was made to hang. */
const MAX_STEP_MS = 10_000;
/** Ten times the need of the most expensive known schema that the API accepts. */
const MAX_COMPILE_CPU_MS = 2_000;

const MISSED: Readonly<Record<ReadingStep, string>> = {
  cut: 'the page could not be cut into parts',
  prepare: 'the schema could not be prepared',
  check: 'an answer of the model could not be checked',
  join: 'the answers of the model could not be put together',
  source: 'the sources of an answer could not be prepared',
  cite: 'the citations of an answer could not be checked',
};

/**
 * Threads for work on pages and answers that would block the event loop. They are separate from those that
 * convert pages: a schema made to hang delays only reading by models.
 */
export class ReadingThreads {
  private readonly pool: ThreadPool<ReadingTask, ReadingResult>;
  private readonly maxStepMs: number;
  private readonly maxCompileCpuMs: number;
  private readonly onProblem: ReadingThreadsOptions['onProblem'];

  constructor({
    threads,
    onProblem,
    maxStepMs = MAX_STEP_MS,
    maxCompileCpuMs = MAX_COMPILE_CPU_MS,
    module,
  }: ReadingThreadsOptions) {
    this.pool = new ThreadPool({
      module: module ?? new URL('./reading.worker.js', import.meta.url),
      maxThreads: threadCount(threads),
      keepsOne: true,
      maxHeapMb: MAX_THREAD_HEAP_MB,
      isWarm: false,
      onProblem: (error) => onProblem('a reading thread broke', error),
    });
    this.maxStepMs = maxStepMs;
    this.maxCompileCpuMs = maxCompileCpuMs;
    this.onProblem = onProblem;
  }

  /** Never rejects: without a result in time, the failure says so. */
  async run<Step extends ReadingStep>(
    step: Step,
    task: ReadingSteps[Step]['task'],
    terms: StepTerms,
  ): Promise<ModelStepResult<ReadingSteps[Step]['result']>> {
    const { deadline, signal } = terms;
    if (deadline.isPassed || signal?.aborted) return missed(step, signal);
    try {
      const whole = { ...task, step } as ReadingTask;
      // A thread answers a task with the result of its step.
      const value = (await this.pool.run(whole, {
        ...terms,
        maxWorkMs: this.maxStepMs,
        ...(step === 'prepare' ? { maxCpuMs: this.maxCompileCpuMs } : {}),
      })) as ReadingSteps[Step]['result'];
      return { ok: true, value };
    } catch (error) {
      const schema = step === 'prepare' && !signal?.aborted ? this.schemaFailure(error) : null;
      if (schema !== null) return schema;
      if (error instanceof ThreadTimeoutError || signal?.aborted) return missed(step, signal);
      this.onProblem(MISSED[step], error);
      return failure('llm_failed', MISSED[step]);
    }
  }

  /** Null: the thread returned no result for a reason unrelated to the schema. */
  private schemaFailure(error: unknown): ModelFailure | null {
    if (!(error instanceof ThreadTimeoutError)) return null;
    switch (error.problem) {
      case 'work':
        return failure(
          'llm_schema',
          `takes more than ${this.maxCompileCpuMs} ms of CPU time to compile`,
        );
      case 'memory':
        return failure('llm_schema', `takes more than ${MAX_THREAD_HEAP_MB} MB to compile`);
      case 'busy':
      case 'deadline':
        return null;
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
