import { hash } from 'node:crypto';
import { createTenant, grantCreditsIn, readBalance, type Tenant } from '@app/accounts';
import { newId, type Plan } from '@app/contracts';
import type { Database } from '@app/database';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { findConversation, keepConversation, sweepConversations } from './conversations.js';
import { createPreview, startPull, type StartedPull } from './create-pull.js';
import { findPull, listPulls, readPullRows } from './read-pulls.js';
import {
  addPullRows,
  cancelPull,
  claimPull,
  endPull,
  releasePull,
  renewPull,
  retryPull,
  type ClaimedPull,
} from './run-pull.js';
import { deleteTenantPulls, sweepPulls } from './sweep-pulls.js';

const LEASE = { costMicroUsd: 0, leaseMs: 120_000 };
const HOUR_MS = 3_600_000;

describe('pulls in SQL', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenant: Tenant;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  const useTenant = async (plan: Plan = 'free') => {
    tenant = await createTenant(database, 'spec', plan);
  };
  beforeEach(async () => {
    await database.query({ name: 'reset', text: 'TRUNCATE tenants CASCADE' });
    await useTenant();
  });

  const rows = (first: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      key: hash('sha256', `row ${first + at}`, 'buffer'),
      data: JSON.stringify({ b: first + at, a: 'x' }),
    }));
  const preview = async (rowLimit = 100, price = { credits: 1, rows: 1 }): Promise<string> => {
    const { id } = await createPreview(database, {
      ...{ id: newId(), tenantId: tenant.id, connectorId: 'maps', params: { query: 'q' } },
      ...{ estimatedRows: null, rowLimit, price, lifeMs: HOUR_MS },
    });
    return id;
  };
  const start = (id: string, over: Partial<Parameters<typeof startPull>[1]> = {}) =>
    startPull(database, { id, tenant, chargeId: newId(), maxRows: null, keptMs: HOUR_MS, ...over });
  const claimed = async (): Promise<ClaimedPull> => {
    const pull = await claimPull(database, LEASE.leaseMs);
    if (pull === null) throw new Error('nothing to claim');
    return pull;
  };
  const running = async (rowLimit = 100, price?: { credits: number; rows: number }) => {
    await start(await preview(rowLimit, price));
    return claimed();
  };
  const spent = async (id: string): Promise<number> => {
    const [sum] = await database.query<{ credits: number }>(
      {
        name: 'spent',
        text: 'SELECT coalesce(sum(credits), 0)::int AS credits FROM credit_ledger WHERE reference = $1',
      },
      [id],
    );
    return sum?.credits ?? 0;
  };
  const left = async () => (await readBalance(database, tenant.id))?.remaining;
  const stored = async (id: string) => {
    const all: string[] = [];
    const range = { after: 0, most: 1_000 };
    for await (const { data } of readPullRows(database.asReader(tenant.id), id, range))
      all.push(data);
    return all;
  };

  it('are pulled once, whoever asks at the same time; a repeated request gets the same', async () => {
    const id = await preview();
    const ids = Array.from({ length: 8 }, () => newId());
    const started = await Promise.all(ids.map((chargeId) => start(id, { chargeId })));
    const kinds = started.map(({ kind }) => kind).sort();
    expect(kinds).toEqual([...Array<string>(7).fill('pulled_before'), 'started']);
    const winner = ids[started.findIndex(({ kind }) => kind === 'started')] ?? '';
    expect(await start(id, { chargeId: winner })).toMatchObject({ kind: 'started', isNew: false });
  });

  it('reserve their credits, and return those that no row cost', async () => {
    const pull = await running(100);
    expect(await left()).toBe(900);
    await addPullRows(database, pull, rows(0, 30), LEASE);
    expect(await endPull(database, pull, { status: 'completed', error: null })).toBe(true);
    expect([await left(), await spent(pull.id)]).toEqual([970, 30]);
  });

  it('have as many rows as there are credits for, or none', async () => {
    const big = await start(await preview(5_000));
    expect(big).toMatchObject({ kind: 'started', pull: { rowLimit: 1_000 } });
    expect(await start(await preview(10))).toMatchObject({
      kind: 'unpaid',
      balance: 0,
      required: 1,
    });
  });

  it.each<[{ credits: number; rows: number }, number, number]>([
    [{ credits: 1, rows: 10 }, 25, 3],
    [{ credits: 3, rows: 1 }, 25, 75],
    [{ credits: 0, rows: 1 }, 25, 0],
  ])('cost by their price: %j', async (price, count, credits) => {
    const pull = await running(100, price);
    for (const row of rows(0, count)) await addPullRows(database, pull, [row], LEASE);
    await endPull(database, pull, { status: 'completed', error: null });
    expect([await spent(pull.id), await left()]).toEqual([credits, 1_000 - credits]);
  });

  it('keep each row once, in its order, and no more than their limit', async () => {
    const pull = await running(50);
    await addPullRows(database, pull, [...rows(0, 20), ...rows(10, 20)], LEASE);
    const full = await addPullRows(database, pull, rows(20, 100), LEASE);
    expect(full).toEqual({ rows: 50, rowLimit: 50, credits: 20 });
    const all = await stored(pull.id);
    expect(all).toEqual(rows(0, 50).map(({ data }) => data));
    expect(await spent(pull.id)).toBe(50);
  });

  it('count what a lost worker did, and what it does late no more', async () => {
    const first = await running(100);
    await addPullRows(database, first, rows(0, 40), LEASE);
    await database.query({
      name: 'expire',
      text: `UPDATE pulls SET lease_until = now() - interval '1 s'`,
    });
    const second = await claimed();
    expect(second).toMatchObject({ id: first.id, rows: 40 });
    expect(await addPullRows(database, first, rows(40, 10), LEASE)).toBeNull();
    expect(await renewPull(database, first, 1_000)).toBe(false);
    expect(await endPull(database, first, { status: 'completed', error: null })).toBe(false);
    // The second one yields everything again.
    await addPullRows(database, second, rows(0, 60), LEASE);
    await endPull(database, second, { status: 'completed', error: null });
    expect([await spent(first.id), (await stored(first.id)).length, await left()]).toEqual([
      ...[60, 60, 940],
    ]);
  });

  it('are cancelled at once: nothing is added afterwards, the rest is returned', async () => {
    const pull = await running(100);
    await addPullRows(database, pull, rows(0, 5), LEASE);
    expect(await cancelPull(database, tenant.id, pull.id)).toBe(true);
    expect(await cancelPull(database, tenant.id, pull.id)).toBe(false);
    expect(await addPullRows(database, pull, rows(5, 5), LEASE)).toBeNull();
    expect([await spent(pull.id), await left()]).toEqual([5, 995]);
  });

  it('are claimed in turns of their tenants, two of each at most', async () => {
    const first = tenant;
    for (let n = 0; n < 4; n++) await start(await preview(1));
    await useTenant();
    await start(await preview(1));
    const order: string[] = [];
    const claim = () => claimPull(database, LEASE.leaseMs);
    for (let pull = await claim(); pull; pull = await claim()) order.push(pull.tenantId);
    expect(order).toEqual([first.id, tenant.id, first.id]);
  });

  it('count the workers that were lost since rows were last added, and none that gave it back', async () => {
    const lose = async () => {
      const text = `UPDATE pulls SET lease_until = now() - interval '1 s'`;
      await database.query({ name: 'expire', text });
      return claimed();
    };
    const first = await running(100);
    const second = await lose();
    expect([first.attempts, second.attempts]).toEqual([1, 2]);
    await addPullRows(database, second, rows(0, 5), LEASE);
    const third = await lose();
    expect(third.attempts).toBe(1);
    // Yielded again: nothing is new.
    await addPullRows(database, third, rows(0, 5), LEASE);
    const fourth = await lose();
    expect(fourth.attempts).toBe(2);
    await releasePull(database, third);
    await releasePull(database, fourth);
    expect(await claimed()).toMatchObject({ id: first.id, attempts: 2 });
  });

  it('wait before another try', async () => {
    const pull = await running(10);
    await retryPull(database, pull, 60_000);
    expect(await claimPull(database, LEASE.leaseMs)).toBeNull();
    await retryPull(database, pull, 0);
    await database.query({ name: 'due', text: 'UPDATE pulls SET not_before = now()' });
    expect(await claimed()).toMatchObject({ id: pull.id, attempts: 2 });
  });

  it('are listed without previews, and read by their tenant alone', async () => {
    const id = await preview();
    await start(await preview());
    const own = database.asReader(tenant.id);
    expect(await listPulls(own, tenant.id, 10)).toHaveLength(1);
    expect(await findPull(own, tenant.id, id)).toMatchObject({ status: 'previewed' });
    const other = await createTenant(database, 'other', 'pro');
    expect(await findPull(database.asReader(other.id), other.id, id)).toBeNull();
    expect(await start(id, { tenant: other })).toEqual({ kind: 'unknown' } satisfies StartedPull);
  });

  it('cannot be pulled once they have expired, and are swept with their rows', async () => {
    const id = await preview();
    const pull = await running(10);
    await addPullRows(database, pull, rows(0, 3), LEASE);
    await database.query({
      name: 'old',
      text: `UPDATE pulls SET expires_at = now() - interval '1 s'`,
    });
    expect(await start(id)).toEqual({ kind: 'expired' });
    // One that runs is kept.
    expect(await sweepPulls(database, 10, new Date())).toBe(1);
    await endPull(database, pull, { status: 'completed', error: null });
    expect(await sweepPulls(database, 10, new Date())).toBe(1);
    expect(await stored(pull.id)).toEqual([]);
    expect(await spent(pull.id)).toBe(3);
  });

  it('go with the data of their tenant, running ones too', async () => {
    const pull = await running(10);
    await preview();
    const until = new Date(Date.now() + 60_000);
    expect(await deleteTenantPulls(database, { tenantId: tenant.id, until, limit: 10 })).toBe(2);
    expect(await addPullRows(database, pull, rows(0, 1), LEASE)).toBeNull();
    expect(await left()).toBe(1_000);
  });

  it('record what rows cost the operator', async () => {
    await database.transaction((tx) =>
      grantCreditsIn(tx, { tenantId: tenant.id, credits: 1, reference: newId() }),
    );
    const pull = await running(10);
    await addPullRows(database, pull, [], { ...LEASE, costMicroUsd: 10_000 });
    const [cost] = await database.query<{ cost: number }>({
      name: 'cost',
      text: 'SELECT sum(cost_micro_usd)::int AS cost FROM credit_ledger',
    });
    expect(cost).toEqual({ cost: 10_000 });
  });

  it('conversations are of one tenant, and expire', async () => {
    const id = newId();
    const about = { connectorId: 'maps', params: { query: 'q' } };
    await keepConversation(database, { id, tenantId: tenant.id, ...about, lifeMs: HOUR_MS });
    expect(await findConversation(database, tenant.id, id)).toEqual(about);
    const other = await createTenant(database, 'other', 'pro');
    expect(await findConversation(database, other.id, id)).toBeNull();
    await keepConversation(database, { id, tenantId: tenant.id, ...about, lifeMs: -1 });
    expect(await findConversation(database, tenant.id, id)).toBeNull();
    expect(await sweepConversations(database, 10, new Date())).toBe(1);
  });
});
