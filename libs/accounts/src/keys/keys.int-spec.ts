import { newId } from '@app/contracts';
import { adHocStatement, until } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { ExplainingDatabase } from '../../../database/test/explaining-database.js';
import { Database } from '@app/database';
import { createFirstTenant, createTenant } from '../tenants/tenants.js';
import { API_KEY_PREFIX } from './api-key.js';
import { findTenantByKey } from './find-tenant.js';
import { createApiKey, issueApiKey, KeyLimitError, MAX_ACTIVE_KEYS } from './issue-key.js';
import { findApiKey, listApiKeys, ownerOfKey } from './list-keys.js';
import { revokeApiKey, revokeApiKeyById } from './revoke-key.js';
import { MAX_OVERLAP_SECONDS, rotateApiKey } from './rotate-key.js';

describe('API keys', () => {
  let fresh: FreshDatabase<ExplainingDatabase>;
  let database: ExplainingDatabase;
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase(ExplainingDatabase);
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    await database.query({ name: 'spec_reset', text: 'TRUNCATE tenants CASCADE' });
    tenantId = (await createTenant(database, 'spec', 'pro')).id;
  });

  const sql = (text: string, values: readonly unknown[] = []) =>
    database.query(adHocStatement(text), values);
  const make = (label = 'k') => issueApiKey(database, { tenantId, label, origin: 'account' });
  const isTaken = async (key: string, now?: Date) =>
    (await findTenantByKey(database, key, now)) !== null;
  const labels = async () => (await listApiKeys(database, tenantId)).map(({ label }) => label);

  describe('when created', () => {
    it('begin with the fixed prefix and carry 256 random bits', async () => {
      const { key, record } = await make();
      const [, lookup = '', secret = ''] =
        /^trawl_live_([0-9a-f]{12})_([\w-]{43})$/.exec(key) ?? [];
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
      expect(record).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        label: 'k',
        prefix: `${API_KEY_PREFIX}${lookup.slice(0, 4)}…`,
        createdAt: expect.any(Date),
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
        origin: 'account',
      });
      expect(await listApiKeys(database, tenantId)).toEqual([record]);
      expect(await findApiKey(database, { tenantId, keyId: record.id })).toEqual(record);
    });

    it('find their tenant with its agreement', async () => {
      const { key, record } = await make();
      const plain = { monthlyCredits: null, requestsPerMinute: null, concurrentRequests: null };
      const tenant = { id: tenantId, plan: 'pro', keyId: record.id };
      expect(await findTenantByKey(database, key)).toEqual({ ...tenant, agreed: plain });
      await sql(
        `UPDATE tenants SET agreed_monthly_credits = 7, agreed_requests_per_minute = 8,
           agreed_concurrent_requests = 9 WHERE id = $1`,
        [tenantId],
      );
      const agreed = { monthlyCredits: 7, requestsPerMinute: 8, concurrentRequests: 9 };
      expect(await findTenantByKey(database, key)).toEqual({ ...tenant, agreed });
    });

    it('are refused with one character changed, cut or added', async () => {
      const { key } = await make();
      const last = key.endsWith('A') ? 'B' : 'A';
      const wrong = [`${key.slice(0, -1)}${last}`, key.slice(0, -1), `${key}A`, key.toUpperCase()];
      for (const text of [...wrong, '', API_KEY_PREFIX, 'x'.repeat(40)])
        expect([text, await isTaken(text)]).toEqual([text, false]);
      expect(await isTaken(key)).toBe(true);
    });

    it('have their origin', async () => {
      await createApiKey(database, tenantId, 'by the three arguments');
      await sql('TRUNCATE tenants CASCADE');
      await createFirstTenant(database);
      const rows = await sql('SELECT origin FROM api_keys');
      expect(rows).toEqual([{ origin: 'first' }]);
      expect(await createFirstTenant(database)).toBeNull();
    });

    it('store no secret in the database', async () => {
      const { key } = await make();
      const rotation = { tenantId, keyId: (await make()).record.id, overlapSeconds: 60 };
      const rotated = await rotateApiKey(database, rotation);
      const everything = (await dump()).toLowerCase();
      expect(everything).toContain(tenantId);
      for (const text of [key, rotated?.key ?? '']) {
        const secret = text.split('_').slice(3).join('_');
        const bytes = Buffer.from(secret, 'base64url');
        const forms = [secret, bytes.toString('hex'), Buffer.from(text).toString('hex')];
        for (const form of forms) expect(everything).not.toContain(form.toLowerCase());
      }
    });

    it(`are at most ${MAX_ACTIVE_KEYS} in use, under any concurrency`, async () => {
      const asked = await Promise.allSettled(
        Array.from({ length: MAX_ACTIVE_KEYS + 10 }, () => make()),
      );
      const refused = asked.filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(10);
      for (const one of refused) expect(one).toMatchObject({ reason: expect.any(KeyLimitError) });
      const [first] = await listApiKeys(database, tenantId);
      await revokeApiKeyById(database, { tenantId, keyId: first?.id ?? '' });
      await make('in its place');
      expect(await labels()).toHaveLength(MAX_ACTIVE_KEYS + 1);
    });

    it('keep only the last hundred that ended', async () => {
      await sql(
        `INSERT INTO api_keys (id, tenant_id, prefix, secret_hash, label, revoked_at)
         SELECT gen_random_uuid(), $1, n::text, '', n::text, now() - n * interval '1 s' FROM generate_series(1, 130) n`,
        [tenantId],
      );
      await make('new');
      const kept = await labels();
      expect(kept).toHaveLength(101);
      expect(kept).toEqual(expect.arrayContaining(['new', '1', '100']));
    });
  });

  async function dump(): Promise<string> {
    const tables = await database.query<{ name: string }>({
      name: 'spec_tables',
      text: `SELECT format('%I', relname) AS name FROM pg_class
             WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    });
    const rows = await Promise.all(tables.map(({ name }) => sql(`SELECT t::text FROM ${name} t`)));
    return JSON.stringify(rows);
  }

  describe('rotated', () => {
    it('work until their overlap ends, and not at that instant', async () => {
      const { key, record } = await make();
      const rotation = { tenantId, keyId: record.id, overlapSeconds: 60 };
      const beforeMs = Date.now();
      const rotated = await rotateApiKey(database, rotation);
      const end = rotated?.previousExpiresAt ?? new Date(0);
      expect(end.getTime() - beforeMs).toBeGreaterThan(55_000);
      expect(end.getTime() - Date.now()).toBeLessThanOrEqual(65_000);
      expect(await isTaken(key, new Date(end.getTime() - 1))).toBe(true);
      expect(await isTaken(key, end)).toBe(false);
      expect(await isTaken(rotated?.key ?? '', end)).toBe(true);
      expect(rotated?.record).toMatchObject({ label: 'k', origin: 'account', expiresAt: null });
      const old = await findApiKey(database, { tenantId, keyId: record.id });
      expect(old).toMatchObject({ expiresAt: end, revokedAt: null });
    });

    it('end at once without an overlap, by the clock of the database', async () => {
      const { key, record } = await make();
      const rotated = await rotateApiKey(database, {
        tenantId,
        keyId: record.id,
        overlapSeconds: 0,
      });
      expect([await isTaken(key), await isTaken(rotated?.key ?? '')]).toEqual([false, true]);
    });

    it('are never extended by a second rotation', async () => {
      const { key, record } = await make();
      const rotation = { tenantId, keyId: record.id };
      const first = await rotateApiKey(database, { ...rotation, overlapSeconds: 60 });
      const second = await rotateApiKey(database, {
        ...rotation,
        overlapSeconds: MAX_OVERLAP_SECONDS,
      });
      expect(second?.previousExpiresAt).toEqual(first?.previousExpiresAt);
      for (const one of [key, first?.key, second?.key]) expect(await isTaken(one ?? '')).toBe(true);
      const [replaced] = await sql('SELECT replaced_by FROM api_keys WHERE id = $1', [record.id]);
      expect(replaced).toEqual({ replaced_by: second?.record.id });
    });

    it('are not rotated when they ended or belong to another tenant', async () => {
      const other = (await createTenant(database, 'other', 'pro')).id;
      const { record } = await make();
      const rotation = { tenantId, keyId: record.id, overlapSeconds: 0 };
      expect(await rotateApiKey(database, { ...rotation, tenantId: other })).toBeNull();
      expect(await rotateApiKey(database, { ...rotation, keyId: newId() })).toBeNull();
      expect(await rotateApiKey(database, rotation)).not.toBeNull();
      expect(await rotateApiKey(database, rotation)).toBeNull();
      expect(await labels()).toHaveLength(2);
    });

    it('count while they overlap: at the limit only without one', async () => {
      const keys = await Promise.all(Array.from({ length: MAX_ACTIVE_KEYS }, () => make()));
      const keyId = keys[0]?.record.id ?? '';
      const rotation = { tenantId, keyId, overlapSeconds: 1 };
      await expect(rotateApiKey(database, rotation)).rejects.toThrow(KeyLimitError);
      expect(await isTaken(keys[0]?.key ?? '')).toBe(true);
      expect(await rotateApiKey(database, { ...rotation, overlapSeconds: 0 })).not.toBeNull();
    });
  });

  describe('revoked', () => {
    it('are refused from the next look-up on, and stay so', async () => {
      const { key, record } = await make();
      const which = { tenantId, keyId: record.id };
      expect(await isTaken(key)).toBe(true);
      expect(await revokeApiKeyById(database, which)).toBe(true);
      expect(await isTaken(key)).toBe(false);
      const revoked = await findApiKey(database, which);
      expect(await revokeApiKeyById(database, which)).toBe(true);
      expect(await findApiKey(database, which)).toEqual(revoked);
      expect(revoked?.revokedAt).toEqual(expect.any(Date));
    });

    it('belong to the requesting tenant', async () => {
      const other = (await createTenant(database, 'other', 'pro')).id;
      const { key, record } = await make();
      const keyId = record.id;
      expect(await revokeApiKeyById(database, { tenantId: other, keyId })).toBe(false);
      expect(await findApiKey(database, { tenantId: other, keyId })).toBeNull();
      expect(await isTaken(key)).toBe(true);
    });

    it('can be revoked by their text, which finds their owner too', async () => {
      const { key, record } = await make();
      const forged = `${key.slice(0, -43)}${'x'.repeat(43)}`;
      const owner = { tenantId, keyId: record.id };
      expect(await ownerOfKey(database, { key })).toEqual(owner);
      expect(await ownerOfKey(database, { id: record.id })).toEqual(owner);
      expect(await ownerOfKey(database, { key: forged })).toBeNull();
      await revokeApiKey(database, forged);
      expect(await isTaken(key)).toBe(true);
      await revokeApiKey(database, key);
      expect(await isTaken(key)).toBe(false);
    });
  });

  it('are looked up and counted by index', async () => {
    await sql(
      `INSERT INTO tenants (id, name, plan) SELECT gen_random_uuid(), 't', 'free' FROM generate_series(1, 5000)`,
    );
    await sql(
      `INSERT INTO api_keys (id, tenant_id, prefix, secret_hash, label)
       SELECT gen_random_uuid(), id, id || '/' || n, '', 'k' FROM tenants, generate_series(1, 4) n`,
    );
    await database.query({ name: 'analyze', text: 'ANALYZE' });
    database.plans.clear();
    const { key, record } = await make();
    const which = { tenantId, keyId: record.id };
    const isNoted = async () => {
      await findTenantByKey(database, key);
      return database.plans.has('note_key_use');
    };
    await until(isNoted, { what: 'the note' });
    await listApiKeys(database, tenantId);
    await findApiKey(database, which);
    await ownerOfKey(database, { key });
    await rotateApiKey(database, { ...which, overlapSeconds: 1 });
    await revokeApiKeyById(database, which);
    await revokeApiKey(database, key);
    expect([...database.plans.keys()].sort()).toEqual([
      'count_active_keys',
      'find_api_key',
      'find_key_of_tenant',
      'forget_ended_keys',
      'insert_api_key',
      'list_api_keys',
      'lock_tenant_keys',
      'note_key_use',
      'owner_of_key_text',
      'retire_api_key',
      'revoke_api_key',
      'revoke_api_key_text',
    ]);
    for (const [name, plan] of database.plans)
      expect({ name, plan }).toEqual({ name, plan: expect.not.stringMatching(/Seq Scan/) });
    expect(database.plans.get('find_api_key')).toContain('api_keys_prefix');
    expect(database.plans.get('list_api_keys')).toContain('api_keys_tenant');
  });

  describe('in use', () => {
    const lastUsed = async (keyId: string) =>
      (await findApiKey(database, { tenantId, keyId }))?.lastUsedAt ?? null;
    const notes = async (keyId: string) =>
      (await sql('SELECT 1 FROM spec_notes WHERE key_id = $1', [keyId])).length;
    /** Until earlier writes are done: a later note is. */
    const settle = async (databases: readonly Database[]) => {
      for (const one of databases) {
        const { key, record } = await make('settle');
        const isNoted = async () => {
          await findTenantByKey(one, key);
          return (await lastUsed(record.id)) !== null;
        };
        await until(isNoted, { what: 'a later note' });
      }
    };
    let other: Database;

    beforeAll(async () => {
      other = new Database({
        url: database.url,
        poolSize: 5,
        applicationName: 'another process',
        connectTimeoutMs: 60_000,
      });
      await other.connect();
      await sql('CREATE TABLE spec_notes (key_id uuid)');
      await sql(`CREATE FUNCTION spec_note() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO spec_notes VALUES (NEW.id); RETURN NEW; END $$`);
      await sql(`CREATE TRIGGER spec_note AFTER UPDATE OF last_used_at ON api_keys
        FOR EACH ROW EXECUTE FUNCTION spec_note()`);
    });
    afterAll(async () => {
      await other.close();
      await sql('DROP TRIGGER spec_note ON api_keys');
    });

    it('are noted once a minute, however often and by however many processes they are used', async () => {
      const { key, record } = await make();
      const databases = [database, other];
      const use = () =>
        Promise.all(
          Array.from({ length: 40 }, (_, n) => findTenantByKey(databases[n % 2] ?? database, key)),
        );
      // A note that cannot be written is left to a later use.
      const isNoted = async () => {
        await use();
        return (await lastUsed(record.id)) !== null;
      };
      await until(isNoted, { what: 'the note' });
      await use();
      await settle(databases);
      expect(await notes(record.id)).toBe(1);
      await sql(`UPDATE api_keys SET last_used_at = last_used_at - interval '61 s' WHERE id = $1`, [
        record.id,
      ]);
      const isNotedAgain = async () => {
        await use();
        return (await notes(record.id)) > 2;
      };
      await until(isNotedAgain, { what: 'another note' });
      await use();
      await settle(databases);
      expect(await notes(record.id)).toBe(3); // that of the spec itself, and one more
    });

    it('are found while another transaction holds their row', async () => {
      const { key, record } = await make();
      await database.transaction(async (tx) => {
        await tx.query('SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE', [record.id]);
        for (let n = 0; n < 30; n++) expect(await isTaken(key)).toBe(true);
      });
    });

    it('are found while the note cannot be written', async () => {
      // Another key than before: notes of that one may still be under way.
      const { key, record } = await make();
      await sql(
        'ALTER TABLE api_keys ADD CONSTRAINT spec_never CHECK (last_used_at IS NULL) NOT VALID',
      );
      try {
        for (let n = 0; n < 30; n++) expect(await isTaken(key)).toBe(true);
        expect(await lastUsed(record.id)).toBeNull();
      } finally {
        await sql('ALTER TABLE api_keys DROP CONSTRAINT spec_never');
      }
    });
  });
});
