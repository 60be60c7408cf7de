import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import type { Database } from '@app/database';
import { createTenant } from '@app/accounts';
import {
  ensureSecrets,
  readSecrets,
  SECRET_OVERLAP_MS,
  showNewSecret,
  type SigningSecret,
} from './signing-secrets.js';

const START_MS = Date.UTC(2026, 0, 1);
const at = (ms: number) => new Date(START_MS + ms);
const textsOf = (secrets: readonly SigningSecret[]) =>
  secrets.map(({ secret }) => secret.toString('base64'));

describe('signing secrets', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    tenantId = (await createTenant(database, 'spec', 'custom')).id;
  });

  it('are made when first needed, once however many need them, and not shown by that', async () => {
    expect(await readSecrets(database, tenantId)).toEqual([]);
    const made = await Promise.all(
      Array.from({ length: 8 }, () => ensureSecrets(database, tenantId)),
    );
    expect(new Set(made.flatMap(textsOf)).size).toBe(1);
    expect(made[0]).toMatchObject([{ isShown: false, expiresAt: null }]);
    expect(made[0]?.[0]?.secret).toHaveLength(32);
  });

  it('show first the one that deliveries were signed with', async () => {
    const used = await ensureSecrets(database, tenantId);
    const shown = await showNewSecret(database, tenantId);
    expect(textsOf(shown)).toEqual(textsOf(used));
    expect(shown).toMatchObject([{ isShown: true }]);
  });

  it('stay in use for 24 h after a rotation, to the millisecond, and no longer', async () => {
    const [first] = textsOf(await showNewSecret(database, tenantId, at(0)));
    const rotated = await showNewSecret(database, tenantId, at(1_000));
    expect(rotated).toHaveLength(2);
    expect(textsOf(rotated)[1]).toBe(first);
    expect(rotated[1]?.expiresAt).toEqual(at(1_000 + SECRET_OVERLAP_MS));
    const inUse = async (ms: number) => (await readSecrets(database, tenantId, at(ms))).length;
    expect(await inUse(1_000 + SECRET_OVERLAP_MS - 1)).toBe(2);
    expect(await inUse(1_000 + SECRET_OVERLAP_MS)).toBe(1);
  });

  it('are at most five in use, the newest, however often they are rotated', async () => {
    const shown: string[] = [];
    for (let n = 0; n < 9; n++)
      shown.push(...textsOf(await showNewSecret(database, tenantId, at(n))).slice(0, 1));
    expect(new Set(shown).size).toBe(9);
    expect(textsOf(await readSecrets(database, tenantId, at(9)))).toEqual(
      shown.slice(-5).reverse(),
    );
    const text = 'SELECT count(*)::int AS n FROM webhook_secrets WHERE tenant_id = $1';
    expect(await database.query({ name: 'kept', text }, [tenantId])).toEqual([{ n: 5 }]);
  });

  it('shown at once to several are different, and each is the one in use at some time', async () => {
    const shown = await Promise.all(
      Array.from({ length: 4 }, () => showNewSecret(database, tenantId)),
    );
    const firsts = shown.map((secrets) => textsOf(secrets)[0]);
    expect(new Set(firsts).size).toBe(4);
    expect(textsOf(await readSecrets(database, tenantId)).sort()).toEqual([...firsts].sort());
  });
});
