import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Deadline } from '@app/contracts';
import { CpuWatch, type StepCall, type ThreadSteps } from './run-steps.js';
import { Slots, type SlotPriority } from './slots.js';

/** Why a thread returned no result. */
export type ThreadProblem =
  /** No thread became free before the deadline. */
  | 'busy'
  /** The deadline passed during the work. */
  | 'deadline'
  /** The work itself exceeded its CPU time limit. */
  | 'work'
  /** The thread exceeded its heap limit. */
  | 'memory';

const MESSAGES: Readonly<Record<ThreadProblem, string>> = {
  busy: 'No thread became free in time',
  deadline: 'The work in a thread did not end in time',
  work: 'The work in a thread exceeded its CPU time limit',
  memory: 'The work in a thread exceeded its memory limit',
};

/** Work without a result within its time or memory; its thread was ended. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError';

  constructor(
    readonly problem: ThreadProblem,
    options?: ErrorOptions,
  ) {
    super(MESSAGES[problem], options);
  }
}

/** The kinds of threads: the module that they run, and the heap that one may fill. */
export const THREAD_KINDS = {
  /** Pages to content. */
  content: { module: new URL('../content/content.worker.js', import.meta.url), maxHeapMb: 512 },
  /**
   * Brands: a page and the 3 million characters of CSS that are read for it, with their rules. Apart from pages, so
   * that such a page never delays a scrape.
   */
  brand: { module: new URL('../company/brand.worker.js', import.meta.url), maxHeapMb: 512 },
  /** Sitemaps: 50,000 addresses. The rest of the memory does not grow with a file. */
  sitemap: { module: new URL('../map/sitemap.worker.js', import.meta.url), maxHeapMb: 256 },
  /** Work for models: the tokenizer's table is 40 MB; a page and its words are a tenth of that. */
  reading: { module: new URL('../models/reading.worker.js', import.meta.url), maxHeapMb: 512 },
  /** Pages of results: one of 4 MB and its tree. */
  result: { module: new URL('../search/result.worker.js', import.meta.url), maxHeapMb: 256 },
  /** Page results that are compared: two of 8 MB, and their lines. */
  diff: { module: new URL('../diff/diff.worker.js', import.meta.url), maxHeapMb: 192 },
  /** Document files. */
  file: { module: new URL('../files/file.worker.js', import.meta.url), maxHeapMb: 768 },
} as const;

export interface ThreadPoolOptions {
  readonly kind: keyof typeof THREAD_KINDS;
  /**
   * 0: one per processor, at least two. Threads have a lower priority than the event loop, so there may be one for
   * each processor.
   */
  readonly threads: number;
  /** Keeps one of several threads for short work: see {@link Slots}. @default true */
  readonly keepsOne?: boolean;
  /** Starts a thread before the first task. @default false */
  readonly isWarm?: boolean;
  /** The module that the threads run. @default that of the kind */
  readonly module?: URL;
  /**
   * Called when a thread without a task broke: it could not start, or was being ended. Tasks that wait for a
   * thread go on waiting until their deadline. @default ignored
   */
  readonly onProblem?: (error: unknown) => void;
}

export interface ThreadTerms extends SlotPriority {
  /** Bounds the wait for a thread plus the work. */
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  /**
   * CPU time limit of the work, milliseconds; its thread records the start in the task's `clock`. @default
   * unbounded
   */
  readonly maxCpuMs?: number;
}

export type TaskOf<Steps extends ThreadSteps, Step extends keyof Steps> = Parameters<
  Steps[Step]
>[0];
export type ResultOf<Steps extends ThreadSteps, Step extends keyof Steps> = Awaited<
  ReturnType<Steps[Step]>
>;

const IDLE_MS = 60_000;
/**
 * For short-lived objects, in each thread. Node's own limit is 128 on machines with much memory, and a busy
 * thread fills it. Apps start with the same limit for every thread, including their main one:
 * scripts/node-flags.json.
 */
const YOUNG_HEAP_MB = 16;

/**
 * Threads for work that would block the event loop: conversion of bytes, checks of a model's answers. Work that
 * hangs costs its thread, which is replaced. Tasks wait for the threads; tenants take turns: see {@link Slots}.
 */
export class ThreadPool<Steps extends ThreadSteps> {
  private readonly pool: Piscina<StepCall, unknown>;
  private readonly slots: Slots;
  private isClosed = false;

  constructor({
    kind,
    threads,
    keepsOne = true,
    isWarm = false,
    module = THREAD_KINDS[kind].module,
    onProblem = () => {},
  }: ThreadPoolOptions) {
    const maxThreads = threads || Math.max(2, availableParallelism());
    this.slots = new Slots(maxThreads, { keepsOne });
    this.pool = new Piscina<StepCall, unknown>({
      filename: module.href,
      minThreads: isWarm ? 1 : 0,
      maxThreads,
      // Never used up: a task has the slot of a thread when it gets here.
      maxQueue: 2 * maxThreads,
      idleTimeout: IDLE_MS,
      concurrentTasksPerWorker: 1,
      resourceLimits: {
        maxOldGenerationSizeMb: THREAD_KINDS[kind].maxHeapMb,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      },
    });
    // Without a listener, a thread that passes its heap limit while it is ended would end the process.
    this.pool.on('error', onProblem);
  }

  /**
   * Moves the bytes in the task's `body` to a thread: the caller's view of them is empty afterwards. The rest of
   * the task is copied.
   * @param task a function creates it when its work begins
   * @throws ThreadTimeoutError, and the signal's reason
   */
  async run<Step extends keyof Steps & string>(
    step: Step,
    task: TaskOf<Steps, Step> | (() => TaskOf<Steps, Step>),
    terms: ThreadTerms,
  ): Promise<ResultOf<Steps, Step>> {
    const slot = await this.slots.acquire(terms);
    if (slot === null) {
      terms.signal?.throwIfAborted();
      throw new ThreadTimeoutError('busy');
    }
    const watch = this.watch(terms);
    try {
      // A closed pool would never begin it.
      if (this.isClosed) throw new Error('The threads are closed');
      const fields: object = typeof task === 'function' ? task() : task;
      // The thread answers with the result of the step.
      return (await this.work({ ...fields, step }, terms, watch)) as ResultOf<Steps, Step>;
    } finally {
      watch?.close();
      slot.release(watch?.usedMs);
    }
  }

  private async work(
    call: StepCall,
    { deadline, signal: cancelled }: ThreadTerms,
    watch: CpuWatch | null,
  ): Promise<unknown> {
    const abort = new AbortController();
    let problem: ThreadProblem = 'deadline';
    const timer = setTimeout(() => abort.abort(), Math.max(1, deadline.remainingMs()));
    watch?.start(() => {
      problem = 'work';
      abort.abort();
    });
    const signal = cancelled ? AbortSignal.any([abort.signal, cancelled]) : abort.signal;
    try {
      const watched = watch === null ? call : { ...call, clock: watch.clock };
      return await this.pool.run(watched, { transferList: bytesOf(call), signal });
    } catch (error) {
      if (isOutOfMemory(error)) throw new ThreadTimeoutError('memory', { cause: error });
      if (!abort.signal.aborted) throw error;
      throw new ThreadTimeoutError(problem, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  private watch({ maxCpuMs = Infinity }: ThreadTerms): CpuWatch | null {
    return maxCpuMs === Infinity ? null : new CpuWatch(() => this.pool.threads, maxCpuMs);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.pool.destroy();
  }
}

function bytesOf(task: StepCall & { readonly body?: unknown }): ArrayBuffer[] {
  return ArrayBuffer.isView(task.body) ? [task.body.buffer as ArrayBuffer] : [];
}

/** The thread exceeded its heap limit and was ended. */
function isOutOfMemory(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return code === 'ERR_WORKER_OUT_OF_MEMORY';
}
