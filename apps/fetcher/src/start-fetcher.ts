import type { TaskConsumer } from '@app/broker';
import { Deadline } from '@app/contracts';
import { RobotsCache } from '@app/fetch';
import type { Runtime } from '@app/runtime';
import {
  isWall,
  type Converters,
  BrandPool,
  BrandReader,
  ContentPool,
  EnrichmentCache,
  FileCache,
  FileReader,
  HostMemory,
  ImageStore,
  ReadingThreads,
  SitemapFetcher,
  SitemapPool,
  PageCache,
  PageFetcher,
  ROBOTS_RETRY_MS,
  RobotsGate,
  openTechScans,
  type TechScans,
} from '@app/scrape';
import { brandHandler } from './consumers/brand.consumer.js';
import { convertHandler } from './consumers/convert.consumer.js';
import { CrawlCourtesy } from './load/crawl-throttle.js';
import { crawlHandler } from './consumers/crawl.consumer.js';
import { enrichHandler } from './consumers/enrich.consumer.js';
import {
  JobScreenshots,
  LeaseKeeper,
  PageClaims,
  StoredDocuments,
  StoredPages,
  ResultWriter,
  SitemapPages,
  type SitemapReader,
} from '@app/jobs';
import { LoadGovernor } from './load/load-governor.js';
import { LoopLateness } from './load/event-loop-delay.js';
import { mapHandler } from './consumers/map.consumer.js';
import { openOutbound, type Outbound } from './outbound/open-outbound.js';
import { scrapeHandler } from './consumers/scrape.consumer.js';
import { screenshotHandler } from './consumers/screenshot.consumer.js';

/** Judging a page for a wall takes no longer; past it the page counts as none. */
const WALL_CHECK_MS = 5_000;
const MIB = 1024 ** 2;
const HOUR_MS = 3_600_000;

export interface RunningFetcher {
  /** Resolves when the first browser is ready, or could not be started, and was logged. */
  readonly warm: Promise<void>;
  /** Takes nothing new and finishes what is in flight; the rest goes back to the queue. */
  drain(timeoutMs: number): Promise<{ readonly abandoned: number }>;
  close(): Promise<void>;
}

/** Wires the fetcher and starts to consume once the database is ready. */
export async function startFetcher(runtime: Runtime): Promise<RunningFetcher> {
  const { settings, metrics, store, log } = runtime;
  if (settings.fetchAllowPrivate !== '') {
    log.warn({ fetchAllowPrivate: settings.fetchAllowPrivate }, 'private targets may be fetched');
  }
  const content = new ContentPool({
    threads: settings.contentThreads,
    maxCpuMs: settings.contentCpuMs,
    onProblem: (err) => log.error({ err }, 'a content thread broke'),
  });
  const reading = new ReadingThreads({
    threads: settings.contentThreads,
    onProblem: (what, err) => log.error({ err, what }, 'a step of reading a page failed'),
  });
  const sitemapPool = new SitemapPool((err) => log.error({ err }, 'a sitemap thread broke'));
  const brandPool = new BrandPool(settings.contentThreads, (err) =>
    log.error({ err }, 'a brand thread broke'),
  );
  const outbound = await openOutbound(runtime, reading, (page) =>
    isWall(content, page, Deadline.after(WALL_CHECK_MS)),
  );
  const { http, rungs, models } = outbound;
  const cache = openCache(runtime);
  const files = new FileReader({
    threads: settings.fileThreads,
    maxPages: settings.fileMaxPages,
    models,
    hasVision: settings.llmModelVision !== '',
    budgetMicroUsd: settings.llmBudgetMicroUsd,
    cache: cache && new FileCache(cache),
  });
  const converters = { content, files };
  const robots = new RobotsCache({
    http,
    agentToken: robotsAgent(settings.userAgent),
    unreachableTtlMs: ROBOTS_RETRY_MS,
  });
  const { fetchMaxBytes: maxBytes, costCeilingMicroUsd } = settings;
  const gate = new RobotsGate(robots, metrics);
  const pageOptions = {
    rungs,
    robots: gate,
    converters,
    hosts: new HostMemory({
      store,
      ttlMs: settings.hostMemorySeconds * 1_000,
      onProblem: (what, err) => log.warn({ err, what }, 'the memory of hosts does not answer'),
    }),
    metrics,
    maxBytes,
    costCeilingMicroUsd,
  };
  const pages = new PageFetcher(pageOptions);
  await runtime.storeReady;
  const leases = new LeaseKeeper(store, log, settings.leaseMs);
  const lateness = new LoopLateness();
  const { crawls, ...others } = await startConsumers(runtime, {
    rungs,
    models,
    converters,
    cache,
    pages,
    scans: openTechScans(runtime, pageOptions),
    brands: new BrandReader({ pages, http, pool: brandPool }),
    sitemaps: sitemapPages(runtime, rungs, gate, sitemapPool),
    gate,
    sitemapFetcher: new SitemapFetcher({ http, robots: gate, pool: sitemapPool }),
    leases,
    lateness,
  });
  const governor = new LoadGovernor(crawls, settings.crawlConcurrency);
  await governor.start();
  return {
    warm: outbound.warm,
    async drain(timeoutMs) {
      await governor.stop();
      const consumers = [...Object.values(others), crawls];
      const drained = await Promise.all(consumers.map((one) => one.drain(timeoutMs)));
      const abandoned = drained.reduce((sum, one) => sum + one.abandoned, 0);
      metrics.drainAbandoned.inc(abandoned);
      return { abandoned };
    },
    async close() {
      leases.close();
      lateness.close();
      await outbound.close();
      await content.close();
      await reading.close();
      await files.close();
      await sitemapPool.close();
      await brandPool.close();
    },
  };
}

interface Workings {
  readonly rungs: Outbound['rungs'];
  readonly models: Outbound['models'];
  readonly converters: Converters;
  readonly cache: PageCache | null;
  readonly pages: PageFetcher;
  readonly scans: TechScans;
  readonly brands: BrandReader;
  readonly sitemaps: SitemapPages;
  readonly gate: RobotsGate;
  readonly sitemapFetcher: SitemapFetcher;
  readonly leases: LeaseKeeper;
  readonly lateness: LoopLateness;
}

/** Of what somebody waits for. */
interface PromptConsumers {
  readonly scrapes: TaskConsumer;
  readonly screenshots: TaskConsumer;
  readonly conversions: TaskConsumer;
  readonly maps: TaskConsumer;
  readonly enrichments: TaskConsumer;
  readonly brandings: TaskConsumer;
}

interface Consumers extends PromptConsumers {
  readonly crawls: TaskConsumer;
}

async function startConsumers(
  runtime: Pick<Runtime, 'store' | 'settings' | 'log' | 'metrics' | 'queue' | 'blobs'>,
  workings: Workings,
): Promise<Consumers> {
  const images = new ImageStore(runtime.blobs, runtime.log);
  const prompt = await startPromptConsumers(runtime, workings, images);
  const waitedFor = Object.values({ ...prompt });
  const courtesy = new CrawlCourtesy({
    isAnybodyWaiting: () => waitedFor.some(({ inFlight }) => inFlight > 0),
    lateMs: () => workings.lateness.lateMs,
  });
  return { ...prompt, crawls: await startCrawls(runtime, workings, { images, courtesy }) };
}

async function startPromptConsumers(
  runtime: Pick<Runtime, 'settings' | 'log' | 'metrics' | 'queue' | 'blobs'>,
  workings: Workings,
  images: ImageStore,
): Promise<PromptConsumers> {
  const { rungs, models, converters, cache, pages, gate, sitemapFetcher, scans, brands } = workings;
  const { settings, metrics, blobs, queue, log } = runtime;
  const { fetchMaxBytes: maxBytes, costCeilingMicroUsd, llmTimeoutMs } = settings;
  const { llmBudgetMicroUsd } = settings;
  const scrapes = await queue.consume('scrape', {
    concurrency: settings.scrapeConcurrency,
    isFair: true,
    handler: scrapeHandler({
      pages,
      blobs,
      log,
      rungs,
      images,
      metrics,
      cache,
      models,
      brands,
      llmBudgetMicroUsd,
      llmTimeoutMs,
    }),
  });
  const screenshots = await queue.consume('screenshot', {
    concurrency: settings.screenshotConcurrency,
    isFair: true,
    handler: screenshotHandler({
      rungs,
      images,
      blobs,
      log,
      metrics,
      maxBytes,
      costCeilingMicroUsd,
    }),
  });
  const conversions = await queue.consume('convert', {
    concurrency: settings.convertConcurrency,
    isFair: true,
    handler: convertHandler({
      ...converters,
      blobs,
      log,
      models,
      // A route takes what the larger of the two limits allows.
      maxBytes: Math.max(settings.uploadMaxBytes, settings.bodyLimitBytes),
      budgetMicroUsd: llmBudgetMicroUsd,
      llmTimeoutMs,
    }),
  });
  const maps = await queue.consume('map', {
    concurrency: settings.mapConcurrency,
    isFair: true,
    handler: mapHandler({ pages, robots: gate, sitemaps: sitemapFetcher, blobs, log }),
  });
  const enrichments = await queue.consume('enrich', {
    concurrency: settings.enrichConcurrency,
    isFair: true,
    handler: enrichHandler({
      pages,
      scans,
      brands,
      blobs,
      log,
      cache: cache && new EnrichmentCache(cache),
      models,
      llmBudgetMicroUsd,
      llmTimeoutMs,
    }),
  });
  const brandings = await queue.consume('brand', {
    concurrency: settings.brandConcurrency,
    isFair: true,
    handler: brandHandler({ brands, blobs, log }),
  });
  return { scrapes, screenshots, conversions, maps, enrichments, brandings };
}

function startCrawls(
  runtime: Pick<Runtime, 'store' | 'settings' | 'log' | 'metrics' | 'queue' | 'blobs'>,
  { models, converters, pages, sitemaps, leases }: Workings,
  { images, courtesy }: { readonly images: ImageStore; readonly courtesy: CrawlCourtesy },
): Promise<TaskConsumer> {
  const { settings, store, blobs, queue, log } = runtime;
  return queue.consume('crawl', {
    concurrency: settings.crawlConcurrency,
    handler: crawlHandler({
      claims: new PageClaims(store, settings.leaseMs),
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
      courtesy,
      log,
      fetchTimeoutMs: settings.fetchTimeoutMs,
      robotsAgent: robotsAgent(settings.userAgent),
      maxAttempts: settings.pageAttempts,
    }),
  });
}

function sitemapPages(
  { settings }: Pick<Runtime, 'settings'>,
  rungs: Outbound['rungs'],
  robots: RobotsGate,
  reader: SitemapReader,
): SitemapPages {
  const rung = rungs.find((one) => one.rung === 'plain');
  if (!rung) throw new Error('there is no plain rung, which every configuration has');
  const { fetchTimeoutMs, pageAttempts: maxAttempts } = settings;
  return new SitemapPages({ rung, robots, reader, fetchTimeoutMs, maxAttempts });
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
    store,
    blobs,
    metrics,
    log,
    settings,
  }: Pick<Runtime, 'store' | 'settings' | 'log' | 'metrics' | 'blobs'>,
  leases: LeaseKeeper,
): ResultWriter {
  const hostWindow = { start: settings.hostWindowStart, max: settings.hostWindowMax };
  const inWork = (jobId: string): number => leases.countOf(jobId);
  return new ResultWriter({ store, blobs, metrics, log, hostWindow, inWork });
}

/** Null when it is switched off. */
function openCache({
  store,
  blobs,
  settings,
  log,
}: Pick<Runtime, 'store' | 'settings' | 'log' | 'blobs'>): PageCache | null {
  if (settings.cacheMaxMib === 0) return null;
  return new PageCache({
    store,
    blobs,
    maxBytesPerTenant: settings.cacheMaxMib * MIB,
    ttlMs: settings.cacheHours * HOUR_MS,
    onProblem: (what, err) => log.warn({ err, what }, 'the page cache does not answer'),
  });
}

/** The name robots.txt rules are looked up by: the product token of the user agent (RFC 9309, 2.2.1). */
export function robotsAgent(userAgent: string): string {
  return /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? 'TrawlBot';
}
