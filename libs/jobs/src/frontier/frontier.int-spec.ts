import { randomBytes } from 'node:crypto';
import { DEFAULT_JOB_SCRAPE, newId, type PageState } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { createCrawl } from '../create/create-crawl.js';
import { findJob, jobReasons } from '../read-jobs.js';
import { completeJob, resultRows, takeProcessingJob } from '../results/finish-job.js';
import { isRefusedValue, run, type Database, type Statement } from '@app/database';
import { createTenant, utcDay, type Tenant } from '@app/accounts';
import type { CrawlOptions } from '../create/crawl-options.js';
import { readStoredBytes } from '../create/stored-bytes.js';
import { claimPages, extendLeases, type ClaimedPage } from './claim-pages.js';
import { dispatchCandidates, leasePages, nextDueInMs } from './dispatch-pages.js';
import { cancelJob, closeOverdueJobs, releaseExpiredLeases, settleRows } from './end-leases.js';
import { finishPages } from './finish-pages.js';
import type { HostReport, PageOutcome } from './page-outcome.js';
import type { FoundLink } from '@app/crawl';

const onError = (_: string, error: unknown): never => {
  throw error;
};
const HOST = 'site.example';
const WINDOW = { start: 4, max: 16 };

const keyOf = (n: number): string => n.toString(16).padStart(32, '0');
const link = (n: number, over: Partial<FoundLink> = {}): FoundLink => ({
  urlKey: keyOf(n),
  url: `http://${HOST}/${n}`,
  host: HOST,
  depth: 1,
  skip: null,
  ...over,
});

describe('the frontier in SQL', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenant: Tenant;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(async () => {
    await fresh.drop();
  });
  beforeEach(async () => {
    await database.query({ name: 'reset', text: 'TRUNCATE tenants, hosts, outbox CASCADE' });
    tenant = await createTenant(database, 'spec', 'custom');
  });

  async function newCrawl(
    over: {
      pageLimit?: number;
      deadlineAt?: Date;
      tenant?: Tenant;
      options?: Partial<CrawlOptions>;
    } = {},
  ) {
    const id = newId();
    await createCrawl(database, {
      id,
      tenant: over.tenant ?? tenant,
      url: `http://${HOST}/`,
      urlKey: keyOf(0),
      host: HOST,
      pageLimit: over.pageLimit ?? 10,
      options: {
        maxDepth: null,
        includePaths: [],
        excludePaths: [],
        allowBackwardLinks: false,
        ignoreRobotsTxt: false,
        sitemap: 'skip',
        scrape: DEFAULT_JOB_SCRAPE,
        ...over.options,
      },
      webhookUrl: null,
      deadlineAt: over.deadlineAt ?? new Date(Date.now() + 3_600_000),
      hostWindowStart: WINDOW.start,
    });
    return id;
  }

  async function take(
    perCandidate = 100,
    leaseMs = 30_000,
    from: Database = database,
  ): Promise<ClaimedPage[]> {
    const candidates = await dispatchCandidates(from, 10);
    const tasks = [];
    for (const candidate of candidates) {
      const batches = await leasePages(from, [{ ...candidate, pages: perCandidate }], { leaseMs });
      tasks.push(...batches.flatMap(({ messages }) => messages));
    }
    return claimPages(from, tasks as never, { leaseMs, discoveryBound: () => 10_000 });
  }

  /** All of `work` at one moment: the server's `now()` stands still within a transaction. */
  const atOnce = (work: (stopped: Database) => Promise<void>): Promise<void> =>
    database.transaction((tx) => {
      const query = (statement: Statement, values: readonly unknown[] = []) =>
        run(tx, statement, values);
      const transaction = (within: (same: typeof tx) => unknown) => within(tx);
      return work({ query, transaction } as unknown as Database);
    });

  const outcomeOf = (page: ClaimedPage, over: Partial<PageOutcome> = {}): PageOutcome => ({
    urlKey: page.urlKey,
    fence: page.fence,
    host: HOST,
    state: 'scraped',
    reason: null,
    retryInMs: 0,
    statusCode: 200,
    rung: 'plain',
    segment: { key: 's', offset: 0, bytes: 1 },
    alias: null,
    credits: 1,
    ...over,
  });

  const finish = (
    pages: readonly ClaimedPage[],
    options: {
      links?: FoundLink[];
      maxDiscovered?: number;
      over?: Partial<PageOutcome>;
      host?: Partial<HostReport>;
    } = {},
  ) =>
    finishPages(database, {
      jobId: pages[0]?.jobId ?? '',
      outcomes: pages.map((page) => outcomeOf(page, options.over)),
      links: options.links ?? [],
      hosts: [{ host: HOST, signals: [], crawlDelayMs: null, sentAgoMs: null, ...options.host }],
      maxDiscovered: options.maxDiscovered ?? 10_000,
      hostWindow: WINDOW,
    });

  const job = async (id: string) => {
    const found = await findJob(database, tenant.id, id);
    if (!found) throw new Error('no job');
    return found;
  };

  const rowStates = async (id: string): Promise<Partial<Record<PageState, number>>> => {
    const rows = await database.query<{ state: PageState; n: number }>(
      {
        name: 'row_states',
        text: 'SELECT state, count(*)::int n FROM pages WHERE job_id = $1 GROUP BY 1',
      },
      [id],
    );
    return Object.fromEntries(rows.map((row) => [row.state, row.n]));
  };

  const hostInFlight = async (): Promise<number> => {
    const [row] = await database.query<{ n: number }>({
      name: 'in_flight',
      text: 'SELECT in_flight n FROM hosts',
    });
    return row?.n ?? -1;
  };

  it('leases at most the host window, and releases the slots at the end', async () => {
    const id = await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    await finish([seed], { links: [1, 2, 3, 4, 5, 6, 7].map((n) => link(n)) });
    const pages = await take();
    expect(pages).toHaveLength(WINDOW.start);
    expect(await hostInFlight()).toBe(WINDOW.start);
    await finish(pages);
    expect(await hostInFlight()).toBe(0);
    expect(await job(id)).toMatchObject({ scraped: 5, pending: 3, leased: 0, discovered: 8 });
  });

  it.each([1, 2, 5])('never scrapes or leases beyond a limit of %i', async (pageLimit) => {
    const id = await newCrawl({ pageLimit });
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    await finish([seed], { links: [1, 2, 3, 4, 5, 6, 7].map((n) => link(n)) });
    for (let pages = await take(); pages.length > 0; pages = await take()) await finish(pages);
    expect(await job(id)).toMatchObject({
      status: 'processing',
      scraped: pageLimit,
      skipped: 8 - pageLimit,
      pending: 0,
    });
    expect(await jobReasons(database, id)).toEqual([
      { state: 'skipped', reason: 'limit', pages: 8 - pageLimit },
    ]);
    while ((await settleRows(database, 2)) > 0);
    expect(await rowStates(id)).toEqual({ scraped: pageLimit, skipped: 8 - pageLimit });
  });

  it('leases every page to one of two concurrent dispatchers', async () => {
    await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    await finish([seed], { links: [1, 2, 3].map((n) => link(n)) });
    const taken = (await Promise.all([take(), take(), take()])).flat();
    const more = await take();
    const keys = [...taken, ...more].map((page) => page.urlKey);
    expect(new Set(keys).size).toBe(3);
    expect(keys).toHaveLength(3);
  });

  it('counts a page once however often its end is reported', async () => {
    const id = await newCrawl();
    const pages = await take();
    const results = await Promise.all([1, 2, 3, 4].map(() => finish(pages, { links: [link(1)] })));
    expect(results.filter((result) => result.scraped.size === 1)).toHaveLength(1);
    expect(await job(id)).toMatchObject({ scraped: 1, discovered: 2, pending: 1 });
    const ledger = await database.query({ name: 'ledger', text: 'SELECT item FROM credit_ledger' });
    expect(ledger).toHaveLength(1);
  });

  it('refuses a worker whose page was claimed again, and accepts the new one', async () => {
    await newCrawl();
    const [candidate] = await dispatchCandidates(database, 1);
    if (!candidate) throw new Error('no candidate');
    const [batch] = await leasePages(database, [{ ...candidate, pages: 1 }], { leaseMs: 30_000 });
    const claim = () =>
      claimPages(database, batch?.messages as never, { leaseMs: 30_000, discoveryBound: () => 10 });
    const [first] = await claim();
    const [second] = await claim();
    if (!first || !second) throw new Error('not claimed');
    expect(second.attempts).toBe(2);
    expect((await finish([first])).accepted.size).toBe(0);
    expect((await finish([second])).accepted.size).toBe(1);
  });

  it('offers the page of a dead worker again and voids the old message', async () => {
    const id = await newCrawl();
    const [candidate] = await dispatchCandidates(database, 1);
    if (!candidate) throw new Error('no candidate');
    const [old] = await leasePages(database, [{ ...candidate, pages: 1 }], { leaseMs: -1 });
    expect(await releaseExpiredLeases(database, { maxAttempts: 3, batch: 10, onError })).toBe(1);
    expect(await job(id)).toMatchObject({ pending: 1, leased: 0 });
    expect(await hostInFlight()).toBe(0);
    const [again] = await take();
    expect(again?.attempts).toBe(1);
    const late = await claimPages(database, old?.messages as never, {
      leaseMs: 1_000,
      discoveryBound: () => 10,
    });
    expect(late).toEqual([]);
  });

  it('fails a page whose workers keep dying, and ends the job', async () => {
    const id = await newCrawl();
    for (let attempt = 1; attempt <= 2; attempt++) {
      expect(await take(1, -1)).toHaveLength(1);
      await releaseExpiredLeases(database, { maxAttempts: 2, batch: 10, onError });
    }
    expect(await job(id)).toMatchObject({ status: 'processing', failed: 1, pending: 0, leased: 0 });
    expect(await jobReasons(database, id)).toEqual([
      { state: 'failed', reason: 'unknown', pages: 1 },
    ]);
  });

  it('cancels at once, accepts nothing afterwards, and stays cancelled', async () => {
    const id = await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    await finish([seed], { links: [1, 2, 3, 4, 5, 6].map((n) => link(n)) });
    const pages = await take();
    expect(await cancelJob(database, tenant.id, id)).toEqual({
      status: 'cancelled',
      changed: true,
    });
    expect(await job(id)).toMatchObject({
      status: 'cancelled',
      scraped: 1,
      cancelled: 6,
      pending: 0,
      leased: 0,
    });
    expect((await finish(pages)).accepted.size).toBe(0);
    expect(await cancelJob(database, tenant.id, id)).toEqual({
      status: 'cancelled',
      changed: false,
    });
    expect(await hostInFlight()).toBe(0);
    while ((await settleRows(database, 1)) > 0);
    expect(await rowStates(id)).toEqual({ scraped: 1, cancelled: 6 });
  });

  it('finds no job of another tenant', async () => {
    const id = await newCrawl();
    const other = await createTenant(database, 'other', 'custom');
    expect(await findJob(database, other.id, id)).toBeNull();
    expect(await cancelJob(database, other.id, id)).toBeNull();
  });

  it('ends a job at its deadline with the pages it has', async () => {
    const id = await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    await finish([seed], { links: [1, 2].map((n) => link(n)) });
    await take(1);
    await database.query({
      name: 'overdue',
      text: `UPDATE jobs SET deadline_at = now() - interval '1 second'`,
    });
    expect(await closeOverdueJobs(database, { batch: 10, onError })).toBe(1);
    expect(await job(id)).toMatchObject({
      status: 'processing',
      scraped: 1,
      skipped: 2,
      leased: 0,
      pending: 0,
    });
    expect(await jobReasons(database, id)).toEqual([
      { state: 'skipped', reason: 'deadline', pages: 2 },
    ]);
  });

  it('admits each URL once and records links it does not follow', async () => {
    const id = await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    await finish([seed], {
      links: [link(0), link(1), link(1), link(2, { skip: 'external', host: 'other.example' })],
    });
    expect(await job(id)).toMatchObject({ discovered: 3, pending: 1, skipped: 1, scraped: 1 });
    expect(await jobReasons(database, id)).toEqual([
      { state: 'skipped', reason: 'external', pages: 1 },
    ]);
  });

  it.each([
    { room: 2, known: 0, discovered: 3, capped: true },
    { room: 3, known: 0, discovered: 4, capped: false },
    { room: 4, known: 0, discovered: 4, capped: false },
  ])(
    'keeps to the discovery bound with room for $room of 3',
    async ({ room, discovered, capped }) => {
      const id = await newCrawl();
      const [seed] = await take();
      if (!seed) throw new Error('no seed');
      await finish([seed], { links: [link(1), link(2), link(3)], maxDiscovered: 1 + room });
      expect(await job(id)).toMatchObject({ discovered, discoveryCapped: capped });
    },
  );

  it.each([
    { length: 500, kept: 4 },
    { length: 501, kept: 3 },
  ])('keeps to the bytes of that bound with URLs of $length', async ({ length, kept }) => {
    const id = await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    const long = (n: number) => link(n, { url: link(n).url.padEnd(length, 'a') });
    await finish([seed], { links: [1, 2, 3, 4, 5].map(long), maxDiscovered: 10 });
    expect(await job(id)).toMatchObject({ discovered: 1 + kept, discoveryCapped: true });
  });

  it('makes two addresses that redirect to one page one page', async () => {
    const id = await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    await finish([seed], { links: [link(1), link(2), link(3)] });
    const pages = await take();
    const target = { urlKey: keyOf(3), url: `http://${HOST}/3`, host: HOST };
    const redirected = pages.filter((page) => page.urlKey !== keyOf(3));
    const plain = pages.filter((page) => page.urlKey === keyOf(3));
    expect(redirected).toHaveLength(2);
    await finish(redirected, { over: { alias: target } });
    await finish(plain);
    // /3 was in flight itself, so both that redirect to it are duplicates of it.
    expect(await job(id)).toMatchObject({ scraped: 2, skipped: 2, discovered: 4 });
    expect(await jobReasons(database, id)).toEqual([
      { state: 'skipped', reason: 'duplicate', pages: 2 },
    ]);
  });

  it('records the target of a redirect as a duplicate of the page that reached it', async () => {
    const id = await newCrawl();
    const pages = await take();
    const target = { urlKey: keyOf(9), url: `http://${HOST}/9`, host: HOST };
    await finish(pages, { over: { alias: target }, links: [link(9)] });
    expect(await job(id)).toMatchObject({ scraped: 1, skipped: 1, discovered: 2, pending: 0 });
  });

  it('tries a page again after its pause and not before', async () => {
    await newCrawl();
    const pages = await take();
    await finish(pages, {
      over: { state: 'pending', retryInMs: 60_000, segment: null, statusCode: 503 },
    });
    expect(await take()).toEqual([]);
    await database.query({ name: 'due', text: 'UPDATE pages SET not_before = now()' });
    await database.query({ name: 'due_host', text: 'UPDATE job_hosts SET next_at = now()' });
    const [again] = await take();
    expect(again?.attempts).toBe(2);
  });

  it('moves the scope with the start page, and only by the worker that holds it', async () => {
    const id = await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    expect(seed.scopeUrl).toBe(seed.seed);
    const moved = (scopeUrl: string) => ({ links: [link(1)], over: { scopeUrl } });
    await finish([{ ...seed, fence: seed.fence - 1 }], moved('http://stolen.example/'));
    expect((await job(id)).scopeUrl).toBeNull();
    await finish([seed], moved('http://new.example/'));
    const [page] = await take();
    if (!page) throw new Error('no page');
    expect(page).toMatchObject({ seed: seed.seed, scopeUrl: 'http://new.example/' });
    await finish([page]);
    expect((await job(id)).scopeUrl).toBe('http://new.example/');
  });

  it('claims pages of a job with long lists of patterns, whose state needs none of them', async () => {
    const includePaths = Array.from(
      { length: 1_000 },
      () => `/${randomBytes(500).toString('hex')}`,
    );
    const id = await newCrawl({ options: { includePaths } });
    const [seed] = await take();
    expect(seed?.options.includePaths).toEqual(includePaths);
    expect((await job(id)).options.includePaths).toBeUndefined();
    const stored = await readStoredBytes(database, tenant.id, utcDay());
    expect(stored.bytes).toBeGreaterThan(900_000);
  });

  it('keeps a crawl delay: one page at a time, then a pause', async () => {
    await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    await finishPages(database, {
      jobId: seed.jobId,
      outcomes: [outcomeOf(seed)],
      links: [link(1), link(2)],
      hosts: [{ host: HOST, signals: [], crawlDelayMs: 60_000, sentAgoMs: null }],
      maxDiscovered: 100,
      hostWindow: WINDOW,
    });
    expect(await take()).toHaveLength(1);
    expect(await take()).toEqual([]);
  });

  /** Milliseconds until the next request to the host; negative when one may be sent now. */
  const hostDueInMs = async (): Promise<number> => {
    const [row] = await database.query<{ inMs: number }>({
      name: 'host_due',
      text: `SELECT extract(epoch FROM next_at - clock_timestamp())::float8 * 1000 "inMs" FROM hosts WHERE host = '${HOST}'`,
    });
    return row?.inMs ?? NaN;
  };
  const setHostDue = (inMs: number, on: Database = database) =>
    on.query({
      name: `set_host_due_${inMs}`,
      text: `UPDATE hosts SET next_at = now() + ${inMs} * interval '1 millisecond'`,
    });

  it('fetches one page at a time from an unknown host, all jobs together', async () => {
    await newCrawl();
    await newCrawl();
    expect(await take()).toHaveLength(1);
  });

  it.each<[string, Partial<HostReport>, number, number]>([
    ['counts from when the last request was sent', { sentAgoMs: 20_000 }, 38_000, 40_000],
    ['has passed when the page took longer', { sentAgoMs: 90_000 }, -Infinity, 0],
    ['is not spent on a page without a request', { sentAgoMs: null }, -Infinity, 0],
    [
      'gives way to a longer Retry-After',
      { sentAgoMs: 0, signals: [{ kind: 'backoff', retryAfterMs: 300_000 }] },
      298_000,
      300_000,
    ],
    [
      'outlasts a shorter Retry-After',
      { sentAgoMs: 0, signals: [{ kind: 'backoff', retryAfterMs: 1_000 }] },
      58_000,
      60_000,
    ],
  ])('a crawl delay %s', async (_name, host, atLeast, atMost) => {
    await newCrawl();
    const pages = await take();
    const endedAtMs = performance.now();
    await finish(pages, { links: [link(1)], host: { crawlDelayMs: 60_000, ...host } });
    const inMs = await hostDueInMs();
    expect(inMs).toBeGreaterThan(atLeast - (performance.now() - endedAtMs));
    expect(inMs).toBeLessThanOrEqual(atMost);
  });

  it('holds the host that a page was redirected to as well', async () => {
    const elsewhere = link(2, { host: 'www.site.example' });
    await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    const endedAtMs = performance.now();
    await finishPages(database, {
      jobId: seed.jobId,
      outcomes: [outcomeOf(seed)],
      links: [elsewhere],
      hosts: [
        { host: elsewhere.host, signals: [], crawlDelayMs: 60_000, sentAgoMs: 0 },
        { host: HOST, signals: [], crawlDelayMs: null, sentAgoMs: 5 },
      ],
      maxDiscovered: 100,
      hostWindow: WINDOW,
    });
    expect(await take()).toEqual([]);
    const inMs = await nextDueInMs(database);
    expect(inMs).toBeGreaterThan(59_000 - (performance.now() - endedAtMs));
  });

  it('leases a page of a delayed host a little early and reports how long it has to wait', async () => {
    await newCrawl();
    await finish(await take(), { links: [link(1), link(2)], host: { crawlDelayMs: 60_000 } });
    await atOnce(async (stopped) => {
      await setHostDue(2_000, stopped);
      expect(await take(100, 30_000, stopped)).toEqual([]);
    });
    await setHostDue(150);
    const [page, ...others] = await take();
    expect(page?.dueInMs).toBeLessThanOrEqual(150);
    expect(page?.attempts).toBe(1);
    expect(others).toEqual([]);
    // One is in flight: nothing is due before it ends.
    expect(await nextDueInMs(database)).toBeNull();
  });

  it('does not lease early where there is no delay', async () => {
    await newCrawl();
    await finish(await take(), { links: [link(1)] });
    await atOnce(async (stopped) => {
      await setHostDue(150, stopped);
      expect(await dispatchCandidates(stopped, 10)).toEqual([]);
      expect(await nextDueInMs(stopped)).toBeGreaterThan(0);
    });
  });

  it('counts no attempt for a page whose host requested a pause meanwhile', async () => {
    await newCrawl();
    const [candidate] = await dispatchCandidates(database, 1);
    if (!candidate) throw new Error('no candidate');
    const [batch] = await leasePages(database, [{ ...candidate, pages: 1 }], { leaseMs: 30_000 });
    await atOnce(async (stopped) => {
      await setHostDue(30_000, stopped);
      const [page] = await claimPages(stopped, batch?.messages as never, {
        leaseMs: 30_000,
        discoveryBound: () => 10,
      });
      expect(page?.attempts).toBe(0);
      expect(page?.dueInMs).toBeGreaterThan(29_000);
    });
  });

  it.each([
    ['its job is cancelled', (id: string) => cancelJob(database, tenant.id, id)],
    [
      'its worker dies',
      async () => {
        await database.query({
          name: 'expire',
          text: `UPDATE pages SET lease_until = now() - interval '1 s' WHERE state = 'leased'`,
        });
        await releaseExpiredLeases(database, { maxAttempts: 3, batch: 10, onError });
      },
    ],
  ])('begins a crawl delay anew when a page is in flight and %s', async (_name, end) => {
    const id = await newCrawl();
    await finish(await take(), { links: [link(1)], host: { crawlDelayMs: 60_000 } });
    expect(await take()).toHaveLength(1);
    const endedAtMs = performance.now();
    await end(id);
    expect(await hostInFlight()).toBe(0);
    const inMs = await hostDueInMs();
    expect(inMs).toBeGreaterThan(58_000 - (performance.now() - endedAtMs));
  });

  it('serves tenants in turn, however many jobs one of them has', async () => {
    const busy = await createTenant(database, 'busy', 'custom');
    for (let n = 0; n < 5; n++) await newCrawl({ tenant: busy });
    await newCrawl();
    const [first, second] = await dispatchCandidates(database, 10);
    expect(new Set([first?.tenantId, second?.tenantId])).toEqual(new Set([busy.id, tenant.id]));
  });

  it('holds a tenant to the concurrency of its plan', async () => {
    const free = await createTenant(database, 'free', 'free');
    for (let n = 0; n < 3; n++) await newCrawl({ tenant: free });
    await database.query({
      name: 'wide',
      text: 'UPDATE hosts SET window_size = 16, crawl_delay_ms = 0',
    });
    const taken = [...(await take()), ...(await take())];
    expect(taken).toHaveLength(2);
  });

  it('offers a turn to a tenant with free slots, however many others have none', async () => {
    for (let n = 0; n < 5; n++) {
      const full = await createTenant(database, 'full', 'free');
      for (let job = 0; job < 3; job++) await newCrawl({ tenant: full });
    }
    await database.query({
      name: 'wider',
      text: 'UPDATE hosts SET window_size = 100, crawl_delay_ms = 0',
    });
    await take();
    await take();
    const id = await newCrawl();
    const [only, ...others] = await dispatchCandidates(database, 1);
    expect(only?.jobId).toBe(id);
    expect(others).toEqual([]);
  });

  it('settles every row when two replicas settle one job at once', async () => {
    const id = await newCrawl();
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    await finish([seed], { links: Array.from({ length: 60 }, (_, n) => link(n + 1)) });
    await cancelJob(database, tenant.id, id);
    const both = async () =>
      (await Promise.all([settleRows(database, 10), settleRows(database, 10)])).reduce(
        (a, b) => a + b,
      );
    let settled = 0;
    for (let more = await both(); more > 0; more = await both()) settled += more;
    while ((await settleRows(database, 10)) > 0);
    expect(settled).toBe(60);
    expect(await rowStates(id)).toEqual({ scraped: 1, cancelled: 60 });
  });

  it('survives heartbeats, claims and cancels that meet in any order', async () => {
    const random = [3, 1, 4, 1, 5, 9, 2, 6];
    for (const shift of random) {
      const id = await newCrawl();
      await database.query({
        name: 'wider',
        text: 'UPDATE hosts SET window_size = 100, crawl_delay_ms = 0',
      });
      const [seed] = await take();
      if (!seed) throw new Error('no seed');
      await finish([seed], { links: Array.from({ length: 9 }, (_, n) => link(n + 1)) });
      const pages = await take();
      const shuffled = [...pages.slice(shift), ...pages.slice(0, shift)];
      const [end] = await Promise.all([
        cancelJob(database, tenant.id, id),
        extendLeases(database, shuffled, 30_000),
        extendLeases(database, shuffled.toReversed(), 30_000),
        finish(shuffled.slice(0, 3)),
      ]);
      expect(end).toEqual({ status: 'cancelled', changed: true });
      expect(await hostInFlight()).toBe(0);
    }
  });

  it('names a value that the database refuses, so that it is not retried forever', async () => {
    await newCrawl();
    const pages = await take();
    const refused = await finish(pages, {
      over: { retryInMs: 1e13, state: 'pending', segment: null },
    }).catch((error: unknown) => error);
    expect(isRefusedValue(refused)).toBe(true);
    expect(isRefusedValue(new Error('connection lost'))).toBe(false);
    expect(isRefusedValue(Object.assign(new Error(), { code: '40P01' }))).toBe(false);
  });

  it('numbers results without gaps and leases a finished job to one finisher', async () => {
    const id = await newCrawl({ pageLimit: 3 });
    const [seed] = await take();
    if (!seed) throw new Error('no seed');
    await finish([seed], { links: [1, 2, 3].map((n) => link(n)) });
    await finish(await take());
    expect((await resultRows(database, id, 0, 10)).map((row) => row.resultNo)).toEqual([1, 2, 3]);
    expect((await resultRows(database, id, 2, 10)).map((row) => row.resultNo)).toEqual([3]);
    const [one, two] = await Promise.all([
      takeProcessingJob(database, 60_000),
      takeProcessingJob(database, 60_000),
    ]);
    expect([one?.id, two?.id].filter(Boolean)).toEqual([id]);
    expect(await completeJob(database, id, { resultKey: 'k', problem: '' })).toBe(true);
    expect(await completeJob(database, id, { resultKey: 'k', problem: '' })).toBe(false);
    expect(await job(id)).toMatchObject({ status: 'completed', resultKey: 'k' });
  });
});
