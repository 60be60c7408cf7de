import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Deadline } from '@app/contracts';
import type { ContentResult, ContentTask } from './content-task.js';

/** A page whose conversion did not end within its time or memory; its thread was ended with it. */
export class ContentTimeoutError extends Error {
  override readonly name = 'ContentTimeoutError';
}

const MAX_THREAD_HEAP_MB = 512;
/** Pages that may wait for a thread; the consumers' concurrency keeps it far below. */
const MAX_WAITING = 4_096;

/**
 * Threads that turn bytes into content, so that a heavy page never stops the event loop. A page that
 * hangs costs its thread, which is replaced.
 */
export class ContentPool {
  private readonly pool: Piscina<ContentTask, ContentResult>;

  constructor(options: { readonly threads: number }) {
    const threads = options.threads || Math.max(1, availableParallelism() - 1);
    this.pool = new Piscina<ContentTask, ContentResult>({
      filename: new URL('./content.worker.js', import.meta.url).href,
      minThreads: 1,
      maxThreads: threads,
      maxQueue: MAX_WAITING,
      idleTimeout: 60_000,
      concurrentTasksPerWorker: 1,
      resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_HEAP_MB },
    });
  }

  /** Moves `task.body` to a thread: the caller's view of it is empty afterwards. */
  async convert(task: ContentTask, deadline: Deadline): Promise<ContentResult> {
    const abort = new AbortController();
    // The page's deadline bounds waiting for a thread and conversion together.
    const timer = setTimeout(() => abort.abort(), Math.max(1, deadline.remainingMs()));
    try {
      return await this.pool.run(task, {
        transferList: [task.body.buffer as ArrayBuffer],
        signal: abort.signal,
      });
    } catch (error) {
      if (abort.signal.aborted || isOutOfMemory(error))
        throw new ContentTimeoutError('Conversion took too long', { cause: error });
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
