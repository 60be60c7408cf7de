import type { TaskConsumer, TaskQueue } from '@app/broker';
import { FETCHER_QUEUES } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { EnrichmentCache, ImageStore, type Converters } from '@app/scrape';
import {
  JobScreenshots,
  PageClaims,
  RepeatedParts,
  ResultWriter,
  StoredDocuments,
  StoredPages,
  takeScreenshotRoom,
  type PageLeases,
} from '@app/jobs';
import { CrawlThrottle } from '../load/crawl-throttle.js';
import type { FetcherComponents } from '../open-components.js';
import { brandHandler } from './brand.consumer.js';
import { convertHandler } from './convert.consumer.js';
import { enrichHandler } from './enrich.consumer.js';
import { mapHandler } from './map.consumer.js';
import { scrapeHandler } from './scrape.consumer.js';
import { screenshotHandler } from './screenshot.consumer.js';
import { searchHandler } from './search.consumer.js';
import type { Outbound } from '../outbound/open-outbound.js';
import { robotsAgent } from '../robots-agent.js';
import { crawlHandler } from './crawl.consumer.js';

type FetcherQueue = (typeof FETCHER_QUEUES)[number];
type Ports = Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics' | 'queue' | 'blobs'>;

export interface Consumers {
  /** Of tasks that a caller waits for. */
  readonly interactive: readonly TaskConsumer[];
  /** Null if this fetcher takes no pages of crawls. */
  readonly crawls: TaskConsumer | null;
}

/** Consumes the queues of FETCHER_QUEUES. */
export async function startConsumers(
  ports: Ports,
  components: FetcherComponents,
): Promise<Consumers> {
  const { database, blobs, log } = ports;
  const { fetcherQueues, resultDays } = ports.settings;
  const images = new ImageStore({
    ...{ blobs, log },
    takeRoom: (image) => takeScreenshotRoom(database, image, resultDays),
  });
  const queues: readonly FetcherQueue[] = fetcherQueues.length > 0 ? fetcherQueues : FETCHER_QUEUES;
  const interactive = await startInteractive(ports, components, images, queues);
  const throttle = new CrawlThrottle({
    isCallerWaiting: () => interactive.some(({ inFlight }) => inFlight > 0),
    delayMs: () => components.eventLoopDelay.delayMs,
  });
  const crawls = queues.includes('crawl')
    ? await startCrawls(ports, components, { images, throttle })
    : null;
  return { interactive, crawls };
}

type InteractiveQueue = Exclude<FetcherQueue, 'crawl'>;
type Handler = Parameters<TaskQueue['consume']>[1]['handler'];
interface Work {
  readonly concurrency: number;
  readonly handler: Handler;
}

async function startInteractive(
  ports: Ports,
  components: FetcherComponents,
  images: ImageStore,
  queues: readonly FetcherQueue[],
): Promise<readonly TaskConsumer[]> {
  const work = interactiveWork(ports, components, images);
  const consumers: TaskConsumer[] = [];
  for (const name of queues)
    if (name !== 'crawl')
      consumers.push(await ports.queue.consume(name, { ...work[name], isFair: true }));
  return consumers;
}

function interactiveWork(
  ports: Ports,
  components: FetcherComponents,
  images: ImageStore,
): Readonly<Record<InteractiveQueue, Work>> {
  const { scrapeConcurrency, callConcurrency: concurrency } = ports.settings;
  return {
    scrape: { concurrency: scrapeConcurrency, handler: scrapes(ports, components, images) },
    screenshot: { concurrency, handler: screenshots(ports, components, images) },
    convert: { concurrency, handler: conversions(ports, components) },
    map: { concurrency, handler: maps(ports, components) },
    enrich: { concurrency, handler: enrichments(ports, components) },
    brand: { concurrency, handler: brandHandler({ ...ports, ...components }) },
    search: { concurrency, handler: searches(ports, components) },
  };
}

function scrapes(ports: Ports, components: FetcherComponents, images: ImageStore): Handler {
  const { llmBudgetMicroUsd, llmTimeoutMs } = ports.settings;
  const { blobs, log, metrics } = ports;
  const { pages, rungs, cache, models, brands, converters, logins } = components;
  return scrapeHandler({
    ...{ pages, blobs, log, rungs, images, metrics, cache, models, brands },
    ...{ content: converters.content, llmBudgetMicroUsd, llmTimeoutMs },
    sealLogin: (...login) => logins.sealLogin(...login),
  });
}

function screenshots(
  { settings, blobs, log, metrics }: Ports,
  { rungs }: FetcherComponents,
  images: ImageStore,
): Handler {
  const { fetchMaxBytes: maxBytes, costCeilingMicroUsd } = settings;
  return screenshotHandler({ rungs, images, blobs, log, metrics, maxBytes, costCeilingMicroUsd });
}

function conversions(
  { settings, blobs, log }: Ports,
  { converters, models }: FetcherComponents,
): Handler {
  return convertHandler({
    ...converters,
    ...{ blobs, log, models },
    // A route allows the larger of the two limits.
    maxBytes: Math.max(settings.uploadMaxBytes, settings.bodyLimitBytes),
    budgetMicroUsd: settings.llmBudgetMicroUsd,
    llmTimeoutMs: settings.llmTimeoutMs,
  });
}

function maps({ blobs, log }: Ports, components: FetcherComponents): Handler {
  const { pages, gate, sitemapFetcher } = components;
  return mapHandler({ pages, robots: gate, sitemaps: sitemapFetcher, blobs, log });
}

function searches(
  { settings, blobs, log, metrics }: Ports,
  components: FetcherComponents,
): Handler {
  const { search, scrapers, guard, models } = components;
  const { llmBudgetMicroUsd } = settings;
  return searchHandler({ search, scrapers, guard, models, metrics, blobs, log, llmBudgetMicroUsd });
}

function enrichments({ settings, blobs, log }: Ports, components: FetcherComponents): Handler {
  const { pages, scans, brands, cache, models } = components;
  const { llmBudgetMicroUsd, llmTimeoutMs } = settings;
  return enrichHandler({
    ...{ pages, scans, brands, blobs, log, models, llmBudgetMicroUsd, llmTimeoutMs },
    cache: cache && new EnrichmentCache(cache),
  });
}

/** Consumes the pages of jobs. */
function startCrawls(
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
