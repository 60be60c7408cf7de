import { until } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import type { Database } from '@app/database';
import { findTenant, listTenants } from '../tenants/tenants.js';
import { findTenantByKey } from './find-tenant.js';
import { listApiKeys } from './list-keys.js';
import {
  provisionKey,
  sweepKeyProvisions,
  type Provision,
  type ProvisionOutcome,
} from './provision-key.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 4, 1, 12);
const HOME = '192.0.2.1/32';
const AROUND = '192.0.2.0/24';

describe('self-serve keys', () => {
  let fresh: FreshDatabase;
  let database: Database;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(() =>
    database.query({ name: 'reset', text: 'TRUNCATE tenants, key_provisions CASCADE' }),
  );

  interface Over extends Partial<Omit<Provision, 'client' | 'around'>> {
    readonly network?: string;
    readonly perDay?: number;
    readonly around?: string;
    readonly perNetwork?: number;
  }
  const ask = ({ network, perDay, around, perNetwork, ...over }: Over = {}) =>
    provisionKey(database, {
      client: { network: network ?? HOME, perDay: perDay ?? 3 },
      around: { network: around ?? AROUND, perDay: perNetwork ?? 100 },
      name: 'n',
      label: 'l',
      email: null,
      ...over,
    });
  const limitedFor = (retryAfterSeconds: number, bound = 'client') => ({
    kind: 'limited',
    bound,
    retryAfterSeconds,
  });
  const at = (ms: number): Date => new Date(START_MS + ms);
  const kinds = (outcomes: readonly ProvisionOutcome[]) => outcomes.map(({ kind }) => kind).sort();
  const noted = async () =>
    (await database.query({ name: 'noted', text: 'SELECT 1 FROM key_provisions' })).length;

  const waiters = async () =>
    (
      await database.query({
        name: 'spec_waiters',
        text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
      })
    ).length;

  it('create a tenant on the free plan with one key', async () => {
    const made = await ask({ name: 'a', label: 'b', email: 'dev@example.com' });
    if (made.kind !== 'provisioned') throw new Error('was limited');
    const { tenantId, key, record } = made;
    expect(await findTenant(database, tenantId)).toEqual({
      id: tenantId,
      name: 'a',
      plan: 'free',
      email: 'dev@example.com',
      createdAt: expect.any(Date),
      agreed: { monthlyCredits: null, requestsPerMinute: null, concurrentRequests: null },
      hasLiveMaps: false,
    });
    expect(await findTenantByKey(database, key)).toMatchObject({ id: tenantId, keyId: record.id });
    expect(await listApiKeys(database, tenantId)).toMatchObject([
      { label: 'b', origin: 'provisioned' },
    ]);
  });

  it('reach exactly the limit of one address, under any concurrency', async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => ask()));
    expect(kinds(outcomes)).toEqual([
      ...Array<string>(37).fill('limited'),
      ...Array<string>(3).fill('provisioned'),
    ]);
    expect(await listTenants(database, 100)).toHaveLength(3);
    expect(await noted()).toBe(3);
  });

  it('are counted for each address alone', async () => {
    for (let n = 0; n < 3; n++) await ask();
    expect((await ask()).kind).toBe('limited');
    expect((await ask({ network: '192.0.2.2/32' })).kind).toBe('provisioned');
    const around = '2001:db8::/48';
    expect((await ask({ network: '2001:db8:0:1::/64', around })).kind).toBe('provisioned');
  });

  it.each([
    ['IPv4', AROUND, (n: number) => `192.0.2.${n}/32`, '192.0.3.0'],
    ['IPv6', '2001:db8:1::/48', (n: number) => `2001:db8:1:${n.toString(16)}::/64`, '2001:db8:2::'],
  ])(
    'reach exactly the limit of a network of %s, under any concurrency',
    async (_, around, clientAt, other) => {
      const asked = Array.from({ length: 60 }, (_one, n) =>
        ask({ network: clientAt(n), around, perNetwork: 7 }),
      );
      expect(kinds(await Promise.all(asked))).toEqual([
        ...Array<string>(53).fill('limited'),
        ...Array<string>(7).fill('provisioned'),
      ]);
      expect(await noted()).toBe(7);
      // The addresses at both ends of the network count in it, those beside it do not.
      for (const end of [0, around === AROUND ? 255 : 0xffff])
        expect(await ask({ network: clientAt(end), around, perNetwork: 7 })).toMatchObject({
          bound: 'around',
        });
      const [width, wide] = around === AROUND ? [32, 24] : [64, 48];
      const beside = { network: `${other}/${width}`, around: `${other}/${wide}`, perNetwork: 7 };
      expect((await ask(beside)).kind).toBe('provisioned');
    },
  );

  it('count an address at both ends of its network', async () => {
    const perNetwork = 2;
    await ask({ network: '192.0.2.0/32', perNetwork, now: at(0) });
    await ask({ network: '192.0.2.255/32', perNetwork, now: at(1_000) });
    await ask({ network: '192.0.1.255/32', around: '192.0.1.0/24', perNetwork, now: at(1_500) });
    const refused = await ask({ perNetwork, now: at(2_000) });
    expect(refused).toEqual(limitedFor((DAY_MS - 2_000) / 1_000, 'around'));
    expect((await ask({ perNetwork, now: at(DAY_MS) })).kind).toBe('provisioned');
    expect(await ask({ perNetwork, now: at(DAY_MS) })).toEqual(limitedFor(1, 'around'));
  });

  it('are possible again exactly when the first of the last ones is a day old', async () => {
    for (const ms of [0, 1_000, 2_000]) await ask({ now: at(ms) });
    expect(await ask({ now: at(3_000) })).toEqual({
      kind: 'limited',
      bound: 'client',
      retryAfterSeconds: (DAY_MS - 3_000) / 1_000,
    });
    expect(await ask({ now: at(DAY_MS - 1) })).toEqual(limitedFor(1));
    expect((await ask({ now: at(DAY_MS) })).kind).toBe('provisioned');
    expect(await ask({ now: at(DAY_MS) })).toEqual(limitedFor(1));
    expect((await ask({ now: at(DAY_MS + 1_000) })).kind).toBe('provisioned');
  });

  it('wait a day at most, also when a request that began later was counted first', async () => {
    const blocked = await database.transaction(async (tx) => {
      const text = `SELECT pg_advisory_xact_lock(hashtextextended($1, 7261774195))`;
      await tx.query({ name: 'spec_lock', text, values: [AROUND] });
      const asked = ask({ perDay: 1 });
      await until(async () => (await waiters()) === 1, { what: 'the request at the lock' });
      const count = `INSERT INTO key_provisions (network, created_at) VALUES ($1, clock_timestamp())`;
      const countedAtMs = performance.now();
      await tx.query({ name: 'spec_count', text: count, values: [HOME] });
      return { asked, countedAtMs };
    });
    const refused = await blocked.asked;
    const passedSeconds = Math.ceil((performance.now() - blocked.countedAtMs) / 1_000);
    if (refused.kind !== 'limited') throw new Error('was provisioned');
    const { retryAfterSeconds } = refused;
    expect(refused).toEqual(limitedFor(retryAfterSeconds));
    expect(retryAfterSeconds).toBeLessThanOrEqual(DAY_MS / 1_000);
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(DAY_MS / 1_000 - passedSeconds);
  });

  it('report how long to wait when the limit was lowered', async () => {
    for (const ms of [0, 1_000, 2_000]) await ask({ now: at(ms) });
    const wait = limitedFor((DAY_MS + 2_000 - 3_000) / 1_000);
    expect(await ask({ now: at(3_000), perDay: 1 })).toEqual(wait);
  });

  it('leave no row when they fail', async () => {
    await expect(ask({ label: 'a\0b' })).rejects.toThrow();
    expect([await noted(), (await listTenants(database, 10)).length]).toEqual([0, 0]);
  });

  it('delete the address once it no longer counts', async () => {
    await ask({ now: at(0), network: '192.0.2.9/32' });
    await ask({ now: at(1) });
    expect(await sweepKeyProvisions(database, 10, at(DAY_MS - 1))).toBe(0);
    expect(await sweepKeyProvisions(database, 10, at(DAY_MS))).toBe(1);
    await ask({ now: at(DAY_MS + 2), network: '192.0.2.9/32' });
    expect(await noted()).toBe(1);
  });
});
