import type { Plan } from '@app/contracts';
import { rowsIn, run, type Queryable, type Statement, type Database } from '@app/database';
import { lockSessions, openSessionIn, newToken, tokenHash } from './account-sessions.js';
import { SignInLinkEntity } from './sign-in-link.entity.js';

const MINUTE_MS = 60_000;
/** How long a link works. */
export const SIGN_IN_LINK_MS = 10 * MINUTE_MS;
/**
 * Maximum number of accounts of one address that get links; addresses are not verified, so there
 * may be more.
 */
export const MAX_LINKED_ACCOUNTS = 10;

/** An account, and the one-time token that signs in to it. */
export interface LinkedAccount {
  readonly tenantId: string;
  readonly plan: Plan;
  readonly createdAt: Date;
  /** The address as the account has it, possibly in other case. */
  readonly email: string;
  readonly token: string;
}

/** A request for links. */
export interface LinkRequest {
  readonly email: string;
  /** Token of the browser that asked: only it may use the links. Null: any may. */
  readonly browser: string | null;
  /** @default now */
  readonly now?: Date;
}

export interface IssuedLinks {
  /** Paid plans first, then the oldest: accounts that others make with an address do not push out its own. */
  readonly accounts: readonly LinkedAccount[];
  /** There are further accounts, which got no link. */
  readonly hasMore: boolean;
}

const FIND: Statement = {
  name: 'find_tenants_by_email',
  text: `
    SELECT id AS "tenantId", plan, created_at AS "createdAt", email FROM tenants
    WHERE lower(email COLLATE "C") = lower($1::text COLLATE "C") AND email IS NOT NULL
    ORDER BY plan = 'free', tenants.created_at, id LIMIT $2`,
};
/**
 * Creates a link for each account of an address, none for an unknown address. The stored hashes do
 * not reveal the tokens.
 */
export async function issueSignInLinks(
  database: Database,
  { email, browser, now = new Date() }: LinkRequest,
): Promise<IssuedLinks> {
  const found = await database.query<Omit<LinkedAccount, 'token'> & Record<string, unknown>>(FIND, [
    email,
    MAX_LINKED_ACCOUNTS + 1,
  ]);
  const accounts = found
    .slice(0, MAX_LINKED_ACCOUNTS)
    .map((account): LinkedAccount => ({ ...account, token: newToken() }));
  if (accounts.length > 0) await insertLinks(database, accounts, { now, browser });
  return { accounts, hasMore: found.length > accounts.length };
}

/** The token of a link for one account, for a person who can already use it. */
export async function issueSignInToken(database: Database, tenantId: string): Promise<string> {
  const token = newToken();
  await insertLinks(database, [{ tenantId, token }], { now: new Date(), browser: null });
  return token;
}

function hashOf(browser: string | null): Buffer | null {
  return browser === null ? null : tokenHash(browser);
}

function insertLinks(
  database: Database,
  links: readonly Pick<LinkedAccount, 'tenantId' | 'token'>[],
  { now: createdAt, browser }: { readonly now: Date; readonly browser: string | null },
): Promise<unknown> {
  const browserHash = hashOf(browser);
  const expiresAt = new Date(createdAt.getTime() + SIGN_IN_LINK_MS);
  return database.rows(SignInLinkEntity).insert(
    links.map(({ tenantId, token }) => {
      return { tokenHash: tokenHash(token), tenantId, browserHash, createdAt, expiresAt };
    }),
  );
}

const OWNER: Statement = {
  name: 'find_sign_in_link',
  text: `SELECT tenant_id AS "tenantId" FROM sign_in_links
         WHERE token_hash = $1 AND expires_at > $2::timestamptz AND (browser_hash IS NULL OR browser_hash = $3)`,
};
const USE: Statement = {
  name: 'use_sign_in_link',
  text: `DELETE FROM sign_in_links WHERE token_hash = $1 AND expires_at > $2::timestamptz RETURNING 1`,
};

/**
 * Redeems a link and opens a session for it, atomically. The other links of the account end with
 * it. Returns the token of the session; null when the link is unknown, used or expired, or another browser asked for it.
 * @param browser the token of the browser that uses it; null: it has none
 */
export async function useSignInLink(
  database: Database,
  token: string,
  { browser, now = new Date() }: { readonly browser: string | null; readonly now?: Date },
): Promise<string | null> {
  const hash = tokenHash(token);
  return database.transaction(async (tx) => {
    const [link] = await run<{ tenantId: string }>(tx, OWNER, [hash, now, hashOf(browser)]);
    if (!link) return null;
    const { tenantId } = link;
    // Before any link is touched: two links of one account, used at once, would wait for each other.
    await lockSessions(tx, tenantId);
    if ((await run(tx, USE, [hash, now])).length === 0) return null;
    await dropSignInLinks(tx, tenantId);
    return openSessionIn(tx, { tenantId, keyId: null, now });
  });
}

/** Ends the links of an account that were not used. */
export async function dropSignInLinks(tx: Queryable, tenantId: string): Promise<void> {
  await rowsIn(tx, SignInLinkEntity).delete({ tenantId });
}

const SWEEP: Statement = {
  name: 'sweep_sign_in_links',
  text: `
    DELETE FROM sign_in_links WHERE token_hash = ANY (ARRAY (
      SELECT token_hash FROM sign_in_links WHERE expires_at <= $1::timestamptz
      ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Forgets at most `limit` links that are too old. Returns how many. */
export async function sweepSignInLinks(
  database: Database,
  { limit, now = new Date() }: { readonly limit: number; readonly now?: Date },
): Promise<number> {
  return (await database.query(SWEEP, [now, limit])).length;
}
