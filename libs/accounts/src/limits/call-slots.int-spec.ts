import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { openReplicas } from '../../../database/test/open-replicas.js';
import { onOwnConnection } from '../../../database/test/own-connection.js';
import { run, type Database } from '@app/database';
import { createTenant } from '../tenants/tenants.js';
import { extendCallSlots, releaseCallSlot, takeCallSlot, type CallSlot } from './call-slots.js';

const START_MS = Date.parse('2026-03-04T05:06:07.000Z');
const LEASE_MS = 30_000;
const REPLICAS = 4;

describe('the slots of calls that are being answered', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let replicas: readonly Database[];
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
    replicas = await openReplicas(database.url, { count: REPLICAS });
  });
  afterAll(async () => {
    await Promise.all((replicas ?? []).map((replica) => replica.close()));
    await fresh.drop();
  });
  beforeEach(async () => {
    tenantId = (await createTenant(database, 'spec', 'free')).id;
  });

  const take = (limit: number, over: { callId?: string; now?: Date; tenantId?: string } = {}) =>
    takeCallSlot(database, { tenantId, callId: randomUUID(), limit, leaseMs: LEASE_MS, ...over });
  const at = (ms: number) => ({ now: new Date(START_MS + ms) });
  const held = async (limit: number): Promise<CallSlot> => {
    const slot = await take(limit);
    if (!slot) throw new Error('no slot');
    return slot;
  };
  const rows = async (): Promise<number> => {
    const text = 'SELECT count(*)::int AS n FROM call_slots WHERE tenant_id = $1';
    const found = await database.query<{ n: number }>({ name: 'spec_slots', text }, [tenantId]);
    return found[0]?.n ?? NaN;
  };

  it('reach the limit, and are free again when released', async () => {
    const [first, second] = [await held(2), await held(2)];
    expect([first.slot, second.slot]).toEqual([0, 1]);
    expect(await take(2)).toBeNull();
    await releaseCallSlot(database, first);
    expect(await take(2)).toMatchObject({ slot: 0 });
    expect(await take(2)).toBeNull();
    expect(await rows()).toBe(2);
  });

  it('are those of one tenant', async () => {
    const other = (await createTenant(database, 'other', 'free')).id;
    await held(1);
    expect(await take(1, { tenantId: other })).toMatchObject({ tenantId: other, slot: 0 });
  });

  it('expire when the process that holds them died', async () => {
    expect(await take(1, at(0))).not.toBeNull();
    expect(await take(1, at(LEASE_MS - 1))).toBeNull();
    expect(await take(1, at(LEASE_MS))).toMatchObject({ slot: 0 });
  });

  it('are held once by a call that requests one twice', async () => {
    const callId = randomUUID();
    expect(await take(2, { callId })).toMatchObject({ slot: 0 });
    expect(await take(2, { callId })).toMatchObject({ slot: 0 });
    expect(await take(2)).toMatchObject({ slot: 1 });
    expect(await take(2, { callId })).toMatchObject({ slot: 0 });
    expect(await take(2)).toBeNull();
  });

  it('of a lowered plan are assigned when enough running calls have ended', async () => {
    const calls = [await held(5), await held(5), await held(5), await held(5)];
    expect(await take(2)).toBeNull();
    for (const call of calls.slice(0, 2)) await releaseCallSlot(database, call);
    expect(await take(2)).toBeNull();
    for (const call of calls.slice(2, 3)) await releaseCallSlot(database, call);
    expect(await take(2)).toMatchObject({ slot: 0 });
    expect(await take(2)).toBeNull();
  });

  it('are released by their holder alone', async () => {
    const first = await held(1);
    await database.query({ name: 'spec_expire', text: `UPDATE call_slots SET until = now()` });
    await held(1);
    await releaseCallSlot(database, first);
    expect(await extendCallSlots(database, [first], LEASE_MS)).toBe(0);
    expect(await take(1)).toBeNull();
  });

  it('are renewed while their calls run, and stay lost once they expired', async () => {
    const slots = [await held(3), await held(3)];
    const soon = `UPDATE call_slots SET until = clock_timestamp() + interval '1 minute' WHERE slot = 0`;
    await database.query({ name: 'spec_soon', text: soon });
    const late = 'UPDATE call_slots SET until = clock_timestamp() WHERE slot = 1';
    await database.query({ name: 'spec_late', text: late });
    expect(await extendCallSlots(database, slots, 10 * LEASE_MS)).toBe(1);
    const text = `SELECT slot FROM call_slots
      WHERE tenant_id = $1 AND until > clock_timestamp() + interval '2 minutes'`;
    expect(await database.query({ name: 'spec_kept', text }, [tenantId])).toEqual([{ slot: 0 }]);
    expect(await extendCallSlots(database, [], LEASE_MS)).toBe(0);
  });

  it.each([1, 5, 50])('of %i are assigned exactly, under any concurrency', async (limit) => {
    const taken = await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        takeCallSlot(replicas[n % REPLICAS] ?? database, {
          ...{ tenantId, limit, callId: randomUUID(), leaseMs: LEASE_MS },
        }),
      ),
    );
    const slots = taken.flatMap((slot) => (slot ? [slot.slot] : []));
    expect(slots.sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, n) => n));
  });

  it('never exceed the limit, in any order of leases and releases', async () => {
    const step = fc.record({
      aheadMs: fc.constantFrom(0, 1, 1_000, 10_000, LEASE_MS),
      limit: fc.integer({ min: 0, max: 6 }),
      act: fc.constantFrom('take' as const, 'take' as const, 'release' as const),
      which: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
        const owner = (await createTenant(database, 'model', 'free')).id;
        let calls: { readonly slot: CallSlot; readonly untilMs: number }[] = [];
        let nowMs = 0;
        for (const { aheadMs, limit, act, which } of steps) {
          nowMs += aheadMs;
          calls = calls.filter(({ untilMs }) => untilMs > nowMs);
          if (act === 'take') {
            const slot = await take(limit, { tenantId: owner, ...at(nowMs) });
            expect(slot !== null).toBe(calls.length < limit);
            if (slot) calls.push({ slot, untilMs: nowMs + LEASE_MS });
          } else if (calls.length > 0) {
            const [ended] = calls.splice(which % calls.length, 1);
            if (ended) await releaseCallSlot(database, ended.slot);
          }
          expect(new Set(calls.map(({ slot }) => slot.slot)).size).toBe(calls.length);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('are read by their keys alone', async () => {
    await fresh.patiently([
      `INSERT INTO tenants (id, name, plan)
       SELECT gen_random_uuid(), 'many', 'free' FROM generate_series(1, 3000)`,
      `INSERT INTO call_slots (tenant_id, slot, call_id, until)
       SELECT id, slot, id, now() FROM tenants, generate_series(0, 4) AS slot WHERE name = 'many'`,
      'ANALYZE call_slots',
    ]);
    const text = `SELECT take_call_slot($1, $2, 5, interval '1 minute', NULL)`;
    const scans = await onOwnConnection(database.url, async (tx) => {
      for (let n = 0; n < 10; n++)
        await run(tx, { name: 'spec_take', text }, [tenantId, randomUUID()]);
      const stats = `SELECT seq_scan::int AS scans FROM pg_stat_xact_user_tables WHERE relname = 'call_slots'`;
      return run<{ scans: number }>(tx, { name: 'spec_stats', text: stats }, []);
    });
    expect(scans).toEqual([{ scans: 0 }]);
  });
});
