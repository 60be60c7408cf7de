import type { Deadline } from '@app/contracts';
import { threadCount } from '../threads/thread-count.js';
import { ThreadPool } from '../threads/thread-pool.js';
import type { ContentResult, ContentTask, PageTask } from './content-task.js';

const MAX_THREAD_HEAP_MB = 512;
/** A longer page may take long to convert; most pages are shorter. */
const LARGE_BYTES = 300_000;

/**
 * A conversion stops between two steps once its CPU time is used up. One that hangs within a step is ended with
 * its thread after this multiple of that time.
 */
const HANGING_FACTOR = 2;

export interface ContentPoolOptions {
  /** 0: one per processor, at least two. */
  readonly threads: number;
  /** CPU time limit of one conversion, milliseconds. */
  readonly maxCpuMs: number;
  /** Called when a thread without a page broke. */
  readonly onProblem: (error: unknown) => void;
  /** The module that the threads run. @default content.worker.js */
  readonly module?: URL;
}

/**
 * Threads that turn pages into content. Interactive pages go before those of crawls, and tenants take turns.
 */
export class ContentPool {
  private readonly threads: ThreadPool<ContentTask, ContentResult>;
  private readonly maxCpuMs: number;

  constructor({ threads, maxCpuMs, onProblem, module }: ContentPoolOptions) {
    this.maxCpuMs = maxCpuMs;
    this.threads = new ThreadPool({
      module: module ?? new URL('./content.worker.js', import.meta.url),
      maxThreads: threadCount(threads),
      keepsOne: true,
      maxHeapMb: MAX_THREAD_HEAP_MB,
      onProblem,
    });
  }

  /**
   * Moves the body of the page to a thread: the caller's view of it is empty afterwards. The deadline bounds the
   * wait for a thread plus the work.
   * @throws ThreadTimeoutError; its problem is `work` if the page hung in a step of its conversion
   */
  run(page: PageTask, deadline: Deadline, signal?: AbortSignal): Promise<ContentResult> {
    const { maxCpuMs } = this;
    return this.threads.run(
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
