import type { TaskConsumer, TaskQueue } from '@app/broker';
import type { Runtime } from '@app/runtime';
import { EnrichmentCache, ImageStore } from '@app/scrape';
import { CrawlThrottle } from '../load/crawl-throttle.js';
import type { FetcherComponents } from '../open-components.js';
import { brandHandler } from './brand.consumer.js';
import { convertHandler } from './convert.consumer.js';
import { enrichHandler } from './enrich.consumer.js';
import { mapHandler } from './map.consumer.js';
import { scrapeHandler } from './scrape.consumer.js';
import { screenshotHandler } from './screenshot.consumer.js';
import { startCrawls } from './start-crawls.js';

type Ports = Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics' | 'queue' | 'blobs'>;

export interface Consumers {
  /** Of tasks that a caller waits for. */
  readonly interactive: readonly TaskConsumer[];
  readonly crawls: TaskConsumer;
}

/** Consumes every queue of the fetchers. */
export async function startConsumers(
  ports: Ports,
  components: FetcherComponents,
): Promise<Consumers> {
  const images = new ImageStore(ports.blobs, ports.log);
  const interactive = await startInteractive(ports, components, images);
  const throttle = new CrawlThrottle({
    isCallerWaiting: () => interactive.some(({ inFlight }) => inFlight > 0),
    delayMs: () => components.eventLoopDelay.delayMs,
  });
  const crawls = await startCrawls(ports, components, { images, throttle });
  return { interactive, crawls };
}

type InteractiveQueue = 'scrape' | 'screenshot' | 'convert' | 'map' | 'enrich' | 'brand';
type Handler = Parameters<TaskQueue['consume']>[1]['handler'];

async function startInteractive(
  ports: Ports,
  components: FetcherComponents,
  images: ImageStore,
): Promise<readonly TaskConsumer[]> {
  const { settings, queue } = ports;
  const consume = (
    name: InteractiveQueue,
    concurrency: number,
    handler: Handler,
  ): Promise<TaskConsumer> => queue.consume(name, { concurrency, isFair: true, handler });
  return [
    await consume('scrape', settings.scrapeConcurrency, scrapes(ports, components, images)),
    await consume(
      'screenshot',
      settings.screenshotConcurrency,
      screenshots(ports, components, images),
    ),
    await consume('convert', settings.convertConcurrency, conversions(ports, components)),
    await consume('map', settings.mapConcurrency, maps(ports, components)),
    await consume('enrich', settings.enrichConcurrency, enrichments(ports, components)),
    await consume('brand', settings.brandConcurrency, brandHandler({ ...ports, ...components })),
  ];
}

function scrapes(ports: Ports, components: FetcherComponents, images: ImageStore): Handler {
  const { llmBudgetMicroUsd, llmTimeoutMs } = ports.settings;
  const { blobs, log, metrics } = ports;
  const { pages, rungs, cache, models, brands } = components;
  return scrapeHandler({
    ...{ pages, blobs, log, rungs, images, metrics, cache, models, brands },
    ...{ llmBudgetMicroUsd, llmTimeoutMs },
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

function enrichments({ settings, blobs, log }: Ports, components: FetcherComponents): Handler {
  const { pages, scans, brands, cache, models } = components;
  const { llmBudgetMicroUsd, llmTimeoutMs } = settings;
  return enrichHandler({
    ...{ pages, scans, brands, blobs, log, models, llmBudgetMicroUsd, llmTimeoutMs },
    cache: cache && new EnrichmentCache(cache),
  });
}
