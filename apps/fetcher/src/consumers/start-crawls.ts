import type { TaskConsumer } from '@app/broker';
import {
  JobScreenshots,
  PageClaims,
  RepeatedParts,
  ResultWriter,
  StoredDocuments,
  StoredPages,
  type PageLeases,
} from '@app/jobs';
import type { Runtime } from '@app/runtime';
import type { Converters, ImageStore } from '@app/scrape';
import type { CrawlThrottle } from '../load/crawl-throttle.js';
import type { FetcherComponents } from '../open-components.js';
import type { Outbound } from '../outbound/open-outbound.js';
import { robotsAgent } from '../robots-agent.js';
import { crawlHandler } from './crawl.consumer.js';

/** Consumes the pages of jobs. */
export function startCrawls(
  runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics' | 'queue' | 'blobs'>,
  { models, converters, pages, sitemaps, leases }: FetcherComponents,
  { images, throttle }: { readonly images: ImageStore; readonly throttle: CrawlThrottle },
): Promise<TaskConsumer> {
  const { settings, database, blobs, queue, log } = runtime;
  return queue.consume('crawl', {
    concurrency: settings.crawlConcurrency,
    handler: crawlHandler({
      claims: new PageClaims(database, settings.leaseMs),
      leases,
      pages,
      sitemaps,
      screenshots: new JobScreenshots({
        images,
        blobs,
        hasStorage: settings.storageUrl?.startsWith('s3+') ?? false,
      }),
      stored: storedPages(runtime, converters, models),
      writer: resultWriter(runtime, leases),
      repeated: new RepeatedParts(),
      throttle,
      log,
      fetchTimeoutMs: settings.fetchTimeoutMs,
      robotsAgent: robotsAgent(settings.userAgent),
      maxAttempts: settings.pageAttempts,
    }),
  });
}

function storedPages(
  { settings, blobs, log }: Pick<Runtime, 'settings' | 'log' | 'blobs'>,
  { content }: Converters,
  models: Outbound['models'],
): StoredPages {
  const { fetchTimeoutMs, llmBudgetMicroUsd, llmTimeoutMs, pageAttempts } = settings;
  return new StoredPages({
    documents: new StoredDocuments(blobs, log),
    content,
    models,
    llmBudgetMicroUsd,
    llmTimeoutMs,
    convertTimeoutMs: fetchTimeoutMs,
    maxAttempts: pageAttempts,
  });
}

function resultWriter(
  {
    database,
    blobs,
    metrics,
    log,
    settings,
  }: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics' | 'blobs'>,
  leases: PageLeases,
): ResultWriter {
  const hostWindow = { start: settings.hostWindowStart, max: settings.hostWindowMax };
  const inWork = (jobId: string): number => leases.countOf(jobId);
  return new ResultWriter({ database, blobs, metrics, log, hostWindow, inWork });
}
