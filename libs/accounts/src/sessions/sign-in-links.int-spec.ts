import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { createApiKey } from '../keys/issue-key.js';
import { revokeApiKey } from '../keys/revoke-key.js';
import type { Statement } from '@app/database';
import { createTenant, type Tenant } from '../tenants/tenants.js';
import { endSessions, findSession, openSession, newToken } from './account-sessions.js';
import { setSignInAddress } from './sign-in-address.js';
import {
  dropSignInLinks,
  issueSignInLinks,
  MAX_LINKED_ACCOUNTS,
  SIGN_IN_LINK_MS,
  sweepSignInLinks,
  useSignInLink,
} from './sign-in-links.js';

const T0 = new Date('2026-03-01T12:00:00Z');
const after = (ms: number): Date => new Date(T0.getTime() + ms);
const EMAIL = 'Person@example.com';
const STORED: Statement = { name: 'spec_links', text: 'SELECT * FROM sign_in_links' };

describe('links to sign in', () => {
  let fresh: FreshDatabase;
  let tenant: Tenant;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
  });
  afterAll(() => fresh.drop());

  beforeEach(async () => {
    await fresh.patiently([
      'DELETE FROM account_sessions',
      'DELETE FROM sign_in_links',
      'UPDATE tenants SET email = NULL',
    ]);
    tenant = await createTenant(fresh.database, 'spec', 'free', EMAIL);
  });

  const issue = (email = EMAIL, now = T0, browser: string | null = null) =>
    issueSignInLinks(fresh.database, { email, browser, now });
  const one = async (now = T0, browser: string | null = null): Promise<string> => {
    const { accounts } = await issue(EMAIL, now, browser);
    const [account] = accounts;
    if (!account) throw new Error('no link');
    return account.token;
  };
  const use = (token: string, now = T0, browser: string | null = null) =>
    useSignInLink(fresh.database, token, { browser, now });
  const find = (token: string, now = T0) => findSession(fresh.database, token, { now });

  it('open a session of their account that belongs to no key', async () => {
    const key = await createApiKey(fresh.database, tenant.id, 'spec');
    const session = await use(await one());
    await revokeApiKey(fresh.database, key);
    expect(await find(session ?? '')).toMatchObject({ tenant: { ...tenant, keyId: null } });
  });

  it('are stored as hashes that do not reveal them', async () => {
    const token = await one();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(JSON.stringify(await fresh.database.query(STORED))).not.toContain(token);
  });

  it.each([
    ['another browser', newToken()],
    ['one that asked for none', null],
  ])('requested in a browser do not work in %s', async (_, other) => {
    const browser = newToken();
    const token = await one(T0, browser);
    expect(await use(token, T0, other)).toBeNull();
    expect(await use(token, T0, browser)).not.toBeNull();
  });

  it('work once', async () => {
    const token = await one();
    expect(await use(token)).not.toBeNull();
    expect(await use(token)).toBeNull();
  });

  it('work once when they are used many times at once', async () => {
    const token = await one();
    const opened = await Promise.all(Array.from({ length: 12 }, () => use(token)));
    expect(opened.filter((session) => session !== null)).toHaveLength(1);
  });

  it('of one account, used at once, open one session', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => one()));
    const opened = await Promise.all(tokens.map((token) => use(token)));
    expect(opened.filter((session) => session !== null)).toHaveLength(1);
    expect(await fresh.database.query(STORED)).toEqual([]);
  });

  it('work until they expire', async () => {
    const [young, old] = [await one(), await one()];
    expect(await use(old, after(SIGN_IN_LINK_MS))).toBeNull();
    expect(await use(young, after(SIGN_IN_LINK_MS - 1))).not.toBeNull();
  });

  it.each(['', 'a'.repeat(43)])('that are unknown open nothing: %j', async (token) => {
    await one();
    expect(await use(token)).toBeNull();
  });

  it('end with the use of another one of the account, and leave other accounts alone', async () => {
    const other = await createTenant(fresh.database, 'other', 'free', EMAIL);
    const first = await issue();
    const second = await issue();
    const tokenOf = ({ accounts }: typeof first, id: string): string =>
      accounts.find(({ tenantId }) => tenantId === id)?.token ?? '';
    expect(await use(tokenOf(second, tenant.id))).not.toBeNull();
    expect(await use(tokenOf(first, tenant.id))).toBeNull();
    const session = await use(tokenOf(first, other.id));
    expect(await find(session ?? '')).toMatchObject({ tenant: { id: other.id } });
  });

  it.each(['person@example.com', 'PERSON@EXAMPLE.COM', EMAIL])(
    'are found as %s, and go to the address as the account has it',
    async (typed) => {
      const { accounts, hasMore } = await issue(typed);
      expect(accounts.map(({ tenantId, email, plan }) => ({ tenantId, email, plan }))).toEqual([
        { tenantId: tenant.id, email: EMAIL, plan: 'free' },
      ]);
      expect(hasMore).toBe(false);
    },
  );

  it.each(['unknown@example.com', 'person@example.co', '%@example.com', '', 'perſon@example.com'])(
    'are not made for %j',
    async (email) => {
      expect(await issue(email)).toEqual({ accounts: [], hasMore: false });
      expect(await fresh.database.query(STORED)).toEqual([]);
    },
  );

  it('are limited in number; paid plans and old accounts come first', async () => {
    for (let n = 0; n < MAX_LINKED_ACCOUNTS; n++) {
      await createTenant(fresh.database, `squatter ${n}`, 'free', EMAIL.toLowerCase());
    }
    const paid = await createTenant(fresh.database, 'paid', 'pro', EMAIL);
    const { accounts, hasMore } = await issue();
    expect([accounts.length, hasMore]).toEqual([MAX_LINKED_ACCOUNTS, true]);
    expect(accounts.slice(0, 2).map(({ tenantId }) => tenantId)).toEqual([paid.id, tenant.id]);
  });

  it('are sent to a new address from then on, and end for the old one', async () => {
    const before = await one();
    const email = 'new@example.com';
    await fresh.database.transaction((tx) => setSignInAddress(tx, tenant.id, email));
    expect(await use(before)).toBeNull();
    expect((await issue()).accounts).toEqual([]);
    expect((await issue(email)).accounts).toMatchObject([{ tenantId: tenant.id, email }]);
    await fresh.database.transaction((tx) => setSignInAddress(tx, tenant.id, null));
    expect((await issue(email)).accounts).toEqual([]);
  });

  it('are deleted by a command of the operator, together with the sessions', async () => {
    const byMail = await use(await one());
    const byKey = await openSession(fresh.database, { tenantId: tenant.id, keyId: null, now: T0 });
    const waiting = await one();
    const other = await createTenant(fresh.database, 'other', 'free');
    const kept = await openSession(fresh.database, { tenantId: other.id, keyId: null, now: T0 });
    const ended = await fresh.database.transaction(async (tx) => {
      await dropSignInLinks(tx, tenant.id);
      return endSessions(tx, tenant.id);
    });
    expect(ended).toBe(2);
    expect([await find(byMail ?? ''), await find(byKey), await use(waiting)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(await find(kept)).not.toBeNull();
  });

  it('are used up and open their session together, or not at all', async () => {
    const token = await one();
    await fresh.patiently([
      'ALTER TABLE account_sessions ADD CONSTRAINT spec_full CHECK (false) NOT VALID',
    ]);
    try {
      await expect(use(token)).rejects.toThrow(/spec_full/);
    } finally {
      await fresh.patiently(['ALTER TABLE account_sessions DROP CONSTRAINT spec_full']);
    }
    expect(await use(token)).not.toBeNull();
  });

  it('that are too old are swept in bounded rounds', async () => {
    for (let n = 0; n < 3; n++) await one();
    const kept = await one(after(1));
    const round = () => sweepSignInLinks(fresh.database, { limit: 2, now: after(SIGN_IN_LINK_MS) });
    expect([await round(), await round(), await round()]).toEqual([2, 1, 0]);
    expect(await use(kept, after(1))).not.toBeNull();
  });

  it('are found by an index, however many accounts there are', async () => {
    const plan = await fresh.database.transaction(async (tx) => {
      await tx.query('SET LOCAL enable_seqscan = off');
      const { rows } = await tx.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT id FROM tenants
         WHERE lower(email COLLATE "C") = lower('x'::text COLLATE "C") AND email IS NOT NULL`,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('tenants_email');
  });
});
