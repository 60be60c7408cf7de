import type { SitemapFile } from '@app/crawl';
import { ThreadPool, type ThreadTerms } from '../threads/thread-pool.js';
import type {
  FetchedSitemap,
  LinkFilter,
  SitemapReading,
  SitemapResult,
  SitemapTask,
} from './sitemap-task.js';

/** Two, so that one file of the maximum size does not delay all others. */
const THREADS = 2;
/** Memory that does not grow with a file, and the 50,000 addresses that it may list. */
const MAX_THREAD_HEAP_MB = 256;

/** Threads that read sitemaps: 50 MB of XML take a second or two of CPU. */
export class SitemapPool {
  private readonly threads: ThreadPool<SitemapTask, SitemapResult>;

  /** @param onProblem called when a thread without a file broke */
  constructor(onProblem: (error: unknown) => void) {
    this.threads = new ThreadPool({
      module: new URL('./sitemap.worker.js', import.meta.url),
      maxThreads: THREADS,
      maxHeapMb: MAX_THREAD_HEAP_MB,
      isWarm: false,
      onProblem,
    });
  }

  /** Everything the file lists. `body` is empty afterwards. @throws ThreadTimeoutError */
  async read(file: FetchedSitemap, terms: ThreadTerms): Promise<SitemapFile> {
    return (await this.threads.run({ ...file, filter: null }, terms)) as SitemapFile;
  }

  /** The part of the file that the map needs. `body` is empty afterwards. @throws ThreadTimeoutError */
  async readForMap(
    file: FetchedSitemap,
    filter: LinkFilter,
    terms: ThreadTerms,
  ): Promise<SitemapReading> {
    return (await this.threads.run({ ...file, filter }, terms)) as SitemapReading;
  }

  async close(): Promise<void> {
    await this.threads.close();
  }
}
