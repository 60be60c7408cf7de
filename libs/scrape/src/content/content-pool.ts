import type { Deadline } from '@app/contracts';
import { ThreadPool, type ThreadPoolOptions } from '../threads/thread-pool.js';
import type { ContentResult, PageTask } from './content-task.js';
import type { contentSteps } from './content.worker.js';

/** A longer page may take long to convert; most pages are shorter. */
const LARGE_BYTES = 300_000;

/**
 * A conversion stops between two steps once its CPU time is used up. One that hangs within a step is ended with
 * its thread after this multiple of that time.
 */
const HANGING_FACTOR = 2;

export interface ContentPoolOptions extends Pick<
  ThreadPoolOptions,
  'threads' | 'onProblem' | 'module'
> {
  /** CPU time limit of one conversion, milliseconds. */
  readonly maxCpuMs: number;
}

/**
 * Threads that turn pages into content. Interactive pages go before those of crawls, and tenants take turns.
 */
export class ContentPool {
  private readonly threads: ThreadPool<typeof contentSteps>;
  private readonly maxCpuMs: number;

  constructor({ maxCpuMs, ...options }: ContentPoolOptions) {
    this.maxCpuMs = maxCpuMs;
    this.threads = new ThreadPool({ ...options, kind: 'content', isWarm: true });
  }

  /**
   * Moves the body of the page to a thread: the caller's view of it is empty afterwards. The deadline bounds the
   * wait for a thread plus the work.
   * @throws ThreadTimeoutError; its problem is `work` if the page hung in a step of its conversion
   */
  run(page: PageTask, deadline: Deadline, signal?: AbortSignal): Promise<ContentResult> {
    const { maxCpuMs } = this;
    return this.threads.run(
      'convert',
      { ...page, maxCpuMs },
      {
        deadline,
        ...(signal ? { signal } : {}),
        tenantId: page.tenantId,
        urgency: page.crawl === null && !page.isBackground ? 'interactive' : 'crawl',
        isLarge: page.body.byteLength > LARGE_BYTES,
        maxCpuMs: HANGING_FACTOR * maxCpuMs,
      },
    );
  }

  close(): Promise<void> {
    return this.threads.close();
  }
}
