import { createHash, randomBytes } from 'node:crypto';
import { rowsIn, run, type Queryable, type Statement, type Database } from '@app/database';
import { liveAt } from '../keys/api-key.js';
import { agreedOf, type Tenant } from '../tenants/tenants.js';
import { AccountSessionEntity } from './account-session.entity.js';

const HOUR_MS = 3_600_000;
/** A session ends so long after it was opened, whatever is done in it. */
export const SESSION_MS = 12 * HOUR_MS;
/** And so long after it was used last. */
export const SESSION_IDLE_MS = 2 * HOUR_MS;
/** Use is written down no more often than this: pages would wait for writes otherwise. */
const TOUCH_MS = 60_000;
/** Sessions one tenant has at most; a further one ends the oldest. */
export const MAX_SESSIONS = 50;

export interface NewSession {
  readonly tenantId: string;
  /** Key it was opened with and ends with; null: opened by mail. */
  readonly keyId: string | null;
  /** @default now */
  readonly now?: Date;
}

/** A session that holds. */
export interface AccountSession {
  /** With the key the session was opened with as its `keyId`; null: by mail. */
  readonly tenant: Tenant;
  readonly openedAt: Date;
  readonly expiresAt: Date;
}

/** One at a time for a tenant, so that no two make room for each other. */
const LOCK_TENANT: Statement = {
  name: 'lock_session_tenant',
  text: 'SELECT 1 FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};
const MAKE_ROOM: Statement = {
  name: 'make_session_room',
  text: `
    DELETE FROM account_sessions WHERE token_hash IN (
      SELECT token_hash FROM account_sessions WHERE tenant_id = $1
      ORDER BY created_at DESC, token_hash OFFSET $2)`,
};
/** Opens a session. The returned token is its only key; the stored hash does not reveal it. */
export async function openSession(database: Database, session: NewSession): Promise<string> {
  return database.transaction((tx) => openSessionIn(tx, session));
}

/** {@link openSession} as a part of a transaction. */
export async function openSessionIn(
  tx: Queryable,
  { tenantId, keyId, now = new Date() }: NewSession,
): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + SESSION_MS);
  await lockSessions(tx, tenantId);
  await run(tx, MAKE_ROOM, [tenantId, MAX_SESSIONS - 1]);
  const times = { createdAt: now, seenAt: now, expiresAt };
  await rowsIn(tx, AccountSessionEntity).insert({
    ...{ tokenHash: tokenHash(token), tenantId, keyId },
    ...times,
  });
  return token;
}

/** Who opens or ends sessions of a tenant does so one after the other, until the end of the transaction. */
export async function lockSessions(tx: Queryable, tenantId: string): Promise<void> {
  await run(tx, LOCK_TENANT, [tenantId]);
}

/** Of `account_sessions s` and its key `k`. The key is checked each time: its sessions end with it. */
const holdsAt = (now: string, idleSince: string): string =>
  `s.expires_at > ${now}::timestamptz AND s.seen_at > ${idleSince}::timestamptz
      AND (s.key_id IS NULL OR (${liveAt(`${now}::timestamptz`, 'k')}))`;

const FIND: Statement = {
  name: 'find_session',
  text: `
    SELECT jsonb_build_object(
             'id', t.id, 'plan', t.plan, 'keyId', s.key_id, 'agreed', ${agreedOf('t')}) AS tenant,
           s.created_at AS "openedAt", s.expires_at AS "expiresAt", s.seen_at <= $4::timestamptz AS "isStale"
    FROM account_sessions s
    JOIN tenants t ON t.id = s.tenant_id
    LEFT JOIN api_keys k ON k.id = s.key_id
    WHERE s.token_hash = $1 AND ${holdsAt('$2', '$3')}`,
};
const TOUCH: Statement = {
  name: 'touch_session',
  text: 'UPDATE account_sessions SET seen_at = greatest(seen_at, $2) WHERE token_hash = $1',
};

export interface FindOptions {
  /** Whether this counts as use: automatic requests of a page do not. @default true */
  readonly isUse?: boolean;
  /** @default now */
  readonly now?: Date;
}

/** The session of a token; null when there is none, it has ended, or its key has. */
export async function findSession(
  database: Database,
  token: string,
  { isUse = true, now = new Date() }: FindOptions = {},
): Promise<AccountSession | null> {
  const hash = tokenHash(token);
  const [row] = await database.query<AccountSession & { isStale: boolean }>(FIND, [
    hash,
    now,
    new Date(now.getTime() - SESSION_IDLE_MS),
    new Date(now.getTime() - TOUCH_MS),
  ]);
  if (!row) return null;
  const { isStale, ...session } = row;
  if (isUse && isStale) await database.query(TOUCH, [hash, now]);
  return session;
}

/** A session as its account sees it. */
export interface ListedSession {
  /** Not its token: it ends the session, and opens nothing. */
  readonly id: string;
  /** Name of the key that it was opened with; null: by mail. */
  readonly keyLabel: string | null;
  readonly openedAt: Date;
  readonly seenAt: Date;
  readonly isCurrent: boolean;
}

const LIST: Statement = {
  name: 'list_sessions',
  text: `
    SELECT encode(sha256(s.token_hash), 'hex') AS id, k.label AS "keyLabel", s.created_at AS "openedAt",
           s.seen_at AS "seenAt", s.token_hash = $2 AS "isCurrent"
    FROM account_sessions s LEFT JOIN api_keys k ON k.id = s.key_id
    WHERE s.tenant_id = $1 AND ${holdsAt('$3', '$4')}
    ORDER BY s.seen_at DESC, id`,
};
const END: Statement = {
  name: 'end_session',
  text: `DELETE FROM account_sessions WHERE tenant_id = $1 AND encode(sha256(token_hash), 'hex') = $2`,
};

/** The sessions of a tenant that hold, the last used first. @param token of the one that asks */
export function listSessions(
  database: Database,
  tenantId: string,
  token: string,
  now = new Date(),
): Promise<ListedSession[]> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const values = [tenantId, tokenHash(token), now, idleSince];
  return database.query<ListedSession & Record<string, unknown>>(LIST, values);
}

const END_OTHERS: Statement = {
  name: 'end_other_sessions',
  text: 'DELETE FROM account_sessions WHERE tenant_id = $1 AND token_hash <> $2',
};

/** Ends a session of a tenant, if it is there, or all but the one that asks. */
export async function endSession(
  database: Database,
  tenantId: string,
  which: { readonly id: string } | { readonly allBut: string },
): Promise<void> {
  if ('id' in which) await database.query(END, [tenantId, which.id]);
  else await database.query(END_OTHERS, [tenantId, tokenHash(which.allBut)]);
}

export async function closeSession(database: Database, token: string): Promise<void> {
  await database.rows(AccountSessionEntity).delete({ tokenHash: tokenHash(token) });
}

/** Ends every session of a tenant, those opened by mail, too. Returns how many there were. */
export async function endSessions(tx: Queryable, tenantId: string): Promise<number> {
  await lockSessions(tx, tenantId);
  const { affected } = await rowsIn(tx, AccountSessionEntity).delete({ tenantId });
  return affected ?? 0;
}

const SWEEP: Statement = {
  name: 'sweep_sessions',
  text: `
    DELETE FROM account_sessions WHERE token_hash = ANY (ARRAY (
      SELECT token_hash FROM account_sessions WHERE expires_at <= $1::timestamptz
      ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Forgets at most `limit` sessions that have ended by age. Returns how many. */
export async function sweepSessions(
  database: Database,
  { limit, now = new Date() }: { readonly limit: number; readonly now?: Date },
): Promise<number> {
  return (await database.query(SWEEP, [now, limit])).length;
}

const TOKEN_BYTES = 32;

/** 256 random bits, fit for a cookie and for an address. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * Stored form of a token. The token is random, so one round of SHA-256 is as strong as a slow hash.
 */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
