import { hash } from 'node:crypto';
import { createTenant, readBalance, type Tenant } from '@app/accounts';
import { newId, type Plan } from '@app/contracts';
import type { Database } from '@app/database';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import {
  deleteFeed,
  deleteTenantFeeds,
  pauseFeed,
  requestFeedRun,
  resumeFeed,
  sweepFeedEvents,
} from './change-feed.js';
import { claimFeed, type ClaimedFeed } from './claim-feed.js';
import { createFeed, type NewFeed } from './create-feed.js';
import { MAX_FAILURES, type Feed } from './feed.js';
import { findFeed, listFeedRuns, readFeedItems } from './feed-file.js';
import {
  addFeedRows,
  endFeedRun,
  knownRows,
  releaseFeed,
  renewFeed,
  type RowKind,
} from './run-feed.js';
import { nextTick } from './schedule.js';

const START = new Date('2026-01-01T00:00:00Z');
const LEASE_MS = 15_000;
const PRICE = { credits: 1, rows: 1, maxRows: 1_000 };

describe('feeds in SQL', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenant: Tenant;
  let now: Date;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  const useTenant = async (plan: Plan = 'pro') => {
    tenant = await createTenant(database, 'spec', plan);
  };
  beforeEach(async () => {
    now = START;
    await database.query({ name: 'reset', text: 'TRUNCATE tenants CASCADE' });
    await useTenant();
  });

  const create = async (over: Partial<NewFeed> = {}, limit = 10): Promise<Feed> => {
    const schedule = over.schedule ?? '0 * * * *';
    const timeZone = over.timeZone ?? 'UTC';
    const feed = await createFeed(
      database,
      {
        ...{ id: newId(), tenantId: tenant.id, connectorId: 'maps', params: { query: 'q' } },
        ...{ schedule, timeZone, webhookUrl: 'https://hook.example/', firstRun: 'full' },
        ...{ deliversChanged: true, maxRows: 100 },
        nextAt: nextTick({ cron: schedule, timeZone }, now),
        ...over,
      },
      limit,
    );
    if (feed === null) throw new Error('too many feeds');
    return feed;
  };
  const claim = (terms = PRICE): Promise<ClaimedFeed | null> =>
    claimFeed(database, { leaseMs: LEASE_MS, termsOf: () => terms, now });
  const claimed = async (terms = PRICE): Promise<ClaimedFeed> => {
    const feed = await claim(terms);
    if (feed === null) throw new Error('nothing is due');
    return feed;
  };
  const keyOf = (n: number): Buffer => hash('sha256', `row ${n}`, 'buffer');
  const add = (feed: ClaimedFeed, numbers: readonly number[], kind: RowKind = 'new', value = 'x') =>
    addFeedRows(database, feed, {
      rows: numbers.map((n) => ({ key: keyOf(n), kind, data: JSON.stringify({ n, value }) })),
      event: kind === 'known' ? null : { id: newId(), body: JSON.stringify(numbers) },
      ...{ costMicroUsd: 0, leaseMs: LEASE_MS, now },
    });
  const end = (feed: ClaimedFeed, error: string | null = null, maxKnownRows = 20_000) =>
    endFeedRun(database, feed, {
      ...{ error, maxKnownRows, now },
      pausedBody: (id, reason) => JSON.stringify({ id, reason }),
    });
  const later = (ms: number): void => {
    now = new Date(now.getTime() + ms);
  };
  const runOnce = async (numbers: readonly number[] = []): Promise<ClaimedFeed> => {
    const feed = await claimed();
    if (numbers.length > 0) await add(feed, numbers);
    await end(feed);
    return feed;
  };
  const find = async (id: string): Promise<Feed> => {
    const feed = await findFeed(database.asReader(tenant.id), tenant.id, id);
    if (feed === null) throw new Error('no such feed');
    return feed;
  };
  const count = async (table: string): Promise<number> => {
    const text = `SELECT count(*)::int AS n FROM ${table}`;
    return (await database.query<{ n: number }>({ name: `count ${table}`, text }))[0]?.n ?? 0;
  };
  const spent = async (): Promise<number> => {
    const text = 'SELECT coalesce(sum(credits), 0)::int AS n FROM credit_ledger';
    return (await database.query<{ n: number }>({ name: 'spent', text }))[0]?.n ?? 0;
  };
  const left = async () => (await readBalance(database, tenant.id))?.remaining;

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
    'run once per tick over a year in %s, whichever of two processes wakes',
    async (timeZone) => {
      const feed = await create({ schedule: '30 2 * * *', timeZone, connectorId: 'free' });
      const free = { credits: 0, rows: 1, maxRows: 10 };
      const ticks: string[] = [];
      while (now < new Date('2027-01-01T00:00:00Z')) {
        later(12 * 3_600_000);
        const both = await Promise.all([claim(free), claim(free)]);
        for (const one of both) {
          if (one === null) continue;
          ticks.push(one.tick.toISOString());
          await end(one);
        }
      }
      expect(new Set(ticks).size).toBe(ticks.length);
      const expected: string[] = [];
      const schedule = { cron: '30 2 * * *', timeZone };
      for (let at = nextTick(schedule, START); at <= now; at = nextTick(schedule, at))
        expected.push(at.toISOString());
      expect(ticks).toEqual(expected);
      expect((await find(feed.id)).failures).toBe(0);
      // The history is bounded.
      expect(await count('feed_runs')).toBe(100);
    },
  );

  it('run a tick once that many processes claim at the same time', async () => {
    await create();
    later(3_600_000);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim()));
    expect(claims.filter((one) => one !== null)).toHaveLength(1);
  });

  it('run missed ticks once', async () => {
    const { id } = await create();
    later(10 * 3_600_000 + 60_000);
    await runOnce();
    expect(await claim()).toBeNull();
    expect((await find(id)).nextAt).toEqual(new Date('2026-01-01T11:00:00Z'));
  });

  it('deliver and charge new rows, and a tenth for those they know', async () => {
    const { id } = await create();
    later(3_600_000);
    await runOnce([1, 2, 3]);
    expect([await count('feed_events'), await count('webhook_deliveries'), await spent()]).toEqual([
      1, 1, 3,
    ]);
    later(3_600_000);
    const second = await claimed();
    const known = await knownRows(database, second, [1, 2, 3, 4].map(keyOf));
    expect([...known.values()].map(({ isCounted }) => isCounted)).toEqual([false, false, false]);
    await add(second, [1, 2], 'known');
    await add(second, [3], 'changed', 'y');
    await add(second, [4]);
    await end(second);
    // Two delivered and two known: 2.2 credits, so 3.
    expect(await spent()).toBe(6);
    const [run] = await listFeedRuns(database.asReader(tenant.id), id, 10);
    expect(run).toMatchObject({
      newRows: 1,
      changedRows: 1,
      knownRows: 2,
      credits: 3,
      status: 'completed',
    });
    const items = await readFeedItems(database.asReader(tenant.id), id, 10);
    expect(items.map(({ data, version }) => [JSON.parse(data) as object, version])).toEqual(
      expect.arrayContaining([[{ n: 3, value: 'y' }, 2]]),
    );
    expect(items).toHaveLength(4);
    expect(await find(id)).toMatchObject({ rows: 4, isRunning: false, failures: 0 });
  });

  it('note the rows of a silent first run without delivering them', async () => {
    const { id } = await create({ firstRun: 'silent' });
    later(3_600_000);
    const first = await claimed();
    expect(first.isSilent).toBe(true);
    await add(first, [1, 2, 3], 'known');
    await end(first, 'It broke.');
    later(3_600_000);
    // Not complete: what follows is not new either.
    const second = await claimed();
    expect(second.isSilent).toBe(true);
    await add(second, [1, 2, 3, 4], 'known');
    await end(second);
    expect([await count('feed_events'), await spent()]).toEqual([0, 2]);
    expect(await readFeedItems(database.asReader(tenant.id), id, 10)).toEqual([]);
    later(3_600_000);
    expect((await claimed()).isSilent).toBe(false);
  });

  it('continue the run of a lost worker: each row counts once, and what that worker does late is void', async () => {
    const { id } = await create();
    later(3_600_000);
    const first = await claimed();
    await add(first, [1, 2]);
    expect(await claim()).toBeNull();
    later(LEASE_MS + 1);
    const second = await claimed();
    expect(second).toMatchObject({
      id,
      runId: first.runId,
      tick: first.tick,
      attempts: 1,
      countedRows: 2,
    });
    expect(await add(first, [3])).toBeNull();
    expect(await renewFeed(database, first, 1_000)).toBe(false);
    expect(await end(first)).toBeNull();
    const known = await knownRows(database, second, [1, 2, 3].map(keyOf));
    expect([...known.values()].every(({ isCounted }) => isCounted)).toBe(true);
    await add(second, [3]);
    await end(second);
    expect([await spent(), await count('feed_events'), await count('feed_runs')]).toEqual([
      3, 2, 1,
    ]);
  });

  it('count the workers that were lost since rows were last counted, and none that gave it back', async () => {
    await create();
    later(3_600_000);
    const attempts = [(await claimed()).attempts];
    const lose = async () => {
      later(LEASE_MS + 1);
      const next = await claimed();
      attempts.push(next.attempts);
      return next;
    };
    await lose();
    await add(await lose(), [1]);
    await lose();
    await releaseFeed(database, await lose());
    attempts.push((await claimed()).attempts);
    expect(attempts).toEqual([1, 2, 3, 1, 2, 2]);
  });

  it('pause themselves after failed runs in a row, and say why', async () => {
    const { id } = await create();
    for (let n = 1; n <= MAX_FAILURES; n++) {
      expect((await find(id)).state).toBe('active');
      later(3_600_000);
      expect(await end(await claimed(), 'The site is away.')).toEqual({
        isPaused: n === MAX_FAILURES,
      });
    }
    const reason = `It failed ${MAX_FAILURES} times in a row. The last time: The site is away.`;
    expect(await find(id)).toMatchObject({ state: 'paused', pausedReason: reason, nextAt: null });
    const [event] = await database.query<{ type: string; body: string }>({
      name: 'events',
      text: `SELECT e.type, e.body FROM feed_events e JOIN webhook_deliveries d ON d.feed_event_id = e.id AND d.id = e.id`,
    });
    expect(event).toMatchObject({ type: 'feed.paused', body: expect.stringContaining(reason) });
    later(3_600_000);
    expect(await claim()).toBeNull();
    await resumeFeed(database, {
      tenantId: tenant.id,
      id,
      nextAt: new Date(now.getTime() + 60_000),
    });
    expect(await find(id)).toMatchObject({ state: 'active', pausedReason: null, failures: 0 });
    later(60_000);
    await end(await claimed());
    expect((await find(id)).failures).toBe(0);
  });

  it('run on request once, also when paused, and keep their schedule', async () => {
    const { id, nextAt } = await create();
    await requestFeedRun(database, tenant.id, id, now);
    await requestFeedRun(database, tenant.id, id, now);
    await runOnce([1]);
    expect(await claim()).toBeNull();
    expect((await find(id)).nextAt).toEqual(nextAt);
    await pauseFeed(database, tenant.id, id);
    later(7_200_000);
    expect(await claim()).toBeNull();
    await requestFeedRun(database, tenant.id, id, now);
    await runOnce();
    const runs = await listFeedRuns(database.asReader(tenant.id), id, 10);
    expect(runs.map(({ isManual }) => isManual)).toEqual([true, true]);
    expect((await find(id)).state).toBe('paused');
  });

  it('have the rows that there are credits for, or say that there are none', async () => {
    await useTenant('free');
    await create({ maxRows: 5_000 });
    await create({ maxRows: 10 });
    later(3_600_000);
    const terms = { ...PRICE, maxRows: 5_000 };
    const big = await claimed(terms);
    expect([big.rowLimit, big.isUnpaid, await left()]).toEqual([1_000, false, 0]);
    const other = await claimed(terms);
    expect([other.rowLimit, other.isUnpaid]).toEqual([0, true]);
    await add(big, [1]);
    await end(big);
    await end(other, 'No credits.');
    expect([await left(), await spent()]).toEqual([999, 1]);
  });

  it('are claimed in turns of their tenants, two of each at most', async () => {
    const first = tenant;
    for (let n = 0; n < 4; n++) await create();
    await useTenant();
    await create();
    later(3_600_000);
    const order: string[] = [];
    for (let feed = await claim(); feed !== null; feed = await claim()) order.push(feed.tenantId);
    expect(order).toEqual([first.id, tenant.id, first.id]);
  });

  it('are no more than the plan allows, and the same id is the same feed', async () => {
    const { id } = await create({}, 2);
    await create({}, 2);
    await expect(create({}, 2)).rejects.toThrow('too many feeds');
    expect((await create({ id }, 2)).id).toBe(id);
    expect(await count('feeds')).toBe(2);
  });

  it('forget the rows beyond their bound that were not seen for the longest time', async () => {
    const { id } = await create();
    later(3_600_000);
    await runOnce([1, 2, 3]);
    later(3_600_000);
    const second = await claimed();
    await add(second, [3], 'known');
    await add(second, [4, 5]);
    await end(second, null, 3);
    later(3_600_000);
    const known = await knownRows(database, await claimed(), [1, 2, 3, 4, 5].map(keyOf));
    const numbers = [...known.values()].map(({ data }) => (JSON.parse(data) as { n: number }).n);
    expect(numbers.toSorted()).toEqual([3, 4, 5]);
    expect((await find(id)).rows).toBe(3);
  });

  it('release their reservation when they are deleted during a run', async () => {
    await useTenant('free');
    const { id } = await create({ maxRows: 100 });
    later(3_600_000);
    const feed = await claimed();
    await add(feed, [1, 2]);
    expect(await left()).toBe(900);
    expect(await deleteFeed(database, tenant.id, id)).toBe(true);
    expect(await deleteFeed(database, tenant.id, id)).toBe(false);
    expect([await left(), await spent(), await count('webhook_deliveries')]).toEqual([998, 2, 0]);
    expect(await add(feed, [3])).toBeNull();
  });

  it('go with the data of their tenant; old events go with their deliveries', async () => {
    await create();
    later(3_600_000);
    await runOnce([1]);
    expect(await sweepFeedEvents(database, { before: START, limit: 10 })).toBe(0);
    expect(
      await sweepFeedEvents(database, { before: new Date(Date.now() + 60_000), limit: 10 }),
    ).toBe(1);
    expect(await count('webhook_deliveries')).toBe(0);
    const until = new Date(Date.now() + 60_000);
    expect(await deleteTenantFeeds(database, { tenantId: tenant.id, until, limit: 10 })).toBe(1);
    expect([await count('feed_rows'), await count('feed_runs')]).toEqual([0, 0]);
  });

  it('are closed to other tenants', async () => {
    const { id } = await create();
    const other = await createTenant(database, 'other', 'pro');
    const own = database.asReader(other.id);
    expect(await findFeed(own, other.id, id)).toBeNull();
    expect(await findFeed(own, tenant.id, id)).toBeNull();
    expect(await deleteFeed(database, other.id, id)).toBe(false);
    later(3_600_000);
    await runOnce([1]);
    expect(await readFeedItems(own, id, 10)).toEqual([]);
    expect(await listFeedRuns(own, id, 10)).toEqual([]);
  });
});
