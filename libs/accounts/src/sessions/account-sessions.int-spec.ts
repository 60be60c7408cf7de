import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import type { Statement } from '@app/database';
import { findTenantByKey } from '../keys/find-tenant.js';
import { createApiKey } from '../keys/issue-key.js';
import { revokeApiKey } from '../keys/revoke-key.js';
import { createTenant, type Tenant } from '../tenants/tenants.js';
import {
  closeSession,
  findSession,
  MAX_SESSIONS,
  openSession,
  SESSION_IDLE_MS,
  SESSION_MS,
  sweepSessions,
} from './account-sessions.js';

const T0 = new Date('2026-03-01T12:00:00Z');
const after = (ms: number): Date => new Date(T0.getTime() + ms);
const STORED: Statement = { name: 'spec_sessions', text: 'SELECT * FROM account_sessions' };

describe('sessions of the account page', () => {
  let fresh: FreshDatabase;
  let tenant: Tenant;
  let key: string;
  let keyId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
  });
  afterAll(() => fresh.drop());

  beforeEach(async () => {
    await fresh.patiently(['DELETE FROM account_sessions']);
    tenant = await createTenant(fresh.database, 'spec', 'free');
    key = await createApiKey(fresh.database, tenant.id, 'spec');
    keyId = (await findTenantByKey(fresh.database, key))?.keyId ?? '';
  });

  const open = (now = T0): Promise<string> =>
    openSession(fresh.database, { tenantId: tenant.id, keyId, now });
  const find = (token: string, now = T0, isUse = true) =>
    findSession(fresh.database, token, { now, isUse });

  it('are found by their token, which is not stored', async () => {
    const token = await open();
    expect(await find(token)).toEqual({
      tenant: { ...tenant, keyId },
      openedAt: T0,
      expiresAt: after(SESSION_MS),
    });
    const rows = JSON.stringify(await fresh.database.query(STORED));
    expect(rows).not.toContain(token);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  it('are not found by another token', async () => {
    await open();
    expect(await find('a'.repeat(43))).toBeNull();
    expect(await find('')).toBeNull();
  });

  it('end when their key is revoked, and no other', async () => {
    const token = await open();
    const other = await createApiKey(fresh.database, tenant.id, 'other');
    const otherId = (await findTenantByKey(fresh.database, other))?.keyId ?? '';
    const kept = await openSession(fresh.database, {
      tenantId: tenant.id,
      keyId: otherId,
      now: T0,
    });
    await revokeApiKey(fresh.database, key);
    expect(await find(token)).toBeNull();
    expect(await find(kept)).not.toBeNull();
  });

  it('end when their key expires', async () => {
    const token = await open();
    await fresh.patiently([
      `UPDATE api_keys SET expires_at = '${after(60_000).toISOString()}' WHERE id = '${keyId}'`,
    ]);
    expect(await find(token, after(59_999))).not.toBeNull();
    expect(await find(token, after(60_000))).toBeNull();
  });

  it('opened by mail hang on no key', async () => {
    const token = await openSession(fresh.database, { tenantId: tenant.id, keyId: null, now: T0 });
    await revokeApiKey(fresh.database, key);
    expect(await find(token)).toMatchObject({ tenant: { id: tenant.id, keyId: null } });
  });

  it('end without use', async () => {
    const token = await open();
    expect(await find(token, after(SESSION_IDLE_MS - 1), false)).not.toBeNull();
    expect(await find(token, after(SESSION_IDLE_MS), false)).toBeNull();
  });

  it('stay with use, and not with automatic requests of a page', async () => {
    const used = await open();
    const watched = await open();
    await find(used, after(SESSION_IDLE_MS - 1));
    await find(watched, after(SESSION_IDLE_MS - 1), false);
    expect(await find(used, after(SESSION_IDLE_MS + 1))).not.toBeNull();
    expect(await find(watched, after(SESSION_IDLE_MS + 1))).toBeNull();
  });

  it('end after their time, however much they are used', async () => {
    const token = await open();
    for (let ms = 0; ms < SESSION_MS; ms += SESSION_IDLE_MS / 2) {
      expect(await find(token, after(ms))).not.toBeNull();
    }
    expect(await find(token, after(SESSION_MS - 1))).not.toBeNull();
    expect(await find(token, after(SESSION_MS))).toBeNull();
  });

  it('end by signing out', async () => {
    const token = await open();
    const other = await open();
    await closeSession(fresh.database, token);
    expect(await find(token)).toBeNull();
    expect(await find(other)).not.toBeNull();
  });

  it('of one tenant are so many at most; the oldest makes room', async () => {
    const tokens: string[] = [];
    for (let n = 0; n <= MAX_SESSIONS; n++) tokens.push(await open(after(n)));
    const found = await Promise.all(tokens.map((token) => find(token, after(MAX_SESSIONS))));
    expect(found.map((session) => session !== null)).toEqual([
      false,
      ...Array.from({ length: MAX_SESSIONS }, () => true),
    ]);
  });

  it('are so many at most also when they are opened at once', async () => {
    await Promise.all(Array.from({ length: MAX_SESSIONS + 10 }, () => open()));
    expect(await fresh.database.query(STORED)).toHaveLength(MAX_SESSIONS);
  });

  it('that ended are swept in bounded rounds', async () => {
    const gone = [await open(), await open(), await open()];
    const kept = await open(after(1));
    const round = () => sweepSessions(fresh.database, { limit: 2, now: after(SESSION_MS) });
    expect([await round(), await round(), await round()]).toEqual([2, 1, 0]);
    expect(await find(kept)).not.toBeNull();
    expect(await Promise.all(gone.map((token) => find(token)))).toEqual([null, null, null]);
  });
});
