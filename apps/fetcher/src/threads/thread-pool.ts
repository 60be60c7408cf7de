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
}

/** Tasks that may wait for a thread; the consumers' concurrency keeps it far below. */
const MAX_WAITING = 4_096;
const IDLE_MS = 60_000;

/**
 * Threads that turn bytes into content, so that heavy work never stops the event loop. What hangs
 * costs its thread, which is replaced.
 */
export class ThreadPool<Task extends { readonly body: Uint8Array }, Result> {
  private readonly pool: Piscina<Task, Result>;

  constructor({ module, maxThreads, maxHeapMb, isWarm = true }: ThreadPoolOptions) {
    this.pool = new Piscina<Task, Result>({
      filename: module.href,
      minThreads: isWarm ? 1 : 0,
      maxThreads,
      maxQueue: MAX_WAITING,
      idleTimeout: IDLE_MS,
      concurrentTasksPerWorker: 1,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
  }

  /**
   * Moves `task.body` to a thread: the caller's view of it is empty afterwards.
   * @throws ThreadTimeoutError
   */
  async run(task: Task, deadline: Deadline, cancelled?: AbortSignal): Promise<Result> {
    const abort = new AbortController();
    // The deadline bounds waiting for a thread and the work together.
    const timer = setTimeout(() => abort.abort(), Math.max(1, deadline.remainingMs()));
    const signal = cancelled ? AbortSignal.any([abort.signal, cancelled]) : abort.signal;
    try {
      return await this.pool.run(task, {
        transferList: [task.body.buffer as ArrayBuffer],
        signal,
      });
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

/** The thread passed its heap limit and was ended. */
function isOutOfMemory(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return code === 'ERR_WORKER_OUT_OF_MEMORY';
}
