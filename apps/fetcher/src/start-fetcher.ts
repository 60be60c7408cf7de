import { HttpClient } from '@app/egress';
import { PlainRung, RobotsCache } from '@app/fetch';
import { createGuard, type Runtime } from '@app/runtime';
import { ContentPool } from './content/content-pool.js';
import { crawlHandler } from './crawl.consumer.js';
import { LeaseKeeper } from './lease-keeper.js';
import { LoadGovernor } from './load-governor.js';
import { PageClaims } from './page-claims.js';
import { PageFetcher, ROBOTS_RETRY_MS } from './page-fetcher.js';
import { ResultWriter } from './result-writer.js';
import { scrapeHandler } from './scrape.consumer.js';

export interface RunningFetcher {
  /** Takes nothing new and finishes what is in flight; the rest goes back to the queue. */
  drain(timeoutMs: number): Promise<{ readonly abandoned: number }>;
  close(): Promise<void>;
}

/** Wires the fetcher and starts to consume once the database is ready. */
export async function startFetcher(runtime: Runtime): Promise<RunningFetcher> {
  const { settings, metrics, store, blobs, queue, log } = runtime;
  if (settings.fetchAllowPrivate !== '') {
    log.warn({ fetchAllowPrivate: settings.fetchAllowPrivate }, 'private targets may be fetched');
  }
  const guard = createGuard(settings, metrics);
  const http = new HttpClient({ guard, userAgent: settings.userAgent });
  const content = new ContentPool({ threads: settings.contentThreads });
  const pages = new PageFetcher({
    rungs: [new PlainRung(http)],
    robots: new RobotsCache({
      http,
      agentToken: robotsAgent(settings.userAgent),
      unreachableTtlMs: ROBOTS_RETRY_MS,
    }),
    content,
    metrics,
    maxBytes: settings.fetchMaxBytes,
  });
  await runtime.storeReady;
  const leases = new LeaseKeeper(store, log, settings.leaseMs);
  const writer = new ResultWriter({
    store,
    blobs,
    metrics,
    log,
    hostWindow: { start: settings.hostWindowStart, max: settings.hostWindowMax },
  });
  const scrapes = await queue.consume('scrape', {
    concurrency: settings.scrapeConcurrency,
    handler: scrapeHandler({ pages, blobs }),
  });
  const crawls = await queue.consume('crawl', {
    concurrency: settings.crawlConcurrency,
    handler: crawlHandler({
      claims: new PageClaims(store, settings.leaseMs),
      leases,
      pages,
      writer,
      log,
      fetchTimeoutMs: settings.fetchTimeoutMs,
      maxAttempts: settings.pageAttempts,
    }),
  });
  const governor = new LoadGovernor(crawls, settings.crawlConcurrency);
  await governor.start();
  return {
    async drain(timeoutMs) {
      await governor.stop();
      const drained = await Promise.all([scrapes.drain(timeoutMs), crawls.drain(timeoutMs)]);
      const abandoned = drained.reduce((sum, one) => sum + one.abandoned, 0);
      metrics.drainAbandoned.inc(abandoned);
      return { abandoned };
    },
    async close() {
      leases.close();
      await http.close();
      await content.close();
    },
  };
}

/** The name robots.txt rules are looked up by: the product token of the user agent (RFC 9309, 2.2.1). */
export function robotsAgent(userAgent: string): string {
  return /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? 'TrawlBot';
}
