import fc from 'fast-check';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { openReplicas } from '../../../database/test/open-replicas.js';
import { onOwnConnection } from '../../../database/test/own-connection.js';
import { SlidingLog } from '../../test/sliding-log.js';
import { run, type Database } from '@app/database';
import { createTenant } from '../tenants/tenants.js';
import { returnRequest, takeRequests, type RateWindow, type TakenRequests } from './rate-window.js';
import { isFullRun } from '../../../../test/setup/full-run.js';

const START_MS = Date.parse('2026-03-04T05:06:07.000Z');
const REPLICAS = 4;
const POOL_SIZE = 5;
const SECOND = 1_000;

describe('the sliding window of a tenant', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let replicas: readonly Database[];
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
    replicas = await openReplicas(database.url, { count: REPLICAS, poolSize: POOL_SIZE });
  });
  afterAll(async () => {
    await Promise.all((replicas ?? []).map((replica) => replica.close()));
    await fresh.drop();
  });
  beforeEach(async () => {
    tenantId = (await createTenant(database, 'spec', 'free')).id;
  });

  /** Takes at an instant, in milliseconds from a start. */
  const takeAt = (
    atMs: number,
    limit: number,
    over: { wanted?: number; window?: RateWindow; tenantId?: string } = {},
  ): Promise<TakenRequests> =>
    takeRequests(database, {
      ...{ tenantId, window: 'calls', limit, now: new Date(START_MS + atMs) },
      ...over,
    });
  const rowsOf = async (table: string): Promise<number> => {
    const text = `SELECT count(*)::int AS n FROM ${table} AS t JOIN rate_windows AS w
      ON w.id = t.${table === 'rate_slots' ? 'window_id' : 'id'} WHERE w.tenant_id = $1`;
    const [row] = await database.query<{ n: number }>({ name: `rows_${table}`, text }, [tenantId]);
    return row?.n ?? -1;
  };

  it('admits up to the limit, and returns when it admits the next request', async () => {
    expect(await takeAt(0, 3)).toEqual({ admitted: 1, remaining: 2, waitMs: 0 });
    expect(await takeAt(10 * SECOND, 3)).toEqual({ admitted: 1, remaining: 1, waitMs: 0 });
    expect(await takeAt(20 * SECOND, 3)).toEqual({ admitted: 1, remaining: 0, waitMs: 0 });
    const refused = { admitted: 0, remaining: 0 };
    expect(await takeAt(21 * SECOND, 3)).toEqual({ ...refused, waitMs: 39 * SECOND });
    expect(await takeAt(60 * SECOND - 1, 3)).toEqual({ ...refused, waitMs: 1 });
    // The first has left; refused ones count for nothing.
    expect(await takeAt(60 * SECOND, 3)).toEqual({ admitted: 1, remaining: 0, waitMs: 0 });
    expect(await takeAt(60 * SECOND, 3)).toEqual({ ...refused, waitMs: 10 * SECOND });
  });

  it('takes the last request out again that does not count, and none of an empty window', async () => {
    await returnRequest(database, { tenantId, window: 'calls' });
    await takeAt(0, 3, { wanted: 3 });
    await returnRequest(database, { tenantId, window: 'calls' });
    expect(await takeAt(SECOND, 3, { wanted: 2 })).toMatchObject({ admitted: 1, remaining: 0 });
    await returnRequest(database, { tenantId, window: 'polls' });
    expect(await takeAt(60 * SECOND, 3, { wanted: 3 })).toMatchObject({ admitted: 2 });
  });

  it('slides: the count does not start again at a full clock minute', async () => {
    for (let n = 0; n < 10; n++) await takeAt(59 * SECOND + n, 10);
    expect(await takeAt(61 * SECOND, 10)).toMatchObject({ admitted: 0 });
    expect(await takeAt(119 * SECOND + 4, 10)).toMatchObject({ admitted: 1, remaining: 4 });
  });

  it('admits several at a time, up to the limit', async () => {
    expect(await takeAt(0, 10, { wanted: 7 })).toEqual({ admitted: 7, remaining: 3, waitMs: 0 });
    expect(await takeAt(SECOND, 10, { wanted: 7 })).toEqual({
      admitted: 3,
      remaining: 0,
      waitMs: 59 * SECOND,
    });
    expect(await takeAt(60 * SECOND, 10, { wanted: 20 })).toEqual({
      admitted: 7,
      remaining: 0,
      waitMs: SECOND,
    });
    expect(await takeAt(200 * SECOND, 5, { wanted: 6 })).toEqual({
      admitted: 5,
      remaining: 0,
      waitMs: 60 * SECOND,
    });
  });

  it('follows a limit that changes at once, up and down', async () => {
    expect(await takeAt(0, 10, { wanted: 10 })).toMatchObject({ admitted: 10 });
    expect(await takeAt(SECOND, 60, { wanted: 60 })).toMatchObject({ admitted: 50, remaining: 0 });
    expect(await takeAt(2 * SECOND, 200)).toMatchObject({ admitted: 1, remaining: 139 });
    expect(await takeAt(3 * SECOND, 10)).toEqual({
      admitted: 0,
      remaining: 0,
      waitMs: 58 * SECOND,
    });
    expect(await takeAt(60 * SECOND, 51)).toMatchObject({ admitted: 0 });
    expect(await takeAt(60 * SECOND, 52)).toMatchObject({ admitted: 1, remaining: 0 });
    expect(await takeAt(61 * SECOND, 10)).toMatchObject({ admitted: 1, remaining: 7 });
  });

  it.each([0, -1])('admits nothing at a limit of %i', async (limit) => {
    expect(await takeAt(0, limit)).toEqual({ admitted: 0, remaining: 0, waitMs: 60 * SECOND });
  });

  it('counts each tenant and each window separately', async () => {
    const other = (await createTenant(database, 'other', 'free')).id;
    expect(await takeAt(0, 1)).toMatchObject({ admitted: 1 });
    expect(await takeAt(0, 1, { window: 'polls' })).toMatchObject({ admitted: 1 });
    expect(await takeAt(0, 1, { tenantId: other })).toMatchObject({ admitted: 1 });
    expect(await takeAt(0, 1)).toMatchObject({ admitted: 0 });
    expect(await takeAt(0, 1, { window: 'polls' })).toMatchObject({ admitted: 0 });
  });

  it('continues when the clock was set back, at once when by more than a window', async () => {
    await takeAt(100 * SECOND, 2, { wanted: 2 });
    expect(await takeAt(50 * SECOND, 2)).toMatchObject({ admitted: 0, waitMs: 60 * SECOND });
    expect(await takeAt(39 * SECOND, 2)).toMatchObject({ admitted: 1, remaining: 1 });
    expect(await takeAt(98 * SECOND, 2)).toMatchObject({ admitted: 1, remaining: 0 });
  });

  it('reads the clock of the database by itself', async () => {
    const take = () => takeRequests(database, { tenantId, window: 'calls', limit: 2 });
    expect(await take()).toEqual({ admitted: 1, remaining: 1, waitMs: 0 });
    expect(await take()).toEqual({ admitted: 1, remaining: 0, waitMs: 0 });
    const { admitted, waitMs } = await take();
    expect(admitted).toBe(0);
    expect(waitMs).toBeGreaterThan(30 * SECOND);
    expect(waitMs).toBeLessThanOrEqual(60 * SECOND);
    await database.query(
      {
        name: 'age',
        text: `UPDATE rate_slots SET at = at - interval '1 minute' FROM rate_windows AS w
               WHERE window_id = w.id AND w.tenant_id = $1`,
      },
      [tenantId],
    );
    expect(await take()).toEqual({ admitted: 1, remaining: 1, waitMs: 0 });
  });

  it('is deleted with its tenant, and reads no other', async () => {
    await takeAt(0, 5, { wanted: 5 });
    expect([await rowsOf('rate_windows'), await rowsOf('rate_slots')]).toEqual([1, 5]);
    await database.query({ name: 'gone', text: 'DELETE FROM tenants WHERE id = $1' }, [tenantId]);
    expect([await rowsOf('rate_windows'), await rowsOf('rate_slots')]).toEqual([0, 0]);
    await expect(takeAt(0, 5)).rejects.toThrow(/rate_windows_tenant_id_fkey/);
  });

  it('equals a list of instants, for any sequence of requests', async () => {
    const step = fc.record({
      tenant: fc.nat({ max: 1 }),
      aheadMs: fc.oneof(
        { weight: 6, arbitrary: fc.nat({ max: 9_000 }) },
        { weight: 2, arbitrary: fc.integer({ min: 50_000, max: 70_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: -130_000, max: 0 }) },
        { weight: 1, arbitrary: fc.constantFrom(0, 1, 59_999, 60_000, 60_001) },
      ),
      limit: fc.oneof(fc.constantFrom(3, 10), fc.nat({ max: 150 })),
      wanted: fc.oneof(fc.constant(1), fc.nat({ max: 40 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const tenants = [
          { id: (await createTenant(database, 'a', 'free')).id, log: new SlidingLog() },
          { id: (await createTenant(database, 'b', 'free')).id, log: new SlidingLog() },
        ];
        let nowMs = START_MS;
        for (const { tenant, aheadMs, limit, wanted } of steps) {
          nowMs += aheadMs;
          const { id, log } = tenants[tenant] ?? { id: '', log: new SlidingLog() };
          const taken = await takeAt(nowMs - START_MS, limit, { wanted, tenantId: id });
          expect(taken).toEqual(log.take({ limit, wanted, nowMs }));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('admits the same sum when four replicas request at the same instant', async () => {
    const step = fc.record({
      aheadMs: fc.constantFrom(0, 1, 5_000, 20_000, 59_000, 61_000),
      limit: fc.integer({ min: 1, max: 60 }),
      asks: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 16 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
        const { id } = await createTenant(database, 'a', 'free');
        const log = new SlidingLog();
        let nowMs = START_MS;
        for (const { aheadMs, limit, asks } of steps) {
          nowMs += aheadMs;
          const now = new Date(nowMs);
          const taken = await Promise.all(
            asks.map((wanted, n) => {
              const replica = replicas[n % REPLICAS] ?? database;
              return takeRequests(replica, { tenantId: id, window: 'calls', limit, wanted, now });
            }),
          );
          const all = asks.reduce((sum, n) => sum + n, 0);
          const expected = log.take({ limit, wanted: all, nowMs });
          expect(sumOf(taken)).toBe(expected.admitted);
          expect(Math.min(...taken.map(({ remaining }) => remaining))).toBe(expected.remaining);
        }
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    [10, 400],
    [300, 400],
    [1_000, 900],
  ])(
    'of a limit of %i admits exactly that many of %i concurrent requests',
    async (limit, requests) => {
      // As many at a time as there are connections: a pool lets nobody wait long for one.
      const connections = REPLICAS * POOL_SIZE;
      const takeSome = async (connection: number): Promise<TakenRequests[]> => {
        const replica = replicas[connection % REPLICAS] ?? database;
        const some: TakenRequests[] = [];
        for (let n = connection; n < requests; n += connections)
          some.push(await takeRequests(replica, { tenantId, window: 'calls', limit }));
        return some;
      };
      const all = await Promise.all(Array.from({ length: connections }, (_, n) => takeSome(n)));
      const taken = all.flat();
      const passed = taken.filter(({ admitted }) => admitted === 1);
      const count = Math.min(limit, requests);
      expect(passed).toHaveLength(count);
      // Each knows its own place.
      expect(passed.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual(
        Array.from({ length: count }, (_, n) => limit - 1 - n),
      );
    },
  );

  it('finds the live part of a large ring in few steps', async () => {
    const limit = 100_000;
    const burst = 9_000;
    for (let n = 0; n < 10; n++) await takeAt(n * SECOND, limit, { wanted: burst });
    expect(await takeAt(10 * SECOND, limit)).toMatchObject({ remaining: limit - 10 * burst - 1 });
    const text = 'SELECT remaining FROM take_requests($1, $2, $3, $4, $5)';
    const counted = await onOwnConnection(database.url, async (tx) => {
      for (let n = 0; n < 10; n++) {
        const now = new Date(START_MS + (60 + n) * SECOND);
        const values = [tenantId, 'calls', limit, 1, now];
        const remaining = limit - (9 - n) * burst - 2 - n;
        expect(await run(tx, { name: 'spec_remaining', text }, values)).toEqual([{ remaining }]);
      }
      const read = `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
        WHERE relname = 'rate_slots'`;
      return run<{ rows: number }>(tx, { name: 'spec_read', text: read }, []);
    });
    // One that reads all of it would read thousands for each.
    expect(counted[0]?.rows).toBeLessThan(1_000);
    expect(counted[0]?.rows).toBeGreaterThan(0);
  });

  describe('its tables', () => {
    const TABLES = ['rate_windows', 'rate_slots'];
    interface Stats {
      readonly table: string;
      readonly scans: number;
      readonly updates: number;
      readonly inserts: number;
    }

    it('are read by their keys alone', async () => {
      await fresh.patiently([
        `INSERT INTO tenants (id, name, plan)
         SELECT gen_random_uuid(), 'many', 'free' FROM generate_series(1, 2000)`,
        `INSERT INTO rate_windows (tenant_id, kind, head) SELECT id, 'calls', 8 FROM tenants WHERE name = 'many'`,
        `INSERT INTO rate_slots (window_id, slot, at)
         SELECT id, slot, now() FROM rate_windows, generate_series(0, 7) AS slot WHERE head = 8
         ON CONFLICT DO NOTHING`,
        'ANALYZE rate_windows, rate_slots',
      ]);
      const values = [tenantId, 'calls', 40, 1, null];
      const take = { name: 'spec_take', text: 'SELECT take_requests($1, $2, $3, $4, $5)' };
      const counted = await onOwnConnection(database.url, async (tx) => {
        for (let n = 0; n < 50; n++) await run(tx, take, values);
        const text = `SELECT relname AS table, seq_scan::int AS scans, n_tup_upd::int AS updates,
            n_tup_ins::int AS inserts FROM pg_stat_xact_user_tables WHERE relname = ANY ($1) ORDER BY 1 DESC`;
        return run<Stats & Record<string, unknown>>(tx, { name: 'spec_stats', text }, [TABLES]);
      });
      expect(counted).toEqual([
        { table: 'rate_windows', scans: 0, updates: 40, inserts: 1 },
        { table: 'rate_slots', scans: 0, updates: 0, inserts: 40 },
      ]);
    });

    it('stay small, however many requests there were', async () => {
      const bytes = async (): Promise<number> => {
        const text = `SELECT sum(pg_total_relation_size(name::regclass))::int AS bytes FROM unnest($1::text[]) AS name`;
        const rows = await database.query<{ bytes: number }>({ name: 'spec_bytes', text }, [
          TABLES,
        ]);
        return rows[0]?.bytes ?? NaN;
      };
      // Old versions go with a vacuum. Without one, transactions of the server's other databases
      // decide whether a page is pruned as it is read: 0.45 MB grow in a round then, if none is.
      const before = await bytes();
      for (let asked = 0; asked < (isFullRun ? 12_000 : 4_000);) {
        for (let n = 0; n < 2_000; n++) await takeAt(asked++ * SECOND, 60);
        await fresh.patiently(TABLES.map((table) => `VACUUM ${table}`));
      }
      expect((await bytes()) - before).toBeLessThan(600_000);
      expect(await rowsOf('rate_slots')).toBe(64);
    });

    it('are unlogged', async () => {
      const text = 'SELECT relpersistence AS kind FROM pg_class WHERE relname = ANY ($1)';
      const rows = await database.query({ name: 'spec_kinds', text }, [[...TABLES, 'call_slots']]);
      expect(rows).toEqual([{ kind: 'u' }, { kind: 'u' }, { kind: 'u' }]);
    });
  });
});

function sumOf(taken: readonly TakenRequests[]): number {
  return taken.reduce((sum, { admitted }) => sum + admitted, 0);
}
