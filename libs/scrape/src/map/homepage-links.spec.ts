import type { MapTask } from '@app/contracts';
import { extractPage } from '@app/content';
import type { FetchRequest, FetchRung, RungResult } from '@app/fetch';
import { Metrics } from '@app/telemetry';
import { PageFetcher, type PageFetcherOptions } from '../page/page-fetcher.js';
import type { PageTask } from '../content/content-task.js';
import { homepageLinks } from './homepage-links.js';
import { termsOf } from './map-terms.js';

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
  const run = async ({ body, contentType, url, options }: PageTask) => {
    const asked = { markdown: false, rawHtml: false, links: true, content: options };
    return { content: extractPage({ body, contentType, url }, asked), found: [] };
  };
  return new PageFetcher({
    rungs,
    robots: { check: async () => ({ refusal: null, crawlDelayMs: null }) },
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
    const home = await homepageLinks(fetcherOf(rungs), termsOf(task, new AbortController().signal));
    return { home, tried, spentMs: nowMs - startedAtMs };
  }

  // A browser would wait for the same slow site: no time is reserved for it.
  it.each([0.1, 0.6, 0.85])('is read though it takes %d of the time', async (part) => {
    const { home, tried } = await mapped(BUDGET_MS * part);
    expect(home).toMatchObject({
      kind: 'page',
      links: [{ url: 'https://a.example/in' }],
    });
    expect(tried).toEqual(['plain']);
  });

  it('is aborted when the time is nearly over, and not before', async () => {
    const { home, tried, spentMs } = await mapped(BUDGET_MS);
    expect(home).toMatchObject({ kind: 'failed', errorClass: 'timeout' });
    expect(tried).toEqual(['plain']);
    expect(spentMs / BUDGET_MS).toBeGreaterThan(0.85);
    expect(spentMs).toBeLessThan(BUDGET_MS);
  });
});
