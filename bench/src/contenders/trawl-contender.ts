import type { Contender, Contest, RoundOutcome } from '../contender.js';
import type { ContenderName } from '../options.js';
import { tallyDocuments } from '../page-tally.js';
import { LISTING_PATH } from '../rendered/app-site.js';
import { pageUrls, warmUpUrls } from '../rendered/site-urls.js';
import {
  type ServiceTerms,
  startCluster,
  startEmbedded,
  type TrawlService,
} from './trawl-service.js';

/** Asking costs the API; a crawl's end is noticed this much late. */
const POLL_MS = 200;

type ChargeIds = (service: TrawlService) => Promise<Done>;

/** What a round delivered: a document per page, and what each took where that is known. */
interface Done {
  readonly documents: () => AsyncIterable<string> | Iterable<string>;
  readonly latenciesMs: readonly number[] | (() => Promise<readonly number[]>);
}

function termsOf(contest: Contest): ServiceTerms {
  return { ...contest, siteUrls: [contest.siteUrl] };
}

/** Trawl as a cluster. */
export function trawlContender(contest: Contest): Contender {
  return serviceContender('trawl', contest, {
    start: () => startCluster(termsOf(contest)),
    work: (service) => crawlOnce(service, contest, `${contest.siteUrl}/`),
  });
}

/** Trawl in one process. */
export function embeddedContender(contest: Contest): Contender {
  return serviceContender('trawl-embedded', contest, {
    start: () => startEmbedded(termsOf(contest), 'trawl-embedded'),
    work: (service) => crawlOnce(service, contest, `${contest.siteUrl}/`),
  });
}

/** Scrapes that begin with the browser, some at a time, each in a context of its own. */
export function renderedScrapeContender(contest: Contest): Contender {
  return serviceContender('trawl-scrape', contest, {
    start: () => startEmbedded(termsOf(contest), 'trawl-scrape', browserEnv(contest)),
    prepare: (service) => warmUp(service, contest),
    work: (service) => scrapeAll(service, contest),
  });
}

/** A crawl that finds out by itself that the pages need a browser. */
export function renderedCrawlContender(contest: Contest): Contender {
  return serviceContender('trawl-crawl', contest, {
    start: () => startEmbedded(termsOf(contest), 'trawl-crawl', browserEnv(contest)),
    prepare: (service) => warmUp(service, contest),
    // The listing is one page more.
    work: (service) => {
      const limit = contest.options.pages + 1;
      return crawlOnce(service, contest, contest.siteUrl + LISTING_PATH, limit);
    },
  });
}

/** As many browsers and pages as the others have. */
const PAGES_AHEAD = 3;

function browserEnv({ options }: Contest): Readonly<Record<string, string>> {
  const atOnce = String(options.concurrency);
  return {
    BROWSER_MAX: '1',
    BROWSER_PAGES: atOnce,
    SCRAPE_CONCURRENCY: atOnce,
    // Pages beyond those that are open are claimed and waiting, so that a free page slot is filled
    // at once.
    CRAWL_CONCURRENCY: String(options.concurrency + PAGES_AHEAD),
    HOST_WINDOW_START: String(options.concurrency + PAGES_AHEAD),
    HOST_WINDOW_MAX: String(options.concurrency + PAGES_AHEAD),
  };
}

interface ServiceWork {
  readonly start: () => Promise<TrawlService>;
  readonly prepare?: (service: TrawlService) => Promise<void>;
  readonly work: ChargeIds;
}

function serviceContender(
  name: ContenderName,
  contest: Contest,
  { start, prepare, work }: ServiceWork,
): Contender {
  let service: TrawlService | null = null;
  return {
    name,
    async start() {
      service = await start();
    },
    async stop() {
      await service?.stop();
      service = null;
    },
    async round(begin) {
      if (service === null) throw new Error(`${name} was not started`);
      await prepare?.(service);
      await begin();
      return measured(service, contest, work);
    },
  };
}

async function measured(
  service: TrawlService,
  contest: Contest,
  work: ChargeIds,
): Promise<RoundOutcome> {
  const meter = contest.measure(service.roots());
  try {
    const startedAtMs = performance.now();
    const { documents, latenciesMs } = await work(service);
    const crawlMs = performance.now() - startedAtMs;
    const endedAtMs = Date.now();
    const { cpuMs, peakRssBytes, peakPssBytes } = meter.stop();
    return {
      crawlMs,
      endedAtMs,
      crawlCpuMs: cpuMs,
      wholeMs: null,
      wholeCpuMs: null,
      peakRssBytes,
      peakPssBytes,
      latenciesMs: typeof latenciesMs === 'function' ? await latenciesMs() : latenciesMs,
      tally: await tallyDocuments(documents()),
    };
  } finally {
    meter.stop();
  }
}

async function crawlOnce(
  { client }: TrawlService,
  { options, siteUrl }: Contest,
  url: string,
  limit = options.pages,
): Promise<Done> {
  const { jobId } = await client.crawl({
    ...{ url, limit, allowBackwardLinks: true },
    // The others keep none.
    index: false,
  });
  const job = await client.waitForEnd(jobId, {
    timeoutMs: options.roundTimeoutMs,
    pollMs: POLL_MS,
  });
  if (job.status !== 'completed') throw new Error(`the job ended as ${JSON.stringify(job)}`);
  return {
    async *documents() {
      for await (const page of client.ndjson(jobId)) {
        if (page.url !== siteUrl + LISTING_PATH) yield page.markdown ?? '';
      }
    },
    async latenciesMs() {
      const latencies: number[] = [];
      for await (const { metadata } of client.ndjson(jobId)) {
        latencies.push(Number(metadata.latencyMs));
      }
      return latencies;
    },
  };
}

async function scrapeAll(service: TrawlService, { options, siteUrl }: Contest): Promise<Done> {
  const { markdowns, latenciesMs } = await scrapeEach(
    service,
    await pageUrls(siteUrl),
    options.concurrency,
  );
  return { documents: () => markdowns, latenciesMs };
}

async function warmUp(service: TrawlService, { options, siteUrl }: Contest): Promise<void> {
  const urls = warmUpUrls(await pageUrls(siteUrl), options.concurrency);
  await scrapeEach(service, urls, options.concurrency);
}

async function scrapeEach({ client }: TrawlService, urls: readonly string[], atOnce: number) {
  const queue = urls.values();
  const markdowns: string[] = [];
  const latenciesMs: number[] = [];
  const worker = async (): Promise<void> => {
    for (const url of queue) {
      const startedAtMs = performance.now();
      const { status, body, text } = await client.scrape({ url, forceHeadless: true });
      if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 300)}`);
      latenciesMs.push(Math.round(performance.now() - startedAtMs));
      markdowns.push((body as { readonly markdown?: string }).markdown ?? '');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { markdowns, latenciesMs };
}
