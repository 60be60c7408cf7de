import type { PageBrand } from '@app/company';
import { ThreadPool, type ThreadTerms } from '../threads/thread-pool.js';
import { threadCount } from '../threads/thread-count.js';
import type {
  BrandPage,
  BrandParts,
  BrandThreadResult,
  BrandThreadTask,
  PageBranding,
  PageOutline,
} from './brand-task.js';

/** A page and the 3 million characters of CSS that are read for it, with their rules. */
const MAX_THREAD_HEAP_MB = 512;

/**
 * Threads that read brands. They are separate from those for pages, so that a page with 3 MB of CSS never delays
 * a scrape.
 */
export class BrandPool {
  private readonly threads: ThreadPool<BrandThreadTask, BrandThreadResult>;

  /**
   * @param threads 0: one per processor, at least two
   * @param onProblem called when a thread without a page broke
   */
  constructor(threads: number, onProblem: (error: unknown) => void) {
    this.threads = new ThreadPool({
      module: new URL('./brand.worker.js', import.meta.url),
      maxThreads: threadCount(threads),
      keepsOne: true,
      maxHeapMb: MAX_THREAD_HEAP_MB,
      isWarm: false,
      onProblem,
    });
  }

  /** @throws ThreadTimeoutError */
  async outline(page: BrandPage, terms: ThreadTerms): Promise<PageOutline> {
    const { html, url } = page;
    const task = { kind: 'outline', html, url } as const;
    return (await this.threads.run(task, terms)) as PageOutline;
  }

  /** @throws ThreadTimeoutError */
  async read({ html, url }: BrandPage, parts: BrandParts, terms: ThreadTerms): Promise<PageBrand> {
    const task = { kind: 'read', html, url, ...parts } as const;
    return (await this.threads.run(task, terms)) as PageBrand;
  }

  /** @throws ThreadTimeoutError */
  async branding(
    { html, url }: BrandPage,
    sheets: BrandParts['sheets'],
    terms: ThreadTerms,
  ): Promise<PageBranding> {
    const task = { kind: 'branding', html, url, sheets } as const;
    return (await this.threads.run(task, terms)) as PageBranding;
  }

  close(): Promise<void> {
    return this.threads.close();
  }
}
