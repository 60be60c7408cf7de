import { freshStore, type FreshStore } from '../../../../test/setup/fresh-store.js';
import type { Store } from '../open-store.js';
import { findTenant, listTenants } from '../tenants.js';
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

describe('self-serve keys', () => {
  let fresh: FreshStore;
  let store: Store;

  beforeAll(async () => {
    fresh = await freshStore();
    ({ store } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(() =>
    store.query({ name: 'reset', text: 'TRUNCATE tenants, key_provisions CASCADE' }),
  );

  const ask = (over: Partial<Provision> = {}): Promise<ProvisionOutcome> =>
    provisionKey(store, {
      network: HOME,
      perDay: 3,
      name: 'n',
      label: 'l',
      email: null,
      ...over,
    });
  const at = (ms: number): Date => new Date(START_MS + ms);
  const kinds = (outcomes: readonly ProvisionOutcome[]) => outcomes.map(({ kind }) => kind).sort();
  const noted = async () =>
    (await store.query({ name: 'noted', text: 'SELECT 1 FROM key_provisions' })).length;

  it('make a tenant on the free plan with one key', async () => {
    const made = await ask({ name: 'a', label: 'b', email: 'dev@example.com' });
    if (made.kind !== 'provisioned') throw new Error('was limited');
    const { tenantId, key, record } = made;
    expect(await findTenant(store, tenantId)).toEqual({
      id: tenantId,
      name: 'a',
      plan: 'free',
      email: 'dev@example.com',
      createdAt: expect.any(Date),
      agreed: { monthlyCredits: null, requestsPerMinute: null, concurrentRequests: null },
    });
    expect(await findTenantByKey(store, key)).toMatchObject({ id: tenantId, keyId: record.id });
    expect(await listApiKeys(store, tenantId)).toMatchObject([
      { label: 'b', origin: 'provisioned' },
    ]);
  });

  it('are exactly as many for one address as may be, however many ask at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => ask()));
    expect(kinds(outcomes)).toEqual([
      ...Array<string>(37).fill('limited'),
      ...Array<string>(3).fill('provisioned'),
    ]);
    expect(await listTenants(store, 100)).toHaveLength(3);
    expect(await noted()).toBe(3);
  });

  it('are counted for each address alone', async () => {
    for (let n = 0; n < 3; n++) await ask();
    expect((await ask()).kind).toBe('limited');
    expect((await ask({ network: '192.0.2.2/32' })).kind).toBe('provisioned');
    expect((await ask({ network: '2001:db8:0:1::/64' })).kind).toBe('provisioned');
  });

  it('come again exactly when the first of the last ones is a day old', async () => {
    for (const ms of [0, 1_000, 2_000]) await ask({ now: at(ms) });
    expect(await ask({ now: at(3_000) })).toEqual({
      kind: 'limited',
      retryAfterSeconds: (DAY_MS - 3_000) / 1_000,
    });
    expect(await ask({ now: at(DAY_MS - 1) })).toEqual({ kind: 'limited', retryAfterSeconds: 1 });
    expect((await ask({ now: at(DAY_MS) })).kind).toBe('provisioned');
    expect(await ask({ now: at(DAY_MS) })).toEqual({ kind: 'limited', retryAfterSeconds: 1 });
    expect((await ask({ now: at(DAY_MS + 1_000) })).kind).toBe('provisioned');
  });

  it('say how long to wait when the threshold was lowered', async () => {
    for (const ms of [0, 1_000, 2_000]) await ask({ now: at(ms) });
    const wait = { kind: 'limited', retryAfterSeconds: (DAY_MS + 2_000 - 3_000) / 1_000 };
    expect(await ask({ now: at(3_000), perDay: 1 })).toEqual(wait);
  });

  it('leave nothing behind when they fail', async () => {
    await expect(ask({ label: 'a\0b' })).rejects.toThrow();
    expect([await noted(), (await listTenants(store, 10)).length]).toEqual([0, 0]);
  });

  it('forget who asked once it no longer counts', async () => {
    await ask({ now: at(0), network: '192.0.2.9/32' });
    await ask({ now: at(1) });
    expect(await sweepKeyProvisions(store, 10, at(DAY_MS - 1))).toBe(0);
    expect(await sweepKeyProvisions(store, 10, at(DAY_MS))).toBe(1);
    await ask({ now: at(DAY_MS + 2), network: '192.0.2.9/32' });
    expect(await noted()).toBe(1);
  });
});
