import type { ServerResponse } from 'node:http';
import { startFixtureSite, until, type FixtureSite, type TrawlClient } from '@app/testing';
import { deploy, type Deployment } from './deployment.js';
import { watchArrivals } from './watch-arrivals.js';

const FETCHERS = 4;
/** Pages that hang are given up after this time. */
const FETCH_TIMEOUT_MS = 10_000;

interface Visit {
  readonly url: URL;
  readonly response: ServerResponse;
}
type GatedAnswer = (visit: Visit) => unknown;

describe('a site that several fetchers crawl for several tenants', () => {
  let service: Deployment;
  let site: FixtureSite | undefined;

  beforeAll(async () => {
    const env = { FETCH_TIMEOUT_MS: String(FETCH_TIMEOUT_MS) };
    service = await deploy('cluster', { fetchers: FETCHERS, env });
  });
  afterAll(async () => {
    await service.stop();
  });
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });

  it('is asked once per Crawl-delay, from the very first page on, never twice at once', async () => {
    const delayMs = 1_000;
    // A page that takes longer than the delay is waited for.
    const slowPath = '/tree/5';
    site = await startFixtureSite({
      robots: { crawlDelaySeconds: delayMs / 1_000 },
      latencyMs: { '/tree/': 100, [slowPath]: 1_500 },
    });
    site.serve({ '/': pageOfLinks(Array.from({ length: 10 }, (_, n) => `/tree/${n}`)) });
    const arrivals = watchArrivals(site);
    const clients = [service.client, await service.otherTenant()];
    const jobs = await Promise.all(
      clients.map(async (client) => {
        const { jobId } = await client.crawl({ url: site?.url('/') ?? '', limit: 7 });
        return { client, jobId };
      }),
    );
    for (const { client, jobId } of jobs)
      expect(await client.waitForEnd(jobId)).toMatchObject({
        status: 'completed',
        pages_scraped: 7,
      });
    const { gapsMs, lateMs } = arrivals();
    expect(gapsMs.length).toBeGreaterThanOrEqual(13);
    expect(Math.min(...gapsMs)).toBeGreaterThan(0.98 * delayMs - lateMs);
    expect(medianOf(gapsMs)).toBeLessThan(1.05 * delayMs + lateMs);
    expect(site.peakInFlight).toBe(1);
  });

  it('is left alone, and the crawl says so, while its robots.txt cannot be read', async () => {
    site = await startFixtureSite();
    site.serve({ '/robots.txt': ({ response }) => void response.writeHead(503).end() });
    const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 1 });
    expect(await service.client.waitForEnd(jobId)).toMatchObject({
      status: 'failed',
      failed: { robots: 1 },
      error:
        'No page could be scraped: robots.txt of the site could not be read (HTTP 503), so the start page was not requested.',
    });
    expect(site.requests().map(({ path }) => path)).not.toContain('/');
  });

  it.each([429, 503])(
    'is left alone for as long as the Retry-After of its %i says',
    async (status) => {
      const gated = await crawlBehindGate(service.client);
      const held = await heldByAll(gated);
      const releasedAt = Date.now();
      gated.answerHeld(({ response }) =>
        response.writeHead(status, { 'retry-after': '2' }).end('not now'),
      );
      await until(() => gated.site.totalRequests > held.requests, {
        what: 'a request after the pause',
        timeoutMs: 20_000,
      });
      const next = gated.site.requests()[held.requests];
      expect((next?.atMs ?? 0) - releasedAt).toBeGreaterThanOrEqual(2_000);
      await gated.end();
    },
  );

  const TROUBLES: readonly [string, GatedAnswer][] = [
    ['answers 429', ({ response }) => response.writeHead(429).end('too many')],
    ['answers 503', ({ response }) => response.writeHead(503).end('busy')],
    ['slows down', (visit) => void setTimeout(() => sendArticlePage(visit), 2_000)],
    ['does not answer in time', () => undefined],
  ];
  it.each(TROUBLES)(
    'is asked half as much when it %s, and more again when it recovers',
    async (_name, trouble) => {
      const gated = await crawlBehindGate(service.client);
      gated.open();
      await windowOf(gated, (size) => size >= 6);
      const before = await heldByAll(gated);
      gated.answerHeld(trouble);
      const after = await windowOf(gated, (size) => size <= before.window / 2, {
        timeoutMs: FETCH_TIMEOUT_MS + 20_000,
      });
      expect(after).toBeGreaterThanOrEqual(1);
      gated.open();
      await windowOf(gated, (size) => size >= 2 * after);
      expect(gated.site.peakInFlight).toBeLessThanOrEqual(16);
      await gated.end();
    },
  );

  interface Gated {
    readonly site: FixtureSite;
    readonly host: string;
    /** Pages wait from now on. */
    close(): void;
    open(): void;
    /** Answers those that wait; the next ones wait again. */
    answerHeld(answer: GatedAnswer): void;
    end(): Promise<void>;
  }

  /** A crawl of pages that are answered when the test says so; the gate is closed, but for the first page. */
  async function crawlBehindGate(client: TrawlClient): Promise<Gated> {
    const own = await startFixtureSite();
    site = own;
    let isOpen = false;
    let waiting: ((answer: GatedAnswer) => void)[] = [];
    const paths = Array.from({ length: 200 }, (_, n) => `/gated/${n}`);
    own.serve({ '/': pageOfLinks(paths) });
    for (const path of paths)
      own.serve({
        [path]: async (visit) => {
          if (isOpen) return sendArticlePage(visit);
          const answer = await new Promise<GatedAnswer>((resolve) => waiting.push(resolve));
          answer(visit);
        },
      });
    const answerHeld = (answer: GatedAnswer) => {
      for (const one of waiting.splice(0)) one(answer);
    };
    const { jobId } = await client.crawl({ url: own.url('/'), limit: 200, sitemap: 'skip' });
    return {
      site: own,
      host: new URL(own.url('/')).host,
      close: () => void (isOpen = false),
      open() {
        isOpen = true;
        answerHeld(sendArticlePage);
      },
      answerHeld,
      async end() {
        await client.cancel(jobId);
        waiting = [];
      },
    };
  }

  interface HostRow extends Record<string, unknown> {
    readonly window: number;
    readonly inFlight: number;
  }

  async function hostRow(host: string): Promise<HostRow> {
    const [row] = await service.database.query<HostRow>(
      {
        name: 'host_row',
        text: 'SELECT window_size AS "window", in_flight AS "inFlight" FROM hosts WHERE host = $1',
      },
      [host],
    );
    if (!row) throw new Error('the host is not known yet');
    return row;
  }

  /** Waits until the window is full of requests that wait at the gate. */
  async function heldByAll(gated: Gated): Promise<{ window: number; requests: number }> {
    gated.close();
    const row = await until(
      async () => {
        const now = await hostRow(gated.host);
        const isFull = now.inFlight === Math.floor(now.window);
        return isFull && gated.site.inFlight === now.inFlight && gated.site.count('/') > 0
          ? now
          : null;
      },
      { what: 'a window full of requests', timeoutMs: 30_000 },
    );
    return { window: row.window, requests: gated.site.totalRequests };
  }

  async function windowOf(
    gated: Gated,
    isWanted: (size: number) => boolean,
    { timeoutMs = 30_000 } = {},
  ): Promise<number> {
    const isIt = async () => {
      const { window } = await hostRow(gated.host);
      return isWanted(window) ? window : null;
    };
    return until(isIt, { what: 'the window of the host', timeoutMs });
  }
});

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function pageOfLinks(paths: readonly string[]): string {
  const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');
  return `<title>All</title><p>${'Links to all pages. '.repeat(20)}</p>${links}`;
}

/** Each address has words of its own. */
function sendArticlePage({ url, response }: Visit): void {
  const text = `<title>Page</title><p>${`The page at ${url.pathname} has words enough. `.repeat(10)}</p>`;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);
}
