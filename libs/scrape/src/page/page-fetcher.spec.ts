import {
  Deadline,
  DEFAULT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  type ErrorClass,
  type FetchOptions,
} from '@app/contracts';
import { HttpFetchError } from '@app/egress';
import { PLAIN_RENDER, type FetchedPage, type FetchRung, type RungResult } from '@app/fetch';
import { Metrics } from '@app/telemetry';
import type { PageTask } from '../content/content-task.js';
import { contentSteps } from '../content/content.worker.js';
import { PageFetcher, type PageFetcherOptions } from './page-fetcher.js';
import { NOT_REQUESTED, type PageRequest } from './page-result.js';
import { RedirectRefused } from './robots-gate.js';

const failing = (errorClass: ErrorClass, statusCode: number | null = null): RungResult => ({
  ok: false,
  failure: { errorClass, problem: '', statusCode, retryAfterMs: null },
});

const rung = (name: 'plain' | 'headless', result: RungResult, costMicroUsd = 0): FetchRung => ({
  rung: name,
  fetchMethod: name,
  network: 'ours',
  runsScripts: name === 'headless',
  costMicroUsd,
  fetch: () => Promise.resolve(result),
});

/** The calls that the memory of a host received. The host is known to need a browser. */
async function memoryCalls(
  headless: RungResult,
  { costMicroUsd = 0, fetch = {} }: { costMicroUsd?: number; fetch?: Partial<FetchOptions> } = {},
): Promise<readonly string[]> {
  const calls: string[] = [];
  const hosts = {
    recall: async () => ({
      shape: '/',
      rung: 'headless',
      errorClass: 'js_shell',
      ageMs: 1,
      isProbe: false,
    }),
    learn: async () => void calls.push('learn'),
    confirmCheap: async () => void calls.push('confirmCheap'),
    forget: async () => void calls.push('forget'),
  };
  const pages = new PageFetcher({
    rungs: [rung('plain', failing('network')), rung('headless', headless, costMicroUsd)],
    robots: {
      check: async () => ({ refusal: null, crawlDelayMs: null }),
      siteUse: async () => ({}),
    },
    hosts,
    metrics: new Metrics(),
    maxBytes: 1,
    costCeilingMicroUsd: 1_000,
  } as unknown as PageFetcherOptions);
  await pages.fetch(pageRequest(fetch));
  return calls;
}

function pageRequest(fetch: Partial<FetchOptions>): PageRequest {
  return {
    url: 'http://a.example/',
    deadline: Deadline.after(60_000),
    ignoreRobotsTxt: false,
    outputs: { markdown: true },
    fetch: { ...DEFAULT_FETCH_OPTIONS, ...fetch },
    content: DEFAULT_CONTENT_OPTIONS,
    render: PLAIN_RENDER,
    onRetryAfter: 'report',
    crawl: null,
  };
}

describe('the memory of a host', () => {
  it.each<[string, RungResult]>([
    ['the rung is turned away', failing('blocked', 403)],
    ['the rung takes too long', failing('timeout')],
  ])('is forgotten when %s', async (_name, result) => {
    expect(await memoryCalls(result)).toEqual(['forget']);
  });

  it.each<[string, RungResult]>([
    ['is missing', failing('http_error', 404)],
    ['fails on the server', failing('http_error', 500)],
    ['cannot be connected to', failing('network')],
    ['is a download', failing('parse_error')],
  ])('outlasts a page that %s', async (_name, result) => {
    expect(await memoryCalls(result)).toEqual([]);
  });

  it('outlasts a request that would not pay for the rung', async () => {
    const options = { costMicroUsd: 5, fetch: { costCeilingMicroUsd: 0 } };
    expect(await memoryCalls(failing('timeout'), options)).toEqual([]);
  });

  it.each<[string, Partial<FetchOptions>]>([
    ['cookies', { cookies: 'a=b' }],
    ['headers', { headers: { 'user-agent': 'x' } }],
  ])('is not shaped by a request with %s of its own', async (_name, fetch) => {
    expect(await memoryCalls(failing('timeout'), { fetch })).toEqual([]);
  });
});

describe('a page that is only guessed to be a shell', () => {
  const PROSE = 'Prices of the yard are valid from the first of May until the end of the season. ';
  const shellWith = (main: string): string =>
    `<main><h1>Prices</h1><p>${PROSE.repeat(3)}</p>${main}</main><script src="/p.js"></script>`;
  const SHELL = shellWith('<div id="rows"></div>');
  const FILLED = shellWith('<div id="rows">Lift out 180, wash 60, winter storage 420</div>');

  const brought = (html: string, isRendered: boolean): RungResult => {
    const body = new TextEncoder().encode(html);
    const page: FetchedPage = {
      ...{ url: 'http://a.example/', statusCode: 200, contentType: 'text/html', headers: {} },
      ...{ body, bytes: body.length, isCut: false, redirects: [], timings: {}, isRendered },
    };
    return { ok: true, page };
  };
  const run = async (task: PageTask) => contentSteps.convert({ ...task, maxCpuMs: 60_000 });

  /** The attempts, the page's reason to be partial, and what the memory of the host received. */
  async function fetched(
    { plain, rendered }: { readonly plain: string; readonly rendered: string | null },
    recalled: object | null = null,
  ) {
    const calls: unknown[] = [];
    const keep =
      (name: string) =>
      async (_url: URL, ...rest: unknown[]) =>
        void calls.push([name, ...rest]);
    const pages = new PageFetcher({
      rungs: [
        rung('plain', brought(plain, false)),
        rung('headless', rendered === null ? failing('unknown') : brought(rendered, true)),
      ],
      robots: {
        check: async () => ({ refusal: null, crawlDelayMs: null }),
        siteUse: async () => ({}),
      },
      converters: { content: { run } },
      hosts: {
        recall: async () => recalled,
        ...{ learn: keep('learn'), forget: keep('forget'), confirmCheap: keep('confirmCheap') },
      },
      metrics: new Metrics(),
      maxBytes: 1,
      costCeilingMicroUsd: 1_000,
    } as unknown as PageFetcherOptions);
    const result = await pages.fetch(pageRequest({}));
    if (result.kind !== 'document') throw new Error(result.kind);
    const { cascade, partialReason = null } = result.document;
    return { rungs: cascade.attempts.map((one) => one.rung), partialReason, calls };
  }

  const WHOLE = { shape: '/', rung: 'plain', errorClass: 'js_shell', ageMs: 1, isProbe: false };

  it('is rendered, and the next of its shape begin in the browser, where that brought content', async () => {
    expect(await fetched({ plain: SHELL, rendered: FILLED })).toEqual({
      rungs: ['plain', 'headless'],
      partialReason: null,
      calls: [['learn', 'headless', 'js_shell']],
    });
  });

  it('teaches that the next ones are whole where rendering added nothing', async () => {
    const { rungs, calls } = await fetched({ plain: SHELL, rendered: SHELL });
    expect(rungs).toEqual(['plain', 'headless']);
    expect(calls).toEqual([['learn', 'plain', 'js_shell']]);
  });

  it('is not rendered where such pages are known to be whole, but for a probe', async () => {
    const next = { plain: SHELL, rendered: FILLED };
    expect((await fetched(next, WHOLE)).rungs).toEqual(['plain']);
    const probed = await fetched(next, { ...WHOLE, isProbe: true });
    expect(probed.rungs).toEqual(['plain', 'headless']);
    expect(probed.calls).toEqual([['learn', 'headless', 'js_shell']]);
  });

  it('is rendered all the same where the page itself says that it loads', async () => {
    const plain = '<h1>Prices</h1><div id="rows">Loading…</div><script src="/p.js"></script>';
    const { rungs } = await fetched({ plain, rendered: FILLED }, WHOLE);
    expect(rungs).toEqual(['plain', 'headless']);
  });

  it('is partial where no browser could render it', async () => {
    const { rungs, partialReason, calls } = await fetched({ plain: SHELL, rendered: null });
    expect({ rungs, partialReason, calls }).toEqual({
      rungs: ['plain', 'headless'],
      partialReason: 'js_shell',
      calls: [],
    });
  });
});

describe('the attempts of a page that robots.txt ends', () => {
  const FORBIDDEN = { ...NOT_REQUESTED, errorClass: 'robots', problem: 'no' } as const;
  const hosts = { recall: async () => null };

  async function attemptsOf(
    rungs: readonly FetchRung[],
    check: (url: URL) => Promise<unknown>,
    fetch: Partial<FetchOptions> = {},
  ) {
    const metrics = new Metrics();
    const pages = new PageFetcher({
      ...{ rungs, hosts, metrics, maxBytes: 1, costCeilingMicroUsd: 1_000 },
      robots: {
        check,
        followRedirect: async () => {
          throw new RedirectRefused(FORBIDDEN);
        },
      },
    } as unknown as PageFetcherOptions);
    const result = await pages.fetch(pageRequest(fetch));
    if (result.kind !== 'failed') throw new Error(result.kind);
    return result.report.attempts.map(({ rung: name, ok, errorClass }) => [name, ok, errorClass]);
  }

  const allowed = async () => ({ refusal: null, crawlDelayMs: null });
  const both = [rung('plain', failing('network')), rung('headless', failing('network'))];

  it.each<[Partial<FetchOptions>, string]>([
    [{}, 'plain'],
    [{ forceHeadless: true }, 'headless'],
  ])('name the rung that would have run (%j)', async (fetch, name) => {
    const ask = async () => ({ refusal: FORBIDDEN, crawlDelayMs: null });
    expect(await attemptsOf(both, ask, fetch)).toEqual([[name, false, 'robots']]);
  });

  it('name it where the wait for robots.txt was cut', async () => {
    const ask = () => Promise.reject(new HttpFetchError('timeout', 'deadline'));
    expect(await attemptsOf(both, ask)).toEqual([['plain', false, 'timeout']]);
  });

  it('are those before, and the rung that met the redirect', async () => {
    const redirected: FetchRung = {
      ...rung('headless', failing('network')),
      fetch: async (request) => {
        await request.onRedirect?.(new URL('http://b.example/'));
        return failing('network');
      },
    };
    expect(await attemptsOf([rung('plain', failing('blocked')), redirected], allowed)).toEqual([
      ['plain', false, 'blocked'],
      ['headless', false, 'robots'],
    ]);
  });

  it('are none where no rung can serve the request', async () => {
    const ask = async () => ({ refusal: FORBIDDEN, crawlDelayMs: null });
    const plain = [rung('plain', failing('network'))];
    expect(await attemptsOf(plain, ask, { forceHeadless: true })).toEqual([]);
  });
});
