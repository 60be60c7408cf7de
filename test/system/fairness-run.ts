import {
  startFixtureSite,
  until,
  type FixtureSite,
  type SiteRequest,
  type TrawlClient,
} from '@app/testing';
import type { Deployment } from './deployment.js';

/** What every page takes at the site; all else is small beside it. */
const PAGE_MS = 200;
const BIG_PAGES = 1_000;
export const SMALL_PAGES = 10;
export const WINDOW = 8;
/** As many pages at a time as a host may have, from its first page on: no run depends on the one before. */
export const STEADY_WINDOW = {
  HOST_WINDOW_START: String(WINDOW),
  HOST_WINDOW_MAX: String(WINDOW),
};
/** Pages of the small crawl lie below it, so that both can be distinguished on one host. */
const SMALL_PATH = '/slow-site/';
const BIG_PATH = '/tree/';
const HOLD_PATH = '/hold';

/** A site with a large tree and a small one, each page as slow as the other. */
export async function startSharedSite(): Promise<FixtureSite> {
  return startFixtureSite({
    treePages: BIG_PAGES,
    slowPages: 50,
    slowMs: PAGE_MS,
    latencyMs: { [BIG_PATH]: PAGE_MS },
    maxKeptRequests: 100_000,
  });
}

function crawlBody(url: string, limit: number): object {
  return { url, limit, sitemap: 'skip', allowBackwardLinks: true };
}

/** Milliseconds of a small crawl, from acceptance to completion, by the clock of the database. */
export async function smallCrawlMs(client: TrawlClient, site: FixtureSite): Promise<number> {
  const { jobId } = await client.crawl(crawlBody(site.url(`${SMALL_PATH}0`), SMALL_PAGES));
  const job = await client.waitForEnd(jobId, { timeoutMs: 120_000 });
  expect(job).toMatchObject({ status: 'completed', pages_scraped: SMALL_PAGES });
  return Date.parse(job.completed_at ?? '') - Date.parse(job.created_at);
}

export async function medianSmallMs(
  client: TrawlClient,
  site: FixtureSite,
  repeats: number,
): Promise<number> {
  const all: number[] = [];
  for (let n = 0; n < repeats; n++) all.push(await smallCrawlMs(client, site));
  return medianOf(all);
}

export interface Running {
  /** Cancels what runs; rejects when it had ended by itself, for then nothing was measured beside it. */
  end(): Promise<void>;
}

/** A large crawl at its full speed: `inFlight` pages at a time. */
export async function startBigCrawl(
  client: TrawlClient,
  site: FixtureSite,
  inFlight: number,
): Promise<Running> {
  const { jobId } = await client.crawl(crawlBody(site.url(`${BIG_PATH}0`), BIG_PAGES));
  await until(() => pagesOpen(site, isBig) >= inFlight, {
    what: `${inFlight} pages of the large crawl in flight`,
    timeoutMs: 30_000,
  });
  return running(client, [jobId]);
}

/** Crawls of one tenant, spread over sites; resolves when each has been accepted. */
export async function startManyCrawls(
  client: TrawlClient,
  sites: readonly FixtureSite[],
  count: number,
): Promise<Running> {
  const jobs: string[] = [];
  for (let n = 0; n < count; n++) {
    const site = sites[n % sites.length];
    if (!site) throw new Error('no site');
    jobs.push((await client.crawl(crawlBody(site.url(`${BIG_PATH}${n}`), BIG_PAGES))).jobId);
  }
  return running(client, jobs);
}

/** Takes `count` places of the site's window and keeps them: its pages are answered never. */
export async function holdSlots(
  client: TrawlClient,
  site: FixtureSite,
  count: number,
): Promise<Running> {
  const paths = Array.from({ length: count }, (_, n) => `${HOLD_PATH}/${n}`);
  const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');
  site.serve({ [HOLD_PATH]: `<title>Held</title><p>${'Pages to hold. '.repeat(20)}</p>${links}` });
  for (const path of paths) site.serve({ [path]: () => new Promise<void>(() => {}) });
  const { jobId } = await client.crawl(crawlBody(site.url(HOLD_PATH), count + 1));
  const isHeld = ({ path }: SiteRequest): boolean => path.startsWith(`${HOLD_PATH}/`);
  await until(() => pagesOpen(site, isHeld) === count, { what: 'leased pages', timeoutMs: 30_000 });
  return running(client, [jobId]);
}

function running(client: TrawlClient, jobs: readonly string[]): Running {
  return {
    async end() {
      const states = await Promise.all(jobs.map((id) => client.job(id)));
      await Promise.all(jobs.map((id) => client.cancel(id)));
      expect(states.some(({ status }) => status === 'running')).toBe(true);
    },
  };
}

const isBig = ({ path }: SiteRequest): boolean => path.startsWith(BIG_PATH);
const isSmall = ({ path }: SiteRequest): boolean => path.startsWith(SMALL_PATH);

function pagesOpen(site: FixtureSite, isIt: (request: SiteRequest) => boolean): number {
  return site.requests().filter((one) => isIt(one) && one.endedAtMs === null).length;
}

export interface Order {
  readonly small: number;
  /** Pages of the others that were requested before the last page of the small crawl was. */
  readonly others: number;
  /** Most of them between two pages of the small crawl. */
  readonly longestWait: number;
}

/** Runs a small crawl and returns the order in which its pages and those of the others arrived. */
export async function orderOfArrivals(
  client: TrawlClient,
  small: FixtureSite,
  others: readonly FixtureSite[],
): Promise<Order> {
  const before = others.map((site) => site.totalRequests);
  const seen = small.totalRequests;
  await smallCrawlMs(client, small);
  const own = small.requests().slice(seen).filter(isSmall);
  const rest = others.flatMap((site, n) => site.requests().slice(before[n]).filter(isBig));
  const arrivals = [...own, ...rest].toSorted((a, b) => a.atMs - b.atMs);
  const waits = [0];
  for (const one of arrivals) {
    if (isSmall(one)) waits.push(0);
    else waits[waits.length - 1] = (waits.at(-1) ?? 0) + 1;
  }
  // What came after the last page of the small crawl kept it from nothing.
  const counted = waits.slice(0, -1);
  return {
    small: own.length,
    others: counted.reduce((sum, n) => sum + n, 0),
    longestWait: Math.max(...counted),
  };
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** Figures of a run, for the log. */
export function report(service: Deployment, what: string, figures: object): void {
  process.stderr.write(`${service.mode}, ${what}: ${JSON.stringify(figures)}\n`);
}
