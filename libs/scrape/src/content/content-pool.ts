import type { Deadline, MarkdownParts } from '@app/contracts';
import { ThreadPool, type ThreadPoolOptions, type ThreadTerms } from '../threads/thread-pool.js';
import type { ContentResult, PageTask } from './content-task.js';
import type { PartsTask, StoredPartsTask } from './page-parts.js';
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

type PartsTerms = Pick<ThreadTerms, 'deadline' | 'signal' | 'tenantId'>;

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

  /** @throws ThreadTimeoutError */
  parts(task: PartsTask, terms: PartsTerms): Promise<MarkdownParts> {
    return this.threads.run('parts', task, this.termsOf(terms, task.markdown.length));
  }

  /** @returns null: the page has none @throws ThreadTimeoutError */
  storedParts(task: StoredPartsTask, terms: PartsTerms): Promise<MarkdownParts | null> {
    return this.threads.run('storedParts', task, this.termsOf(terms, task.document.byteLength));
  }

  private termsOf(terms: PartsTerms, bytes: number): ThreadTerms {
    const maxCpuMs = HANGING_FACTOR * this.maxCpuMs;
    return { ...terms, urgency: 'interactive', isLarge: bytes > LARGE_BYTES, maxCpuMs };
  }

  close(): Promise<void> {
    return this.threads.close();
  }
}
