import type { MapTask } from '@app/contracts';
import type { FetchRequest, FetchRung, RungResult } from '@app/fetch';
import { Metrics } from '@app/telemetry';
import { PageFetcher, type PageFetcherOptions } from '../page/page-fetcher.js';
import type { PageTask } from '../content/content-task.js';
import { contentSteps } from '../content/content.worker.js';
import { termsOf } from './map-terms.js';
import { linksOfPages, type PageLinks } from './page-links.js';

const BUDGET_MS = 25_000;
const HTML = `<!doctype html><title>Home</title><main><p>${'Words of a homepage. '.repeat(20)}</p><a href="/in">in</a></main>`;

const TIMED_OUT: RungResult = {
  ok: false,
  failure: { errorClass: 'timeout', problem: 'late', statusCode: null, retryAfterMs: null },
};

/** The clock of these tests: only rungs advance it. */
let nowMs = 0;

/** A rung that ends after `tookMs`, or at its deadline. */
function slowRung(name: 'plain' | 'headless', tookMs: number, tried: string[]): FetchRung {
  return {
    rung: name,
    fetchMethod: name,
    network: 'ours',
    runsScripts: name === 'headless',
    costMicroUsd: 0,
    async fetch({ url, deadline }: FetchRequest): Promise<RungResult> {
      tried.push(name);
      const leftMs = deadline.remainingMs();
      nowMs += Math.min(tookMs, leftMs);
      return leftMs < tookMs ? TIMED_OUT : { ok: true, page: pageOf(url.href) };
    },
  };
}

function pageOf(url: string): Extract<RungResult, { readonly page: unknown }>['page'] {
  const body = new TextEncoder().encode(HTML);
  return {
    ...{ url, statusCode: 200, contentType: 'text/html', headers: {}, body, bytes: body.length },
    ...{ isCut: false, isRendered: false, redirects: [] },
    timings: { dnsMs: 0, connectMs: 0, tlsMs: 0, ttfbMs: 0, downloadMs: 0 },
  };
}

function fetcherOf(rungs: readonly FetchRung[]): PageFetcher {
  const run = async (task: PageTask) => contentSteps.convert({ ...task, maxCpuMs: 60_000 });
  return new PageFetcher({
    rungs,
    robots: {
      check: async () => ({ refusal: null, crawlDelayMs: null }),
      siteUse: async () => ({}),
    },
    converters: { content: { run } },
    hosts: { recall: async () => null, learn: async () => {}, confirmCheap: async () => {} },
    ...{ metrics: new Metrics(), maxBytes: 1_000_000, costCeilingMicroUsd: 0 },
  } as unknown as PageFetcherOptions);
}

describe('the homepage of a map', () => {
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => jest.restoreAllMocks());

  async function mapped(tookMs: number) {
    const tried: string[] = [];
    const rungs = [slowRung('plain', tookMs, tried), slowRung('headless', 0, tried)];
    const task: MapTask = {
      ...{ requestId: 'r', tenantId: 't', plan: 'pro', url: 'https://a.example/', limit: 100 },
      ...{ search: null, deadlineAtMs: nowMs + BUDGET_MS },
    };
    const startedAtMs = nowMs;
    const terms = termsOf(task, new AbortController().signal);
    const home = await linksOfPages(fetcherOf(rungs), [terms.origin], terms);
    return { home, tried, spentMs: nowMs - startedAtMs };
  }

  // A browser would wait for the same slow site: no time is reserved for it.
  it.each([0.1, 0.6, 0.85])('is read though it takes %d of the time', async (part) => {
    const { home, tried } = await mapped(BUDGET_MS * part);
    expect(home).toMatchObject({ files: [[{ url: 'https://a.example/in' }]], failure: null });
    expect(tried).toEqual(['plain']);
  });

  it('is aborted when the time is nearly over, and not before', async () => {
    const { home, tried, spentMs } = await mapped(BUDGET_MS);
    expect(home).toMatchObject({ files: [], isLate: true, failure: { kind: 'failed' } });
    expect(tried).toEqual(['plain']);
    expect(spentMs / BUDGET_MS).toBeGreaterThan(0.85);
    expect(spentMs).toBeLessThan(BUDGET_MS);
  });
});

/** A page as its fetch ends: with links, at a URL after redirects; or not at all. */
type Ending =
  { readonly url?: string; readonly links: readonly string[] } | 'gone' | 'late' | 'blocked';

describe('the given page and the homepage of a map', () => {
  const HOME = 'https://a.example/';
  const PAGE = 'https://a.example/project/';
  const [THERE, MOVED] = ['https://a.example/there', 'https://b.example/moved'];

  function resultOf(url: string, ending: Ending): object {
    if (ending === 'blocked') return { kind: 'blocked' };
    if (ending === 'late') return { kind: 'failed', problem: url, errorClass: 'timeout' };
    if (ending === 'gone') return { kind: 'failed', problem: url, errorClass: 'http_error' };
    return { kind: 'document', document: { url, contentType: null, metadata: {}, ...ending } };
  }

  async function read(page: Ending, home: Ending): Promise<PageLinks> {
    const endings: Readonly<Record<string, Ending>> = { [PAGE]: page, [HOME]: home };
    const pages = {
      fetch: async ({ url }) => resultOf(url, endings[url] ?? 'gone'),
    } as PageFetcher;
    const task: MapTask = {
      ...{ requestId: 'r', tenantId: 't', plan: 'pro', url: PAGE, limit: 100 },
      ...{ search: null, deadlineAtMs: Date.now() + BUDGET_MS },
    };
    const terms = termsOf(task, new AbortController().signal);
    return linksOfPages(pages, [terms.page ?? terms.origin, terms.origin], terms);
  }

  const urlsOf = ({ files }: PageLinks) => files.map((links) => links.map(({ url }) => url));
  const both = [THERE, MOVED];

  it.each<[string, Ending, Ending, readonly (readonly string[])[]]>([
    ['of both, the given page first', { links: [THERE] }, { links: [PAGE] }, [[THERE], [PAGE]]],
    ['of one, while the other fails', 'gone', { links: both }, [[THERE]]],
    ['of the site, while its homepage moved', { links: both }, { url: MOVED, links: both }, [[THERE], [THERE]]],
    ['of the site, while the page is elsewhere', { url: MOVED, links: both }, { links: both }, [[THERE], [THERE]]],
    ['of its new host, when a site moved', { url: MOVED, links: both }, { url: MOVED, links: both }, [[MOVED], [MOVED]]],
    ['of the site, when only the page remains and is elsewhere', { url: MOVED, links: both }, 'gone', [[THERE]]],
  ])('have the links %s', async (_name, page, home, expected) => {
    expect(urlsOf(await read(page, home))).toEqual(expected);
  }); // prettier-ignore

  it.each<[Ending, Ending, PageLinks['failure'], boolean]>([
    ['gone', 'gone', { kind: 'failed', problem: PAGE, isLate: false }, false],
    ['gone', 'late', { kind: 'failed', problem: PAGE, isLate: false }, true],
    ['blocked', 'gone', { kind: 'failed', problem: HOME, isLate: false }, false],
    ['blocked', 'blocked', { kind: 'blocked' }, false],
    [{ links: [] }, 'late', null, true],
    [{ links: [] }, 'blocked', null, false],
  ])('that end as %j and %j report %j, late: %s', async (page, home, failure, isLate) => {
    expect(await read(page, home)).toMatchObject({ failure, isLate });
  });
});
