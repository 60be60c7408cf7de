import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { MAX_SITEMAP_BYTES, type SitemapFile } from '@app/crawl';
import { BlockedUrlError, EgressGuard, HttpClient, parseAllowPrivate } from '@app/egress';
import {
  PlainRung,
  type FetchedPage,
  type FetchRequest,
  type FetchRung,
  type RungResult,
} from '@app/fetch';
import type { ClaimedPage } from '../../frontier/claim-pages.js';
import { claimedPage, documentResult } from '../../../test/claimed-page.js';
import { endPage } from '../page-ending.js';
import { NOT_REQUESTED } from '../../../../scrape/src/page/page-result.js';
import { RequestPace, scopeOf, ThreadTimeoutError, type SitemapSteps } from '@app/scrape';
import { RedirectRefused, type RobotsGate } from '../../../../scrape/src/page/robots-gate.js';
import { scopeOptions } from '../job-page-request.js';
import { SitemapPages, type SitemapReader } from './sitemap-pages.js';

const URL_TEXT = 'http://site.example/sitemap.xml';
const FORBIDDEN = { ...NOT_REQUESTED, errorClass: 'robots', problem: 'no' } as const;

const fetched = (over: Partial<FetchedPage> = {}): RungResult => ({
  ok: true,
  page: {
    url: URL_TEXT,
    statusCode: 200,
    contentType: 'application/xml',
    headers: {},
    body: new Uint8Array(4),
    bytes: 4,
    isCut: false,
    redirects: [],
    timings: {},
    isRendered: false,
    ...over,
  },
});
const listing = (...locs: string[]): SitemapFile => ({
  kind: 'urlset',
  links: locs.map((loc) => ({ loc })),
  children: [],
  cuts: [],
});

interface Fixture {
  readonly rung?: FetchRung;
  readonly answer?: () => Promise<RungResult>;
  readonly read?: SitemapSteps['read'];
  readonly robots?: Partial<RobotsGate>;
}

function fixtureOf({ rung, answer, read, robots }: Fixture = {}) {
  const asked: FetchRequest[] = [];
  const answered: FetchRung = {
    rung: 'plain',
    fetchMethod: 'plain',
    network: 'ours',
    runsScripts: false,
    costMicroUsd: 0,
    fetch: async (request) => {
      asked.push(request);
      return answer ? answer() : fetched();
    },
  };
  const gate = {
    check: async () => ({ refusal: null, crawlDelayMs: null }),
    followRedirect: async () => null,
    sitemaps: async () => [],
    ...robots,
  } as unknown as RobotsGate;
  const reading = read ?? (async () => listing('http://site.example/docs/b'));
  const run = (_step: string, file: Parameters<typeof reading>[0]) => reading(file);
  const reader: SitemapReader = { run: run as never };
  const pages = new SitemapPages({
    rung: rung ?? answered,
    robots: gate,
    reader,
    fetchTimeoutMs: 60_000,
    maxAttempts: 3,
  });
  const { signal } = new AbortController();
  const terms = { signal, pace: new RequestPace(signal) };
  const sitemap = (over: Parameters<typeof claimedPage>[0] = {}): ClaimedPage =>
    claimedPage({ url: URL_TEXT, kind: 'sitemap', depth: 0, jobId: URL_TEXT, ...over });
  return {
    asked,
    pages,
    terms,
    work: (over?: Parameters<typeof sitemap>[0]) => pages.work(sitemap(over), terms),
  };
}

describe('a page that is a sitemap', () => {
  it('is fetched by the plain rung, read, and leads to its entries', async () => {
    const fixture = fixtureOf();
    expect(await fixture.work()).toMatchObject({
      outcome: { state: 'skipped', reason: 'sitemap', statusCode: 200, rung: 'plain', credits: 0 },
      found: [{ url: 'http://site.example/docs/b', depth: 1 }],
      crawlDelayMs: null,
    });
    expect(fixture.asked[0]?.options.headers['accept']).toContain('application/xml');
  });

  it('is passed to its reader as it was sent', async () => {
    const sizes: number[] = [];
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(MAX_SITEMAP_BYTES, ' ')));
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const allowPrivate = parseAllowPrivate(`site.example:${port}`);
    const resolver = { resolve: async () => ['127.0.0.1'] };
    const http = new HttpClient({
      guard: new EgressGuard({ resolver, allowPrivate }),
      userAgent: 'T',
      connectTimeoutMs: 60_000,
    });
    try {
      const fixture = fixtureOf({
        rung: new PlainRung(http),
        read: async ({ body }) => {
          sizes.push(body.byteLength);
          return listing('http://site.example/docs/b');
        },
      });
      const ending = await fixture.work({ url: `http://site.example:${port}/sitemap.xml` });
      expect(ending).toMatchObject({ outcome: { state: 'skipped', reason: 'sitemap' } });
      expect(sizes).toEqual([bomb.byteLength]);
      expect(bomb.byteLength).toBeLessThan(100_000);
    } finally {
      await http.close();
      server.close();
    }
  });

  it.each<[string, Fixture, object]>([
    [
      'that robots.txt forbids is left unread',
      { robots: { check: async () => ({ refusal: FORBIDDEN, crawlDelayMs: 1_000 }) } },
      { outcome: { state: 'skipped', reason: 'sitemap', statusCode: null }, crawlDelayMs: 1_000 },
    ],
    [
      'that the guard refuses is left unread',
      { answer: () => Promise.reject(new BlockedUrlError('dns', URL_TEXT)) },
      { outcome: { state: 'skipped', reason: 'sitemap' } },
    ],
    [
      'that redirects to a disallowed URL is left unread',
      { answer: () => Promise.reject(new RedirectRefused(FORBIDDEN)) },
      { outcome: { state: 'skipped', reason: 'sitemap' } },
    ],
    [
      'that is missing leads to the second place',
      { answer: async () => fetched({ statusCode: 404 }) },
      { outcome: { statusCode: 404 }, found: [{ url: 'http://site.example/sitemap_index.xml' }] },
    ],
    [
      'that lists nothing leads to the second place',
      { read: async () => ({ ...listing(), kind: 'unknown' }) },
      { outcome: { statusCode: 200 }, found: [{ url: 'http://site.example/sitemap_index.xml' }] },
    ],
    [
      'in a coding that was not requested is left unread',
      { answer: async () => fetched({ headers: { 'content-encoding': 'br' } }) },
      { outcome: { state: 'skipped', reason: 'sitemap', statusCode: 200 }, found: [] },
    ],
    [
      'whose host requests a pause waits that long',
      { answer: async () => fetched({ statusCode: 503, headers: { 'retry-after': '30' } }) },
      { outcome: { state: 'pending', retryInMs: 30_000 }, signal: { kind: 'backoff' } },
    ],
    [
      'that takes too long to read is tried again',
      { read: () => Promise.reject(new ThreadTimeoutError('deadline')) },
      { outcome: { state: 'pending' } },
    ],
  ])('%s', async (_, options, ending) => {
    expect(await fixtureOf(options).work()).toMatchObject(ending);
  });

  it('reports internal faults', async () => {
    const broken = new Error('broken');
    await expect(fixtureOf({ read: () => Promise.reject(broken) }).work()).rejects.toBe(broken);
    // And holds no place afterwards.
    const fixture = fixtureOf({ read: () => Promise.reject(broken) });
    for (let n = 0; n < 9; n++) await expect(fixture.work()).rejects.toBe(broken);
  });

  it('gets the caller’s headers on the origin of the seed alone', async () => {
    const { options } = claimedPage();
    const fetch = { ...options.scrape.fetch, headers: { 'x-key': 'k' } };
    const scrape = { ...options.scrape, fetch };
    const fixture = fixtureOf();
    await fixture.work({ options: { scrape } });
    await fixture.work({ options: { scrape }, url: 'http://cdn.example/s.xml' });
    expect(fixture.asked.map(({ options: { headers } }) => headers['x-key'])).toEqual([
      'k',
      undefined,
    ]);
  });
});

describe('the end of a seed', () => {
  const seed = claimedPage({ url: 'http://site.example/docs/', depth: 0 });
  const result = documentResult({ url: seed.url });
  const ended = (page = seed) =>
    endPage(page, result, { scope: scopeOf('seed', scopeOptions(page)), maxAttempts: 3 });

  it('adds the sitemaps of its site after its links', async () => {
    const { pages, terms } = fixtureOf({ robots: { sitemaps: async () => ['/a.xml'] } });
    expect((await pages.seeded(ended(), result, terms)).found).toMatchObject([
      { url: 'http://site.example/a.xml', kind: 'sitemap' },
    ]);
  });

  it('adds a seed that is a feed itself, without a look at robots.txt for sitemaps', async () => {
    const sitemaps = () => Promise.reject(new Error('requested'));
    const { pages, terms } = fixtureOf({ robots: { sitemaps } });
    const url = 'http://site.example/docs/feed';
    const page = claimedPage({ url, seed: url, depth: 0, options: { sitemap: 'skip' } });
    const feed = documentResult({ url, contentType: 'application/atom+xml' });
    const scope = scopeOf('feed', scopeOptions(page));
    const ending = endPage(page, feed, { scope, maxAttempts: 3 });
    expect((await pages.seeded(ending, feed, terms)).found).toMatchObject([
      { url, kind: 'sitemap', depth: 0 },
    ]);
  });

  it('requests the default sitemaps where robots.txt cannot be read', async () => {
    const blocked = () => Promise.reject(new BlockedUrlError('dns', URL_TEXT));
    const { pages, terms } = fixtureOf({ robots: { sitemaps: blocked } });
    expect((await pages.seeded(ended(), result, terms)).found).toMatchObject([
      { url: 'http://site.example/docs/sitemap.xml' },
      { url: URL_TEXT },
    ]);
  });

  it.each<[string, Parameters<typeof claimedPage>[0]]>([
    ['wants none', { options: { sitemap: 'skip' } }],
    ['is of one page', { pageLimit: 1 }],
  ])('adds none to a crawl that %s', async (_, over) => {
    const { pages, terms } = fixtureOf();
    const page = claimedPage({ url: seed.url, depth: 0, ...over });
    expect((await pages.seeded(ended(page), result, terms)).found).toEqual([]);
  });

  it('adds none when the seed failed or is retried', async () => {
    const { pages, terms } = fixtureOf();
    const failed = { ...NOT_REQUESTED, errorClass: 'timeout', problem: '' } as const;
    const ending = endPage(seed, failed, {
      scope: scopeOf('seed', scopeOptions(seed)),
      maxAttempts: 3,
    });
    expect((await pages.seeded(ending, failed, terms)).found).toEqual([]);
  });
});
