import { PLAN_LIMITS, PLANS, type Plan } from '@app/contracts';
import { until } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { openReplicas } from '../../../database/test/open-replicas.js';
import { onOwnConnection } from '../../../database/test/own-connection.js';
import { API_KEY_PREFIX, hashKey, lookupPart } from '../keys/api-key.js';
import { findTenantByKey } from '../keys/find-tenant.js';
import { createApiKey } from '../keys/issue-key.js';
import { findApiKey } from '../keys/list-keys.js';
import { revokeApiKey } from '../keys/revoke-key.js';
import { rotateApiKey } from '../keys/rotate-key.js';
import { run, type Database } from '@app/database';
import { changeAgreement, createTenant } from '../tenants/tenants.js';
import { AdmissionGate } from './admit-requests.js';
import { admitRequests, type KeyRequests } from './admit-requests.js';
import { takeRequests } from './rate-window.js';

const REPLICAS = 4;

describe('requests with a key', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let replicas: readonly Database[];
  let tenantId: string;
  let key: string;

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
    ({ tenantId, key } = await caller('free'));
  });

  async function caller(plan: Plan): Promise<{ tenantId: string; key: string }> {
    const { id } = await createTenant(database, 'spec', plan);
    return { tenantId: id, key: await createApiKey(database, id, 'spec') };
  }
  const asking = (over: Partial<KeyRequests> = {}): KeyRequests => ({
    ...{ key, window: 'calls', leastLimit: 0, wanted: 1 },
    ...over,
  });
  const ask = async (over: Partial<KeyRequests> = {}) =>
    (await admitRequests(database, [asking(over)]))[0];
  /** How many the window counted, read by the function that counts alone. */
  const counted = async (window: 'calls' | 'polls' = 'calls'): Promise<number> => {
    const asked = { tenantId, window, limit: 1_000_000, wanted: 0 };
    return 1_000_000 - (await takeRequests(database, asked)).remaining;
  };

  it('find their tenant as a look-up by itself does, and are counted', async () => {
    const agreed = { monthlyCredits: 7, requestsPerMinute: 8, concurrentRequests: 9 };
    await database.transaction((tx) => changeAgreement(tx, tenantId, agreed));
    const tenant = await findTenantByKey(database, key);
    expect(tenant).toMatchObject({ id: tenantId, plan: 'free', agreed });
    expect(await ask()).toEqual({ tenant, limit: 8, admitted: 1, remaining: 7 });
    expect(await ask({ wanted: 9 })).toEqual({ tenant, limit: 8, admitted: 7, remaining: 0 });
    expect(await ask()).toEqual({ tenant, limit: 8, admitted: 0, remaining: 0 });
    expect(await counted()).toBe(8);
  });

  it.each([
    [null, 0, 'calls'],
    [null, 60, 'polls'],
    [5, 60, 'polls'],
    [5, 0, 'calls'],
    [70, 60, 'polls'],
  ] as const)(
    'have the larger of the limit by plan or agreement (%j) and %i in the window of %s',
    async (requestsPerMinute, leastLimit, window) => {
      for (const plan of PLANS) {
        const one = await caller(plan);
        const agreed = { monthlyCredits: null, requestsPerMinute, concurrentRequests: null };
        await database.transaction((tx) => changeAgreement(tx, one.tenantId, agreed));
        const own = requestsPerMinute ?? PLAN_LIMITS[plan].requestsPerMinute;
        const limit = Math.max(leastLimit, own);
        const found = await ask({ key: one.key, window, leastLimit });
        expect(found).toMatchObject({ limit, admitted: 1, remaining: limit - 1 });
      }
    },
  );

  it('with a wrong secret find no tenant and count nowhere', async () => {
    const forged = `${key.slice(0, -43)}${'x'.repeat(43)}`;
    expect(lookupPart(forged)).toBe(lookupPart(key));
    const wrong = [
      forged,
      `${key}A`,
      key.slice(0, -1),
      `${API_KEY_PREFIX}${'0'.repeat(12)}_x`,
      'x',
    ];
    const asked = [...wrong.map((text) => asking({ key: text, wanted: 3 })), asking()];
    const answers = await admitRequests(database, asked);
    expect(answers.slice(0, -1)).toEqual(wrong.map(() => null));
    expect(answers.at(-1)).toMatchObject({ admitted: 1, remaining: 9 });
    expect(await counted()).toBe(1);
  });

  it('are refused from the very next one on when their key was revoked, in every process', async () => {
    const gates = replicas.map((replica) => new AdmissionGate(replica));
    const everywhere = () =>
      Promise.all(
        gates.map(async (gate) => {
          const found = await gate.pass({ key, window: 'polls', leastLimit: 60 });
          return found !== null;
        }),
      );
    expect(await everywhere()).toEqual([true, true, true, true]);
    await revokeApiKey(database, key);
    expect(await everywhere()).toEqual([false, false, false, false]);
    expect(await counted('polls')).toBe(REPLICAS);
  });

  it('end with the overlap of a key that was rotated', async () => {
    const keyId = (await ask())?.tenant.keyId ?? '';
    const overlapping = await rotateApiKey(database, { tenantId, keyId, overlapSeconds: 60 });
    expect(await ask()).not.toBeNull();
    const next = { tenantId, keyId: overlapping?.record.id ?? '', overlapSeconds: 0 };
    await rotateApiKey(database, next);
    expect(await ask({ key: overlapping?.key ?? '' })).toBeNull();
    expect(await counted()).toBe(2);
  });

  it('are answered in the order of the requests, with several keys of one tenant', async () => {
    const other = await caller('hobby');
    const second = await createApiKey(database, tenantId, 'second');
    const answers = await admitRequests(database, [
      asking({ wanted: 4 }),
      asking({ key: other.key }),
      asking({ key: 'none' }),
      asking({ key: second, wanted: 4 }),
      asking({ window: 'polls', leastLimit: 60 }),
      asking({ wanted: 4 }),
    ]);
    const told = answers.map(
      (one) => one && [one.tenant.id, one.limit, one.admitted, one.remaining],
    );
    expect(told).toEqual([
      [tenantId, 10, 4, 6],
      [other.tenantId, 60, 1, 59],
      null,
      [tenantId, 10, 4, 2],
      [tenantId, 60, 1, 59],
      [tenantId, 10, 2, 0],
    ]);
  });

  it('leave a note of use', async () => {
    // A note that cannot be written is left to a later use.
    const isNoted = async () => {
      const keyId = (await ask())?.tenant.keyId ?? '';
      return (await findApiKey(database, { tenantId, keyId }))?.lastUsedAt instanceof Date;
    };
    await until(isNoted, { what: 'the note' });
  });

  it('pass exactly, for any number of tenants and processes, in any order', async () => {
    const plans: readonly Plan[] = ['free', 'hobby', 'free', 'pro', 'hobby', 'free'];
    const callers = await Promise.all(plans.map(caller));
    const gates = replicas.map((replica) => new AdmissionGate(replica));
    const asked = Array.from({ length: 1_500 }, (_, n) => {
      // Each process begins with another tenant.
      const at = (n + Math.floor(n / plans.length)) % plans.length;
      return { at, gate: gates[n % REPLICAS], key: callers[at]?.key ?? '' };
    });
    const answers = await Promise.all(
      asked.map(async (one) => ({
        at: one.at,
        admission: await one.gate?.pass({ key: one.key, window: 'calls', leastLimit: 0 }),
      })),
    );
    for (const [at, plan] of plans.entries()) {
      const limit = PLAN_LIMITS[plan].requestsPerMinute;
      const own = answers.filter((one) => one.at === at).map(({ admission }) => admission);
      expect(new Set(own.map((one) => one?.tenant.id))).toEqual(new Set([callers[at]?.tenantId]));
      const left = own.flatMap((one) => (one?.isAdmitted ? [one.remaining] : []));
      // Each knows its own place.
      expect(left.sort((a, b) => b - a)).toEqual(
        Array.from({ length: limit }, (_, n) => limit - 1 - n),
      );
    }
  });

  it('never wait for each other in a circle', async () => {
    const callers = await Promise.all(Array.from({ length: 24 }, () => caller('custom')));
    const forth = callers.map((one) => asking({ key: one.key }));
    const rounds = Array.from({ length: 40 }, (_, n) =>
      admitRequests(replicas[n % REPLICAS] ?? database, n % 2 === 0 ? forth : forth.toReversed()),
    );
    const admitted = (await Promise.all(rounds)).flat();
    expect(admitted.filter((one) => one?.admitted === 1)).toHaveLength(24 * 40);
    const deadlocks = `SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()`;
    expect(await database.query({ name: 'spec_deadlocks', text: deadlocks })).toEqual([{ n: 0 }]);
  });

  it('are found by index, whatever the size of the tables', async () => {
    await fresh.patiently([
      `INSERT INTO tenants (id, name, plan)
       SELECT gen_random_uuid(), 'many', 'free' FROM generate_series(1, 3000)`,
      `INSERT INTO api_keys (id, tenant_id, prefix, secret_hash, label)
       SELECT gen_random_uuid(), id, id || '/' || n, '', 'k' FROM tenants, generate_series(1, 3) n
       WHERE name = 'many'`,
      'ANALYZE tenants, api_keys',
    ]);
    const text = `SELECT * FROM admit_requests($1, $2, '{calls}', '{0}', '{1}', '{"free": 10}')`;
    const values = [[lookupPart(key)], [hashKey(key)]];
    const scans = await onOwnConnection(database.url, async (tx) => {
      for (let n = 0; n < 10; n++) await run(tx, { name: 'spec_admit', text }, values);
      const stats = `SELECT relname AS table, seq_scan::int AS scans FROM pg_stat_xact_user_tables
        WHERE relname IN ('tenants', 'api_keys') ORDER BY 1`;
      return run(tx, { name: 'spec_stats', text: stats }, []);
    });
    expect(scans).toEqual([
      { table: 'api_keys', scans: 0 },
      { table: 'tenants', scans: 0 },
    ]);
  });
});
