import {
  THREAD_KINDS,
  ThreadPool,
  ThreadTimeoutError,
  type ResultOf,
  type TaskOf,
  type ThreadPoolOptions,
  type ThreadTerms,
} from '../threads/thread-pool.js';
import { failure, type ModelFailure } from './model-failure.js';
import type { ReadingSteps } from './reading.worker.js';

export type ReadingStep = keyof ReadingSteps;

export interface ReadingThreadsOptions extends Pick<ThreadPoolOptions, 'threads' | 'module'> {
  /** Called when a step or a thread failed for a reason other than its time and memory limits. */
  readonly onProblem: (what: string, error: unknown) => void;
  /** CPU time limit of one step. @default 10_000 */
  readonly maxStepCpuMs?: number;
  /** CPU time limit for compiling a schema. @default 2_000 */
  readonly maxCompileCpuMs?: number;
}

/** Steps of one tenant wait for those of others. */
export type StepTerms = Pick<ThreadTerms, 'deadline' | 'signal' | 'tenantId'>;

/** The result of a step, or the reason why there is none. */
export type ModelStepResult<T> = { readonly ok: true; readonly value: T } | ModelFailure;

/** Far above the need of the longest page: beyond it a schema or an answer was made to hang. */
const MAX_STEP_CPU_MS = 10_000;
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
  private readonly pool: ThreadPool<ReadingSteps>;
  private readonly maxStepCpuMs: number;
  private readonly maxCompileCpuMs: number;
  private readonly onProblem: ReadingThreadsOptions['onProblem'];

  constructor({
    onProblem,
    maxStepCpuMs = MAX_STEP_CPU_MS,
    maxCompileCpuMs = MAX_COMPILE_CPU_MS,
    ...options
  }: ReadingThreadsOptions) {
    this.pool = new ThreadPool({
      ...options,
      kind: 'reading',
      onProblem: (error) => onProblem('a reading thread broke', error),
    });
    this.maxStepCpuMs = maxStepCpuMs;
    this.maxCompileCpuMs = maxCompileCpuMs;
    this.onProblem = onProblem;
  }

  /** Never rejects: without a result in time, the failure says so. */
  async run<Step extends ReadingStep>(
    step: Step,
    task: TaskOf<ReadingSteps, Step>,
    terms: StepTerms,
  ): Promise<ModelStepResult<ResultOf<ReadingSteps, Step>>> {
    const { deadline, signal } = terms;
    if (deadline.isPassed || signal?.aborted) return missed(step, signal);
    try {
      const value = await this.pool.run(step, task, {
        ...terms,
        maxCpuMs: step === 'prepare' ? this.maxCompileCpuMs : this.maxStepCpuMs,
      });
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
        return failure(
          'llm_schema',
          `takes more than ${THREAD_KINDS.reading.maxHeapMb} MB to compile`,
        );
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
