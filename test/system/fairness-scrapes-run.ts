import {
  seededRandom,
  sendHtml,
  startFixtureSite,
  until,
  type FixtureSite,
  type TrawlClient,
} from '@app/testing';
import type { Deployment } from './deployment.js';

/** What the scraped page takes at its site: what the service adds to it is what is judged. */
const PAGE_MS = 200;
const CRAWL_PAGES = 4_000;
/** Of a crawled page: enough for its conversion to be felt. */
const PARAGRAPHS = 150;
const AT_A_TIME = 4;

/** Of the service: the crawl is fast from its first page, and does not end before the scrapes do. */
export const SCRAPE_RUN_ENV = { HOST_WINDOW_START: '16', CRAWL_MAX_PAGES: String(CRAWL_PAGES) };

export interface ScrapeRun {
  readonly service: Deployment;
  readonly scraped: FixtureSite;
  readonly crawled: FixtureSite;
}

/** A site for scrapes, and one without any latency that a crawl takes all processors for. */
export async function startScrapeSites(): Promise<Pick<ScrapeRun, 'scraped' | 'crawled'>> {
  const scraped = await startFixtureSite({ latencyMs: { '/tree/': PAGE_MS }, treePages: 50 });
  const crawled = await startFixtureSite();
  const paths = Array.from({ length: CRAWL_PAGES }, (_, n) => `/page/${n}`);
  const links = paths.map((path) => `<li><a href="${path}">${path}</a></li>`).join('');
  crawled.serve({ '/': `<title>All</title><ul>${links}</ul>` });
  const text = longText(1);
  for (const path of paths)
    crawled.serve({ [path]: ({ response }) => sendHtml(response, pageOf(path, text)) });
  return { scraped, crawled };
}

/** The first lines distinguish each from the others. */
function pageOf(path: string, text: string): string {
  return `<title>Page ${path}</title><main><h1>${path}</h1>${text}</main>`;
}

/** Words that no dictionary compresses away, in the markup of a long article. */
function longText(seed: number): string {
  const random = seededRandom(seed);
  const word = (): string => random.int(1e4, 1e8).toString(36);
  const words = (): string => Array.from({ length: 40 }, word).join(' ');
  const paragraph = (_: unknown, n: number): string =>
    `<h2>Part ${n}</h2><p class="text">${words()} <b>${word()}</b> ${words()}</p>`;
  return Array.from({ length: PARAGRAPHS }, paragraph).join('\n');
}

export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

/** Scrapes `count` pages, a few at a time; each must bring its page. */
export async function scrapeLatency(
  client: TrawlClient,
  site: FixtureSite,
  count: number,
): Promise<Latency> {
  const took: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const url = site.url(`/tree/${next++ % 50}`);
      const startedAt = performance.now();
      const { status, text } = await client.scrape({ url });
      took.push(performance.now() - startedAt);
      if (status !== 200) throw new Error(`a scrape answered ${status}: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return { p50: percentile(took, 0.5), p95: percentile(took, 0.95) };
}

/** The same beside a crawl of another tenant that runs as fast as it can. */
export async function latencyBesideCrawl(
  { service, scraped, crawled }: ScrapeRun,
  crawler: TrawlClient,
  count: number,
): Promise<Latency & { readonly pagesPerSecond: number }> {
  crawled.reset();
  const body = { url: crawled.url('/'), limit: CRAWL_PAGES, sitemap: 'skip' };
  const { jobId } = await crawler.crawl(body);
  await until(() => crawled.totalRequests > 100, { what: 'full speed', timeoutMs: 30_000 });
  const [before, startedAt] = [crawled.totalRequests, performance.now()];
  const latency = await scrapeLatency(service.client, scraped, count);
  const seconds = (performance.now() - startedAt) / 1_000;
  const pages = crawled.totalRequests - before;
  // A crawl that had ended would be no competition.
  expect((await crawler.job(jobId)).status).toBe('running');
  await crawler.cancel(jobId);
  await until(() => crawled.inFlight === 0, { what: 'the crawl to stop' });
  return { ...latency, pagesPerSecond: pages / seconds };
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? NaN);
}
