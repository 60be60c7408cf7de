import { Piscina } from 'piscina';
import type { Deadline } from '@app/contracts';

/** Work that did not end within its time or memory; its thread was ended with it. */
export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError';
}

export interface ThreadPoolOptions {
  /** The module a thread runs. */
  readonly module: URL;
  readonly maxThreads: number;
  readonly maxHeapMb: number;
  /** False: the first thread starts with the first task. @default true */
  readonly isWarm?: boolean;
  /**
   * Told when a thread broke that had no task: it could not start, or was being ended. Who waits for
   * a thread goes on waiting, as long as the deadline allows. @default nobody is told
   */
  readonly onProblem?: (error: unknown) => void;
}

/** Tasks that may wait for a thread; the consumers' concurrency keeps it far below. */
const MAX_WAITING = 4_096;
const IDLE_MS = 60_000;
/**
 * For what does not live long, in each thread. Node's own bound is 128 where there is much memory, and a busy
 * thread fills it. Apps are started with the same bound for every thread, their main one too: scripts/node-flags.json.
 */
const YOUNG_HEAP_MB = 16;

/**
 * Threads for the work that would stop the event loop: what becomes of bytes, and what a model says
 * of a page. What hangs costs its thread, which is replaced.
 */
export class ThreadPool<Task extends object, Result> {
  private readonly pool: Piscina<Task, Result>;

  constructor({
    module,
    maxThreads,
    maxHeapMb,
    isWarm = true,
    onProblem = () => {},
  }: ThreadPoolOptions) {
    this.pool = new Piscina<Task, Result>({
      filename: module.href,
      minThreads: isWarm ? 1 : 0,
      maxThreads,
      maxQueue: MAX_WAITING,
      idleTimeout: IDLE_MS,
      concurrentTasksPerWorker: 1,
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMb,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
      },
    });
    // Without a listener, a thread that passes its heap limit while it is ended would end the process.
    this.pool.on('error', onProblem);
  }

  /**
   * Moves the bytes that a task has as its `body` to a thread: the caller's view of them is empty
   * afterwards. The rest of the task is copied.
   * @throws ThreadTimeoutError
   */
  async run(task: Task, deadline: Deadline, cancelled?: AbortSignal): Promise<Result> {
    const abort = new AbortController();
    // The deadline bounds waiting for a thread and the work together.
    const timer = setTimeout(() => abort.abort(), Math.max(1, deadline.remainingMs()));
    const signal = cancelled ? AbortSignal.any([abort.signal, cancelled]) : abort.signal;
    try {
      return await this.pool.run(task, { transferList: bytesOf(task), signal });
    } catch (error) {
      if (abort.signal.aborted || isOutOfMemory(error))
        throw new ThreadTimeoutError('The work took too long', { cause: error });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}

function bytesOf(task: { readonly body?: unknown }): ArrayBuffer[] {
  return ArrayBuffer.isView(task.body) ? [task.body.buffer as ArrayBuffer] : [];
}

/** The thread passed its heap limit and was ended. */
function isOutOfMemory(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return code === 'ERR_WORKER_OUT_OF_MEMORY';
}
