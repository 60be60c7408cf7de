import { Deadline } from '@app/contracts';
import { RobotsCache, UseFiles } from '@app/fetch';
import { PageLeases, SitemapPages } from '@app/jobs';
import { OpenProfiles, ProfileBox } from '@app/profiles';
import type { Runtime } from '@app/runtime';
import {
  type BrandSteps,
  BrandReader,
  ContentPool,
  FileCache,
  FileReader,
  HostMemory,
  isWall,
  openTechScans,
  PageCache,
  PageFetcher,
  ReadingThreads,
  ResultThreads,
  ROBOTS_RETRY_MS,
  RobotsGate,
  SitemapFetcher,
  type SitemapSteps,
  SiteUses,
  ThreadPool,
  type Converters,
  type TechScans,
} from '@app/scrape';
import { parseSealingKeys } from '@app/secrets';
import { EventLoopDelay } from './load/event-loop-delay.js';
import { directoryFetcher } from './outbound/fetch-directory-page.js';
import { openOutbound, type Outbound } from './outbound/open-outbound.js';
import { openScrapers, type Scrapers } from './outbound/open-scrapers.js';
import { robotsAgent } from './robots-agent.js';

/** Time limit of the bot wall check; after it the page does not count as a wall. */
const WALL_CHECK_MS = 5_000;
const MIB = 1024 ** 2;
const HOUR_MS = 3_600_000;
/** CPU time of the conversion of one page; the result is then partial (`max_cpu`). */
const MAX_CONTENT_CPU_MS = 5_000;
/** Pages read of one PDF; the result names the cut. */
const MAX_FILE_PAGES = 1_000;
/** How long the fetch method that worked for a host is tried first. */
const HOST_MEMORY_MS = 30 * 60_000;

/** The components that task handlers need. */
export interface FetcherComponents {
  readonly rungs: Outbound['rungs'];
  readonly models: Outbound['models'];
  readonly search: Outbound['search'];
  readonly scrapers: Scrapers;
  readonly guard: Outbound['guard'];
  readonly converters: Converters;
  readonly cache: PageCache | null;
  readonly pages: PageFetcher;
  readonly scans: TechScans;
  readonly brands: BrandReader;
  readonly sitemaps: SitemapPages;
  readonly gate: RobotsGate;
  readonly sitemapFetcher: SitemapFetcher;
  readonly leases: PageLeases;
  readonly logins: OpenProfiles;
  readonly eventLoopDelay: EventLoopDelay;
}

export interface OpenedComponents {
  readonly components: FetcherComponents;
  /** See RunningFetcher. */
  readonly tried: Outbound['tried'];
  close(): Promise<void>;
}

type Ports = Pick<
  Runtime,
  'database' | 'settings' | 'log' | 'metrics' | 'queue' | 'blobs' | 'health'
>;

/** Opens the threads, the outbound connections and the components built on them. */
export async function openComponents(ports: Ports): Promise<OpenedComponents> {
  const { settings, metrics } = ports;
  const threads = openThreads(ports);
  const outbound = await openOutbound(ports, threads, (page) =>
    isWall(threads.content, page, Deadline.after(WALL_CHECK_MS)),
  );
  const { http, rungs, models, search, guard } = outbound;
  const cache = openCache(ports);
  const files = openFiles(ports, { models, cache });
  const robots = new RobotsCache({
    http,
    agentToken: robotsAgent(settings.userAgent),
    unreachableTtlMs: ROBOTS_RETRY_MS,
  });
  const uses = new SiteUses(new UseFiles({ http, unreachableTtlMs: ROBOTS_RETRY_MS }));
  const gate = new RobotsGate(robots, uses, metrics);
  const converters = { content: threads.content, files };
  const logins = openProfiles(ports);
  const pageOptions = { rungs, robots: gate, converters, metrics, logins, ...pageTerms(ports) };
  const pages = new PageFetcher(pageOptions);
  const components: FetcherComponents = {
    ...{ rungs, models, search, guard, converters, cache, pages, gate, logins },
    scrapers: openScrapers(ports, {
      threads: threads.results,
      clientFor: outbound.endpointClient,
      fetchPage: directoryFetcher(pages),
    }),
    scans: openTechScans(ports, pageOptions),
    brands: new BrandReader({ pages, http, pool: threads.brand }),
    sitemaps: sitemapPages(ports, rungs, { robots: gate, reader: threads.sitemap }),
    sitemapFetcher: new SitemapFetcher({ http, robots: gate, pool: threads.sitemap }),
    leases: new PageLeases(ports, settings.leaseMs),
    eventLoopDelay: new EventLoopDelay(),
  };
  return {
    components,
    tried: outbound.tried,
    async close() {
      components.leases.close();
      components.eventLoopDelay.close();
      await outbound.close();
      for (const pool of [...Object.values(threads), files]) await pool.close();
    },
  };
}

function openThreads({ settings, log }: Ports) {
  const { contentThreads: threads } = settings;
  const { searchSerp, searchSearxngUrl, searchHtml } = settings;
  const { scraperMaps, scraperReviews, scraperListings } = settings;
  const read = [searchSerp, searchSearxngUrl, searchHtml, scraperMaps, scraperReviews];
  const reportBroken = (kind: string) => (err: unknown) =>
    log.error({ err }, `a ${kind} thread broke`);
  return {
    content: new ContentPool({
      threads,
      maxCpuMs: MAX_CONTENT_CPU_MS,
      onProblem: reportBroken('content'),
    }),
    reading: new ReadingThreads({
      threads,
      onProblem: (what, err) => log.error({ err, what }, 'a step of reading a page failed'),
    }),
    sitemap: new ThreadPool<SitemapSteps>({
      kind: 'sitemap',
      // Two, so that one file of the maximum size does not delay all others.
      threads: 2,
      keepsOne: false,
      onProblem: reportBroken('sitemap'),
    }),
    brand: new ThreadPool<BrandSteps>({
      kind: 'brand',
      threads,
      onProblem: reportBroken('brand'),
    }),
    results: new ResultThreads({
      threads,
      isWarm: [...read, scraperListings].some((one) => one !== undefined),
      onProblem: reportBroken('search result'),
    }),
  };
}

function openFiles(
  { settings }: Ports,
  { models, cache }: Pick<FetcherComponents, 'models' | 'cache'>,
): FileReader {
  return new FileReader({
    threads: settings.fileThreads,
    maxPages: MAX_FILE_PAGES,
    models,
    hasVision: settings.llmModelVision !== '',
    budgetMicroUsd: settings.llmBudgetMicroUsd,
    cache: cache && new FileCache(cache),
  });
}

function pageTerms({ database, settings, log }: Ports) {
  const { fetchMaxBytes: maxBytes, costCeilingMicroUsd } = settings;
  const hosts = new HostMemory({
    database,
    ttlMs: HOST_MEMORY_MS,
    onProblem: (what, err) => log.warn({ err, what }, 'the host history is unavailable'),
  });
  return { maxBytes, costCeilingMicroUsd, hosts };
}

function openProfiles({ database, settings, log }: Ports): OpenProfiles {
  return new OpenProfiles({
    ...{ database, box: new ProfileBox(parseSealingKeys(settings.profileKeys)) },
    days: settings.profileDays,
    onProblem: (what, err) => log.warn({ err }, what),
  });
}

function sitemapPages(
  { settings }: Pick<Runtime, 'settings'>,
  rungs: Outbound['rungs'],
  { robots, reader }: { readonly robots: RobotsGate; readonly reader: ThreadPool<SitemapSteps> },
): SitemapPages {
  const rung = rungs.find((one) => one.rung === 'plain');
  if (!rung) throw new Error('the plain rung is missing, which every configuration has');
  const { fetchTimeoutMs, pageAttempts: maxAttempts } = settings;
  return new SitemapPages({ rung, robots, reader, fetchTimeoutMs, maxAttempts });
}

/** Null if disabled. */
function openCache({
  database,
  blobs,
  settings,
  log,
}: Pick<Runtime, 'database' | 'settings' | 'log' | 'blobs'>): PageCache | null {
  if (settings.cacheMaxMib === 0) return null;
  return new PageCache({
    database,
    blobs,
    maxBytesPerTenant: settings.cacheMaxMib * MIB,
    ttlMs: settings.cacheHours * HOUR_MS,
    onProblem: (what, err) => log.warn({ err, what }, 'the page cache is unavailable'),
  });
}
