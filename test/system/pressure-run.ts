import { openTaskQueue, type TaskQueue } from '@app/broker';
import { readProcFile } from '@app/processes';
import { sendHtml, startFixtureSite, until, type FixtureSite, type SpawnedApp } from '@app/testing';
import type { Deployment } from './deployment.js';

/** Pages one fetcher works on: what it may have claimed and not finished. */
export const SLOTS = 8;
/** Of the host: far more than the slots and the broker take, so that it is not what bounds them. */
const WINDOW = 60;
export const QUEUE_TARGET = 12;
export const PRESSURE_PAGES = 120;
/** Of a page: felt in memory, were they all taken. */
const PAGE_BYTES = 100_000;
/** So slow that pages are in work nearly always, and that the crawl goes on for seconds after its first pages. */
const PAGE_MS = 200;

export const PRESSURE_ENV = {
  CRAWL_CONCURRENCY: String(SLOTS),
  CRAWL_QUEUE_TARGET: String(QUEUE_TARGET),
  HOST_WINDOW_START: String(WINDOW),
  HOST_WINDOW_MAX: String(WINDOW),
};

/** Pages that are large and all linked from the first, more than a crawl may take. */
export async function startLargeSite(): Promise<FixtureSite> {
  const site = await startFixtureSite({ latencyMs: { '/large/': PAGE_MS } });
  const paths = Array.from({ length: PRESSURE_PAGES + 50 }, (_, n) => `/large/${n}`);
  const links = paths.map((path) => `<li><a href="${path}">${path}</a></li>`).join('');
  site.serve({ '/': `<title>All</title><p>${'All pages. '.repeat(30)}</p><ul>${links}</ul>` });
  const sentence = 'It is as long as it is so that it is felt when it is kept. ';
  const text = `<p>${sentence.repeat(10)}</p>`.repeat(PAGE_BYTES / sentence.length / 10);
  for (const path of paths)
    site.serve({
      [path]: ({ response }) =>
        sendHtml(response, `<title>${path}</title><main><h1>${path}</h1>${text}</main>`),
    });
  return site;
}

/** What grows when a process takes more than it can give away. */
export interface Load {
  /** Pages claimed and not finished, as the fetcher counts them. */
  readonly claimed: number;
  /** Pages on their way or worked on, as the database counts them; null while the database does not answer. */
  readonly leased: number | null;
  /** Messages in the broker; null where it is in the process. */
  readonly queued: number | null;
  readonly residentMiB: number;
  readonly arrivals: number;
}

export interface Watched {
  readonly service: Deployment;
  readonly site: FixtureSite;
  readonly fetcher: SpawnedApp;
  /** The database does not answer. */
  readonly isSqlAway?: boolean;
}

/** Long enough for a fetcher without bounds to take every page of the crawl. */
const STALL_MS = 3_000;

/** Watches while nothing gets on, for a while: time itself is what is waited for. The most of everything. */
export async function mostLoad(watched: Watched, stallMs = STALL_MS): Promise<Load> {
  const queue = queueOf(watched.service);
  const startedAt = performance.now();
  const seen: Load[] = [];
  try {
    await until(
      async () => {
        seen.push(await loadOf(watched, queue));
        return performance.now() - startedAt > stallMs;
      },
      { what: 'the pressure to be over', timeoutMs: stallMs + 30_000, intervalMs: 100 },
    );
    return seen.reduce(larger);
  } finally {
    await queue?.close();
  }
}

function larger(a: Load, b: Load): Load {
  return {
    claimed: Math.max(a.claimed, b.claimed),
    leased: a.leased === null || b.leased === null ? null : Math.max(a.leased, b.leased),
    queued: a.queued === null || b.queued === null ? null : Math.max(a.queued, b.queued),
    residentMiB: Math.max(a.residentMiB, b.residentMiB),
    arrivals: Math.max(a.arrivals, b.arrivals),
  };
}

function queueOf({ mode, env }: Deployment): TaskQueue | null {
  if (mode === 'embedded') return null;
  return openTaskQueue({ url: env.BROKER_URL ?? '', prefix: env.BROKER_PREFIX });
}

async function loadOf(
  { service, site, fetcher, isSqlAway }: Watched,
  queue: TaskQueue | null,
): Promise<Load> {
  return {
    claimed: await claimedBy(fetcher),
    leased: isSqlAway ? null : await leasedPages(service),
    queued: queue && (await queue.depth('crawl')),
    residentMiB: residentMiB(fetcher),
    arrivals: site.totalRequests,
  };
}

/** Read from the fetcher's metrics, which need no database. */
export async function claimedBy(fetcher: SpawnedApp): Promise<number> {
  const text = await (await fetch(`${fetcher.metricsUrl}/metrics`)).text();
  const value = /^trawl_consumer_in_flight\{queue="crawl"\} (\d+)/m.exec(text)?.[1];
  if (value === undefined) throw new Error('no count of pages in work');
  return Number(value);
}

async function leasedPages({ database }: Deployment): Promise<number> {
  const text = 'SELECT coalesce(sum(leased), 0)::int AS leased FROM jobs';
  const [row] = await database.query<{ leased: number }>({ name: 'pressure_leased', text });
  return row?.leased ?? 0;
}

export function residentMiB({ process: spawned }: SpawnedApp): number {
  const status = readProcFile(`/proc/${spawned.pid}/status`) ?? '';
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}

/** A crawl on its way: some pages are written, and far more are to come. */
export async function startCrawl({ service, site }: Omit<Watched, 'fetcher'>): Promise<string> {
  site.reset();
  const body = { url: site.url('/'), limit: PRESSURE_PAGES, sitemap: 'skip' };
  const { jobId } = await service.client.crawl(body);
  await until(async () => (await service.client.job(jobId)).pages_scraped >= 30, {
    what: 'the crawl to be on its way',
    timeoutMs: 60_000,
  });
  return jobId;
}

const HELD_MS = 10_000;

/** Resolves when the fetcher holds pages that it cannot finish, and waits for no page of its site. */
export async function untilHeld({ site, fetcher }: Watched): Promise<void> {
  await until(async () => site.inFlight === 0 && (await claimedBy(fetcher)) > 0, {
    what: 'a fetcher that holds pages and has no request under way',
    timeoutMs: HELD_MS,
    intervalMs: 50,
  });
}

/** Whatever was still on the way: the limit is met exactly and each page counts once. */
export async function expectExactEnd(
  { service, site }: Omit<Watched, 'fetcher'>,
  jobId: string,
  { asked }: { readonly asked: 'once' | 'again' },
): Promise<void> {
  const job = await service.client.waitForEnd(jobId, { timeoutMs: 120_000 });
  expect(job).toMatchObject({ status: 'completed', pages_scraped: PRESSURE_PAGES });
  const { discovered, ...states } = job.pages;
  expect(Object.values(states).reduce((sum, n) => sum + n, 0)).toBe(discovered);
  const urls: string[] = [];
  for await (const { url, markdown } of service.client.ndjson(jobId)) {
    urls.push(url);
    expect(markdown?.length ?? 0).toBeGreaterThan(url.endsWith('/') ? 100 : PAGE_BYTES / 2);
  }
  expect([urls.length, new Set(urls).size]).toEqual([PRESSURE_PAGES, PRESSURE_PAGES]);
  const text =
    'SELECT count(*)::int AS rows, count(DISTINCT item)::int AS items FROM credit_ledger WHERE reference = $1';
  const ledger = await service.database.query({ name: 'pressure_ledger', text }, [jobId]);
  expect(ledger).toEqual([{ rows: PRESSURE_PAGES, items: PRESSURE_PAGES }]);
  const file = (await (await fetch(job.result_url ?? '')).json()) as unknown[];
  expect(file).toHaveLength(PRESSURE_PAGES);
  const visits = [...site.countsByPath()].filter(([path]) => path.startsWith('/large/'));
  if (asked === 'once') expect(visits.filter(([, times]) => times > 1)).toEqual([]);
}

/**
 * How many pages the site had served and the database did not know as ended, at every check
 * until the crawl is done. The site is read first, so events between the two reads make it less.
 */
export async function writtenBehind({ service, site }: Watched, jobId: string): Promise<number[]> {
  const behind: number[] = [];
  await until(
    async () => {
      const asked = [...site.countsByPath()].filter(([path]) => path.startsWith('/large/')).length;
      const { status, pages } = await service.client.job(jobId);
      // The seed is a page, too.
      behind.push(asked + 1 - pages.scraped - pages.failed);
      return status !== 'running';
    },
    { what: 'the crawl to be done', timeoutMs: 120_000, intervalMs: 50 },
  );
  return behind;
}
