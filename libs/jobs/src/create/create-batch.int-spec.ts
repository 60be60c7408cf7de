import { DEFAULT_JOB_SCRAPE, newId, type Plan } from '@app/contracts';
import { until } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { createBatch, type NewBatch } from './create-batch.js';
import { findJob } from '../read-jobs.js';
import { claimPages, type ClaimedPage } from '../frontier/claim-pages.js';
import { dispatchCandidates, leasePages, nextDueInMs } from '../frontier/dispatch-pages.js';
import { cancelJob, releaseExpiredLeases } from '../frontier/end-leases.js';
import { finishPages } from '../frontier/finish-pages.js';
import type { PageOutcome } from '../frontier/page-outcome.js';
import { Notifications, WORK_CHANNEL, type Database } from '@app/database';
import { createTenant, type Tenant } from '@app/accounts';

const LEASE_MS = 30_000;
const keyOf = (n: number): string => n.toString(16).padStart(32, '0');

describe('batches in SQL', () => {
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
  const useTenant = async (plan: Plan = 'custom') => {
    await database.query({ name: 'reset', text: 'TRUNCATE tenants, hosts, outbox CASCADE' });
    tenant = await createTenant(database, 'spec', plan);
  };
  beforeEach(() => useTenant());

  const hostOf = (n: number, hosts: number): string => `h${n % hosts}.example`;
  const batchOf = (pages: number, over: Partial<NewBatch> & { hosts?: number } = {}): NewBatch => {
    const { hosts = 1, ...rest } = over;
    return {
      id: newId(),
      tenant,
      pages: Array.from({ length: pages }, (_, n) => ({
        urlKey: keyOf(n),
        url: `http://${hostOf(n, hosts)}/${n}`,
        host: hostOf(n, hosts),
        position: n * 2,
      })),
      workers: 5,
      options: {
        maxDepth: 0,
        includePaths: [],
        excludePaths: [],
        allowBackwardLinks: false,
        ignoreRobotsTxt: false,
        sitemap: 'skip',
        scrape: DEFAULT_JOB_SCRAPE,
      },
      webhookUrl: null,
      deadlineAt: new Date(Date.now() + 3_600_000),
      hostWindowStart: 100,
      ...rest,
    };
  };
  /** Hosts known to be fast and without a delay: only the job itself limits its pages. */
  const knowHosts = () =>
    database.query({
      name: 'know_hosts',
      text: 'UPDATE hosts SET crawl_delay_ms = 0, typical_ms = 1, window_size = 100',
    });

  /** A page that is due now is found by a round, whose wait says nothing of it. */
  const dueIn = (interval: string) =>
    database.query(
      { name: 'due_in', text: 'UPDATE job_hosts SET next_at = now() + $1::interval' },
      [interval],
    );

  const take = async (perCandidate = 100): Promise<ClaimedPage[]> => {
    const tasks: unknown[] = [];
    for (const candidate of await dispatchCandidates(database, 64)) {
      const batches = await leasePages(database, [{ ...candidate, pages: perCandidate }], {
        leaseMs: LEASE_MS,
      });
      tasks.push(...batches.flatMap(({ messages }) => messages));
    }
    return claimPages(database, tasks as never, {
      leaseMs: LEASE_MS,
      discoveryBound: () => 10_000,
    });
  };

  const outcomeOf = (page: ClaimedPage, over: Partial<PageOutcome>): PageOutcome => ({
    urlKey: page.urlKey,
    fence: page.fence,
    host: new URL(page.url).host,
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
  const finish = (pages: readonly ClaimedPage[], over: Partial<PageOutcome> = {}) =>
    finishPages(database, {
      jobId: pages[0]?.jobId ?? '',
      outcomes: pages.map((page) => outcomeOf(page, over)),
      links: [],
      hosts: [],
      maxDiscovered: 10_000,
      hostWindow: { start: 100, max: 100 },
    });
  const job = async (id: string) => {
    const found = await findJob(database, tenant.id, id);
    if (!found) throw new Error('no job');
    return found;
  };

  it('writes the job and its pages with their places, and wakes the dispatchers', async () => {
    let woken = 0;
    const notifications = new Notifications(database.url, { [WORK_CHANNEL]: () => woken++ });
    notifications.start();
    // Sends one notification when it begins to listen.
    await until(() => woken === 1, { what: 'listening' });
    const batch = batchOf(100, { hosts: 7 });
    const made = { kind: 'created', isNew: true, pageLimit: 100 };
    expect(await createBatch(database, batch)).toEqual(made);
    await until(() => woken === 2, { what: 'the dispatchers being woken' });
    await notifications.close();
    expect(await job(batch.id)).toMatchObject({
      type: 'batch',
      url: 'http://h0.example/0',
      status: 'queued',
      pageLimit: 100,
      discovered: 100,
      pending: 100,
      leased: 0,
    });
    const rows = await database.query(
      {
        name: 'rows',
        text: `SELECT url, host, depth, kind, state, position, row_number() OVER (ORDER BY seq)::int AS nth
               FROM pages WHERE job_id = $1 ORDER BY seq`,
      },
      [batch.id],
    );
    expect(rows).toEqual(
      batch.pages.map(({ url, host, position }, n) => ({
        url,
        host,
        depth: 0,
        kind: 'page',
        state: 'pending',
        position,
        nth: n + 1,
      })),
    );
    const hosts = await database.query<{ host: string }>({
      name: 'hosts',
      text: 'SELECT host FROM job_hosts ORDER BY host',
    });
    expect(hosts.map(({ host }) => host)).toEqual(
      Array.from({ length: 7 }, (_, n) => `h${n}.example`),
    );
  });

  it('writes all or nothing, and one id once', async () => {
    const batch = batchOf(3);
    const [first] = batch.pages;
    const broken = { ...batch, pages: [...batch.pages, ...(first ? [first] : [])] };
    await expect(createBatch(database, broken)).rejects.toThrow(/pages_pkey|duplicate key/);
    expect(await findJob(database, tenant.id, batch.id)).toBeNull();
    expect([await createBatch(database, batch), await createBatch(database, batch)]).toEqual([
      { kind: 'created', isNew: true, pageLimit: 3 },
      { kind: 'created', isNew: false, pageLimit: 3 },
    ]);
    expect(await job(batch.id)).toMatchObject({ discovered: 3, pending: 3 });
  });

  it('is claimed with its type, and followed by nothing', async () => {
    await createBatch(database, batchOf(2));
    await knowHosts();
    expect(await take()).toMatchObject([
      { jobType: 'batch', depth: 0, pageLimit: 2 },
      { jobType: 'batch', depth: 0, pageLimit: 2 },
    ]);
  });

  it.each([1, 2, 5, 20])('has at most %i pages in flight', async (workers) => {
    const batch = batchOf(40, { workers, hosts: 3 });
    await createBatch(database, batch);
    await knowHosts();
    let done = 0;
    while (done < 40) {
      const pages = await take();
      expect((await job(batch.id)).leased).toBe(Math.min(workers, 40 - done));
      expect(await take()).toEqual([]);
      // One place is free again, and one page takes it.
      await finish(pages.slice(0, 1));
      done++;
      const more = await take();
      expect(more).toHaveLength(done + workers <= 40 ? 1 : 0);
      const rest = [...pages.slice(1), ...more];
      if (rest.length > 0) await finish(rest);
      done += rest.length;
    }
    expect(await job(batch.id)).toMatchObject({ status: 'processing', scraped: 40, leased: 0 });
  });

  it('stays within its workers when dispatchers meet', async () => {
    const batch = batchOf(60, { workers: 5, hosts: 20 });
    await createBatch(database, batch);
    await knowHosts();
    const rounds = await Promise.all(Array.from({ length: 8 }, () => take(3)));
    await take(100);
    expect((await job(batch.id)).leased).toBe(5);
    expect(rounds.flat().length).toBeLessThanOrEqual(5);
  });

  it('frees the places of dead workers and of pages that are retried', async () => {
    const batch = batchOf(6, { workers: 2 });
    await createBatch(database, batch);
    await knowHosts();
    await take();
    await database.query({
      name: 'expire',
      text: `UPDATE pages SET lease_until = now() - interval '1 second' WHERE state = 'leased'`,
    });
    const onError = (_: string, error: unknown): never => {
      throw error;
    };
    expect(await releaseExpiredLeases(database, { maxAttempts: 3, batch: 10, onError })).toBe(2);
    const again = await take();
    expect(again).toHaveLength(2);
    await finish(again, { state: 'pending', retryInMs: 60_000, segment: null, credits: 0 });
    expect(await take()).toHaveLength(2);
  });

  it('does not keep the dispatcher awake while its places are taken', async () => {
    const batch = batchOf(6, { workers: 2 });
    await createBatch(database, batch);
    await knowHosts();
    await dueIn('1 minute');
    expect(await nextDueInMs(database)).not.toBeNull();
    await dueIn('0');
    await take();
    await dueIn('1 minute');
    expect(await nextDueInMs(database)).toBeNull();
  });

  it('shares the slots of its tenant with another batch', async () => {
    await useTenant('free');
    await createBatch(database, batchOf(6, { workers: 1 }));
    await createBatch(database, batchOf(6, { workers: 1 }));
    await knowHosts();
    // Two batches of one worker each: the tenant's two slots.
    const pages = await take();
    expect(new Set(pages.map(({ jobId }) => jobId)).size).toBe(2);
  });

  it('ends as cancelled with the pages it has', async () => {
    const batch = batchOf(6, { workers: 2 });
    await createBatch(database, batch);
    await knowHosts();
    const pages = await take();
    await finish(pages.slice(0, 1));
    expect(await cancelJob(database, tenant.id, batch.id)).toMatchObject({ status: 'cancelled' });
    expect(await job(batch.id)).toMatchObject({ scraped: 1, cancelled: 5, leased: 0, pending: 0 });
  });
});
