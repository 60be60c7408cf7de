import type { ErrorClass } from '@app/contracts';
import type { PageResult } from '@app/scrape';
import {
  claimedPage as claimed,
  docsScope as scope,
  documentResult as document,
  REPORT,
} from '../../test/claimed-page.js';
import { endPage, leftOut, faulty, isStored, postponed } from './page-ending.js';

const URL_TEXT = 'http://site.example/docs/a';
const context = { scope, maxAttempts: 3 };
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
    [
      'a use that the site does not allow is a skip',
      { ...failed('robots'), refusedUse: { aiTrain: false, sources: ['robots.txt'] } },
      1,
      { state: 'skipped', reason: 'content_use' },
    ],
    [
      'a use that the page itself does not allow is a skip',
      { ...failed('robots', 200), refusedUse: { aiTrain: false, sources: ['meta'] } },
      1,
      { state: 'skipped', reason: 'content_use', statusCode: 200, credits: 0 },
    ],
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

describe('a page of a crawl with `modifiedSince`', () => {
  const options = { modifiedSince: '2026-11-02T10:00:00.000Z' };
  const dated = (lastModified?: string) =>
    document(
      {},
      {
        validators: lastModified === undefined ? {} : { lastModified },
        found: [{ ...link, url: `${URL_TEXT}/b` }],
      },
    );
  const link = { urlKey: 'b', host: 'site.example', depth: 2, skip: null, parentKey: null };
  const OLD = 'Mon, 02 Nov 2026 09:59:59 GMT';

  it('is not stored if its site says that it is older; its links are followed', () => {
    const ended = endPage(claimed({ options }), dated(OLD), context);
    expect(ended).toMatchObject({
      outcome: { state: 'skipped', reason: 'not_modified', statusCode: 200, credits: 0 },
      ...{ document: null, found: [{ urlKey: 'b', skip: null }] },
    });
    expect(isStored(claimed({ options }), dated(OLD), scope)).toBe(false);
  });

  it.each<[string, Parameters<typeof claimed>[0], string | undefined]>([
    ['of that instant', { options }, 'Mon, 02 Nov 2026 10:00:00 GMT'],
    ['without a date', { options }, undefined],
    ['with a date that is none', { options }, '-1'],
    ['where the crawl begins', { options, depth: 0 }, OLD],
    ['of another crawl', {}, OLD],
  ])('is stored %s', (_, over, lastModified) => {
    expect(endPage(claimed(over), dated(lastModified), context).outcome).toMatchObject({
      state: 'scraped',
    });
  });
});

describe('a page that the crawl before has', () => {
  const HASH = 'ab'.repeat(16);
  const stored = { key: 'jobs/t/before/s1', offset: 5, bytes: 7 };
  const known = (over: Parameters<typeof claimed>[0] = {}) =>
    claimed({
      options: { since: 'before' },
      stored,
      baseHash: HASH,
      validators: { etag: '"1"' },
      ...over,
    });
  const ended = (page: ReturnType<typeof claimed>, result: PageResult) => {
    const { outcome, inherited, document: json } = endPage(page, result, context);
    return { ...outcome, inherited, isStored: json !== null };
  };
  const same = { state: 'scraped', reason: 'same', inherited: stored, isStored: false, credits: 0 };
  const full = (over: object = {}, etag = '"1"') =>
    document({}, { contentKey: HASH, validators: { etag }, ...over });

  it('is the same when the site says so', () => {
    const result = { kind: 'not_modified', report: REPORT } as const;
    expect(ended(known(), result)).toMatchObject({
      ...{ ...same, isUnchanged: true, contentHash: HASH, validators: '"1"\n', statusCode: 304 },
      ...{ rung: 'plain', latencyMs: 20 },
    });
    expect(ended(known({ stored: null }), result)).toMatchObject({ state: 'failed' });
  });

  it('is the same when its content is, with the validators that it has now', () => {
    expect(ended(known(), full({}, '"2"'))).toMatchObject({
      ...{ ...same, isUnchanged: true, validators: '"2"\n', belies: false },
    });
  });

  it('is stored anew where nothing is inherited', () => {
    expect(ended(known({ stored: null }), full())).toMatchObject({
      ...{ reason: 'same', isStored: true, inherited: null, isUnchanged: true },
    });
  });

  it('costs a credit where it had to be rendered to be compared', () => {
    const cascade = {
      ...REPORT,
      level: 2,
      attempts: REPORT.attempts.map((one) => ({ ...one, rung: 'headless' as const, level: 2 })),
    };
    const rendered = { ...full(), document: document({ cascade }).document };
    expect(ended(known(), rendered)).toMatchObject({ ...same, credits: 1, isUnchanged: false });
  });

  it.each([
    ['"1"', true],
    ['"2"', false],
  ])('has changed; with the validator %s it belies those of its host: %s', (etag, belies) => {
    expect(ended(known(), full({ contentKey: 'cd'.repeat(16) }, etag))).toMatchObject({
      ...{ state: 'scraped', reason: 'changed', credits: 1, isStored: true, inherited: null },
      ...{ belies, isUnchanged: false },
    });
  });

  it('belies no validators where one of the two has no text', () => {
    const none = known({ baseHash: claimed().urlKey });
    expect(ended(none, full())).toMatchObject({ reason: 'changed', belies: false });
  });

  it('is not asked for where the options of the crawl leave it out', () => {
    const left = (over: Parameters<typeof claimed>[0]) => leftOut(known(over))?.outcome ?? null;
    const options = { since: 'before', excludePaths: ['/docs/*'] };
    const other = { options, jobId: 'other' };
    expect(left({})).toBeNull();
    expect(left(other)).toMatchObject({ state: 'skipped', reason: 'excluded' });
    expect(left({ ...other, depth: 0 })).toBeNull();
    expect(left({ ...other, baseHash: null })).toBeNull();
    // Where the start page leads is not known yet.
    expect(left({ url: 'http://www.elsewhere.example/' })).toBeNull();
  });

  it('has changed when it has no text any more', () => {
    expect(ended(known(), document())).toMatchObject({ reason: 'changed' });
    const none = { validators: null };
    expect(ended(known(none), document({}, { validators: {} }))).toMatchObject({ belies: false });
  });

  it('is new when it has not; a crawl that knows none says nothing', () => {
    expect(ended(known({ stored: null, baseHash: null }), full())).toMatchObject({ reason: 'new' });
    expect(ended(claimed(), full())).toMatchObject({ reason: null, validators: '"1"\n' });
  });

  it.each([404, 410])('is gone when it is not found twice: %d', (status) => {
    const gone = failed('http_error', status);
    expect(ended(known(), gone)).toMatchObject({ state: 'pending', retryInMs: 5_000 });
    expect(ended(known({ lastStatus: 503, attempts: 2 }), gone)).toMatchObject({
      state: 'pending',
    });
    expect(ended(known({ lastStatus: 404, attempts: 2 }), gone)).toMatchObject({
      ...{ state: 'failed', reason: 'gone', statusCode: status },
    });
    expect(ended(known({ stored: null, baseHash: null }), gone)).toMatchObject({
      reason: 'http_error',
    });
  });

  it('keeps no validators of another address, nor long ones', () => {
    const moved = document(
      { redirects: [{ url: 'http://site.example/docs/z', statusCode: 301 }] },
      { validators: { etag: '"1"' } },
    );
    expect(ended(claimed(), moved)).toMatchObject({ validators: null });
    expect(ended(claimed(), full({}, `"${'x'.repeat(300)}"`))).toMatchObject({ validators: null });
    const both = { etag: 'W/"a"', lastModified: 'Mon, 30 Nov 2026 05:00:00 GMT' };
    expect(ended(claimed(), full({ validators: both }))).toMatchObject({
      validators: `${both.etag}\n${both.lastModified}`,
    });
  });
});
