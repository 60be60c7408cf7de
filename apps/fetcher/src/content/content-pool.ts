import type { Deadline } from '@app/contracts';
import { Slots } from '../threads/slots.js';
import { threadCount } from '../threads/thread-count.js';
import { ThreadPool, ThreadTimeoutError } from '../threads/thread-pool.js';
import type { ContentResult, ContentTask } from './content-task.js';

const MAX_THREAD_HEAP_MB = 512;

/**
 * Threads that turn pages into content. Who waits for a thread waits here and not in the pool, so that
 * what somebody waits for is converted before the pages of crawls.
 */
export class ContentPool {
  private readonly slots: Slots;

  constructor(
    private readonly threads: ThreadPool<ContentTask, ContentResult>,
    count: number,
  ) {
    this.slots = new Slots(count);
  }

  /**
   * Moves the body of the page to a thread: the caller's view of it is empty afterwards. The deadline
   * bounds waiting for a thread and the work together.
   * @throws ThreadTimeoutError
   */
  async run(task: ContentTask, deadline: Deadline, signal?: AbortSignal): Promise<ContentResult> {
    const urgency = task.crawl === null && !task.isPatient ? 'interactive' : 'crawl';
    if (!(await this.slots.acquire(deadline, signal, urgency))) {
      signal?.throwIfAborted();
      throw new ThreadTimeoutError('No thread was free in time');
    }
    try {
      return await this.threads.run(task, deadline, signal);
    } finally {
      this.slots.release();
    }
  }

  close(): Promise<void> {
    return this.threads.close();
  }
}

/**
 * @param threads 0: one less than the processors
 * @param onProblem told of a thread that broke without a page
 */
export function openContentPool(threads: number, onProblem: (error: unknown) => void): ContentPool {
  const maxThreads = threadCount(threads);
  const pool = new ThreadPool<ContentTask, ContentResult>({
    module: new URL('./content.worker.js', import.meta.url),
    maxThreads,
    maxHeapMb: MAX_THREAD_HEAP_MB,
    onProblem,
  });
  return new ContentPool(pool, maxThreads);
}
