import {
  DEFAULT_JOB_SCRAPE,
  type CascadeReport,
  type ErrorClass,
  type PageDocument,
} from '@app/contracts';
import { urlKey } from '@app/crawl';
import { docsScope as scope } from '../../test/claimed-page.js';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import { endPage, faulty, postponed } from './page-ending.js';
import type { PageResult } from '@app/scrape';

const URL_TEXT = 'http://site.example/docs/a';
const context = { scope, maxAttempts: 3 };
const REPORT: CascadeReport = {
  level: 1,
  attempts: [{ rung: 'plain', level: 1, ok: true, latencyMs: 20, errorClass: null }],
  unblock: [],
};

const claimed = (over: Partial<ClaimedPage> = {}): ClaimedPage => ({
  jobId: 'j',
  urlKey: urlKey(new URL(URL_TEXT)),
  url: URL_TEXT,
  depth: 1,
  kind: 'page',
  position: null,
  stored: null,
  fence: 1,
  attempts: 1,
  tenantId: 't',
  jobType: 'crawl',
  plan: 'custom',
  seed: 'http://site.example/docs/',
  scopeUrl: 'http://site.example/docs/',
  options: {
    maxDepth: null,
    includePaths: [],
    excludePaths: [],
    allowBackwardLinks: false,
    ignoreRobotsTxt: false,
    sitemap: 'skip',
    scrape: DEFAULT_JOB_SCRAPE,
  },
  pageLimit: 10,
  maxDiscovered: 10,
  dueInMs: 0,
  ...over,
});

const failed = (
  errorClass: ErrorClass,
  statusCode: number | null = null,
  retryAfterMs: number | null = null,
): Extract<PageResult, { kind: 'failed' }> => ({
  kind: 'failed',
  errorClass,
  problem: '',
  statusCode,
  retryAfterMs,
  report: REPORT,
  crawlDelayMs: null,
});

const document = (over: Partial<PageDocument> = {}): PageResult => ({
  kind: 'document',
  document: {
    url: URL_TEXT,
    sourceUrl: URL_TEXT,
    statusCode: 200,
    contentType: 'text/html',
    markdown: 'x',
    metadata: {},
    fetchMethod: 'plain',
    latencyMs: 20,
    cascade: REPORT,
    ...over,
  },
  validators: {},
  isNoStore: false,
  ttfbMs: null,
  screenshot: null,
  found: [],
  crawlDelayMs: null,
});

describe('endPage', () => {
  it.each<[string, PageResult, number, object]>([
    ['a timeout is tried again', failed('timeout'), 1, { state: 'pending', retryInMs: 1_000 }],
    [
      'a timeout on the last attempt fails',
      failed('timeout'),
      3,
      { state: 'failed', reason: 'timeout' },
    ],
    [
      '503 waits for its Retry-After',
      failed('http_error', 503, 9_000),
      1,
      { state: 'pending', retryInMs: 9_000 },
    ],
    [
      '404 fails at once',
      failed('http_error', 404),
      1,
      { state: 'failed', reason: 'http_error', statusCode: 404 },
    ],
    [
      'robots.txt that cannot be read is tried again',
      { ...failed('http_error', 503, 5_000), isRobotsUnread: true },
      1,
      { state: 'pending', reason: null },
    ],
    [
      'robots.txt that cannot be read is the reason',
      { ...failed('http_error', 503), isRobotsUnread: true },
      3,
      { state: 'failed', reason: 'robots', statusCode: 503 },
    ],
    [
      'robots.txt that does not come is the reason',
      { ...failed('timeout'), isRobotsUnread: true },
      3,
      { state: 'failed', reason: 'robots', statusCode: null },
    ],
    [
      'robots.txt on a broken connection is the reason',
      { ...failed('network'), isRobotsUnread: true },
      3,
      { state: 'failed', reason: 'robots', statusCode: null },
    ],
    ['robots is a skip', failed('robots'), 1, { state: 'skipped', reason: 'robots' }],
    ['a file is a skip', failed('parse_error', 200), 1, { state: 'skipped', reason: 'not_a_page' }],
    [
      'a refusal of the guard is a skip',
      { kind: 'blocked', url: URL_TEXT },
      1,
      { state: 'skipped', reason: 'blocked' },
    ],
    [
      'a page is scraped for a credit',
      document(),
      1,
      { state: 'scraped', reason: null, credits: 1, alias: null, rung: 'plain' },
    ],
    [
      'a blank page costs nothing',
      document({ partialReason: 'empty' }),
      1,
      { state: 'scraped', credits: 0 },
    ],
    [
      'a redirect within scope has an alias',
      document({ url: 'http://site.example/docs/b' }),
      1,
      { state: 'scraped', alias: { url: 'http://site.example/docs/b', host: 'site.example' } },
    ],
    [
      'a redirect out of scope is a skip',
      document({ url: 'http://other.example/' }),
      1,
      { state: 'skipped', reason: 'external', alias: null },
    ],
    [
      'a redirect above the seed is a skip',
      document({ url: 'http://site.example/' }),
      1,
      { state: 'skipped', reason: 'backward' },
    ],
  ])('%s', (_, result, attempts, expected) => {
    expect(endPage(claimed({ attempts }), result, context).outcome).toMatchObject(expected);
  });

  it('follows the redirect of the seed wherever on the site it leads', () => {
    const ended = endPage(
      claimed({ depth: 0 }),
      document({ url: 'http://site.example/en/' }),
      context,
    );
    expect(ended.outcome).toMatchObject({
      state: 'scraped',
      alias: { url: 'http://site.example/en/' },
    });
  });

  it.each<[PageResult, string]>([
    [document(), 'answered'],
    [failed('timeout'), 'backoff'],
    [failed('http_error', 429, 100), 'backoff'],
    [failed('http_error', 500), 'silent'],
    [failed('robots'), 'silent'],
  ])('reports the answer of the host to its window (%#)', (result, kind) => {
    expect(endPage(claimed(), result, context).signal.kind).toBe(kind);
  });

  it('returns a page whose host requested a pause, until the pause ends', () => {
    expect(postponed(claimed({ dueInMs: 30_000 }))).toMatchObject({
      outcome: { state: 'pending', reason: null, retryInMs: 30_000 },
      signal: { kind: 'silent' },
    });
  });

  it('stores a document only with a scraped page', () => {
    expect(JSON.parse(String(endPage(claimed(), document(), context).document))).toMatchObject({
      url: URL_TEXT,
      ok: true,
    });
    expect(
      endPage(claimed(), document({ url: 'http://other.example/' }), context).document,
    ).toBeNull();
    expect(faulty(claimed())).toMatchObject({
      document: null,
      outcome: { state: 'failed', reason: 'unknown' },
    });
  });
});
