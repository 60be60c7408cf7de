import { newId } from '@app/contracts';
import type { Queries, Statement, Database } from '@app/database';
import { LeaseKeeper, type Runtime } from '@app/runtime';

/** How long an answer is kept for requests with the same key. */
export const IDEMPOTENCY_HOURS = 24;
const LIFE_MS = IDEMPOTENCY_HOURS * 3_600_000;
/** An owner that died is taken for dead after this time. */
export const CLAIM_LEASE_MS = 30_000;

/** A key of a tenant. */
export interface KeySlot {
  readonly tenantId: string;
  readonly key: string;
}

/** The right to work on the request of a key, as long as its lease is kept up. */
export interface KeyClaim extends KeySlot {
  /**
   * Id of the work, the same for every try of the request: a second try finds the work that a
   * first, dead one started.
   */
  readonly id: string;
  /** Of this try. */
  readonly owner: string;
  /** False: an earlier try has an unknown end. */
  readonly isFirst: boolean;
  readonly expiresAt: Date;
}

/** Stored answer to a request. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes themselves, or where they are. */
  readonly body: Buffer | { readonly blobKey: string };
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: KeyClaim }
  /** A request is running. */
  | { readonly kind: 'running' }
  /** The key belongs to another request. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'answered'; readonly fingerprint: Buffer | null; readonly answer: KeptAnswer };

export interface ClaimOptions extends KeySlot {
  /**
   * SHA-256 of the fields that make two requests equal; null until it is known, see {@link
   * confirmClaim}.
   */
  readonly fingerprint: Buffer | null;
  readonly leaseMs: number;
  /** @default by the clock of the database */
  readonly now?: Date;
}

/** Insert first: of many equal requests at once one gets the row. An abandoned row is taken over. */
const CLAIM: Statement = {
  name: 'claim_idempotency_key',
  text: `
    WITH clock AS (SELECT coalesce($7::timestamptz, now()) AS at)
    INSERT INTO idempotency_keys AS k
      (tenant_id, key, id, fingerprint, owner, lease_until, created_at, expires_at)
    SELECT $1::uuid, $2::text, $3::uuid, $4::bytea, $5::uuid, at + $6::int * interval '1 millisecond', at,
           at + $8::bigint * interval '1 millisecond' FROM clock
    ON CONFLICT (tenant_id, key) DO UPDATE
      SET owner = excluded.owner, lease_until = excluded.lease_until,
          fingerprint = coalesce(k.fingerprint, excluded.fingerprint)
      WHERE k.lease_until <= excluded.created_at AND k.expires_at > excluded.created_at
        AND (k.fingerprint IS NULL OR excluded.fingerprint IS NULL OR k.fingerprint = excluded.fingerprint)
    RETURNING id, id = $3::uuid AS "isFirst", expires_at AS "expiresAt"`,
};
const READ: Statement = {
  name: 'read_idempotency_key',
  text: `
    SELECT fingerprint, status, headers, body, blob_key AS "blobKey",
           expires_at <= coalesce($3::timestamptz, now()) AS "isExpired",
           lease_until > coalesce($3::timestamptz, now()) AS "isRunning"
    FROM idempotency_keys WHERE tenant_id = $1 AND key = $2`,
};
const FORGET: Statement = {
  name: 'forget_idempotency_key',
  text: `
    DELETE FROM idempotency_keys WHERE tenant_id = $1 AND key = $2
      AND expires_at <= coalesce($3::timestamptz, now())
      AND (lease_until IS NULL OR lease_until <= coalesce($3::timestamptz, now()))`,
};

/** Rows that vanish between two looks: then another try of the same. */
const TRIES = 5;

/** Claims the key for a request, or returns its stored state. */
export async function claimKey(database: Database, options: ClaimOptions): Promise<ClaimOutcome> {
  const { tenantId, key, now = null } = options;
  const own = database.asTenant(tenantId);
  for (let tries = 0; tries < TRIES; tries++) {
    const claim = await insertClaim(own, options);
    if (claim) return { kind: 'claimed', claim };
    const [row] = await own.query<KeyRow>(READ, [tenantId, key, now]);
    if (!row) continue;
    if (!row.isExpired || row.isRunning === true) return outcomeOf(row, options.fingerprint);
    await own.query(FORGET, [tenantId, key, now]);
  }
  // Others claim and drop this very key at the moment; a repeated request finds one of them.
  return { kind: 'running' };
}

/** The state of a key, without claiming it; null when it was never used, or has expired. */
export async function readKey(
  database: Database,
  { tenantId, key }: KeySlot,
): Promise<
  | { readonly kind: 'running' }
  /** Given up before it was answered. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  | null
> {
  const [row] = await database.asTenant(tenantId).query<KeyRow>(READ, [tenantId, key, null]);
  if (!row || row.isExpired) return null;
  const outcome = outcomeOf(row, null);
  if (outcome.kind === 'answered') return { kind: 'answered', answer: outcome.answer };
  return { kind: row.isRunning === true ? 'running' : 'lost' };
}

async function insertClaim(own: Queries, options: ClaimOptions): Promise<KeyClaim | null> {
  const { tenantId, key, fingerprint, leaseMs, now = null } = options;
  const owner = newId();
  const [row] = await own.query<Pick<KeyClaim, 'id' | 'isFirst' | 'expiresAt'>>(CLAIM, [
    tenantId,
    key,
    newId(),
    fingerprint,
    owner,
    leaseMs,
    now,
    LIFE_MS,
  ]);
  return row ? { tenantId, key, owner, ...row } : null;
}

interface KeyRow {
  readonly fingerprint: Buffer | null;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: Buffer | null;
  readonly blobKey: string | null;
  readonly isExpired: boolean;
  /** Null when it is answered. */
  readonly isRunning: boolean | null;
}

function outcomeOf(row: KeyRow, requestFingerprint: Buffer | null): ClaimOutcome {
  const { fingerprint, status, headers, body, blobKey } = row;
  if (requestFingerprint && fingerprint && !requestFingerprint.equals(fingerprint))
    return { kind: 'reused' };
  if (status === null) return { kind: 'running' };
  const kept = blobKey === null ? (body ?? Buffer.alloc(0)) : { blobKey };
  return { kind: 'answered', fingerprint, answer: { status, headers: headers ?? {}, body: kept } };
}

const CONFIRM: Statement = {
  name: 'confirm_idempotency_key',
  text: `UPDATE idempotency_keys SET fingerprint = $4 WHERE tenant_id = $1 AND key = $2 AND owner = $3
           AND (fingerprint IS NULL OR fingerprint = $4) RETURNING 1`,
};

/** Sets the fingerprint of a claim; false when the key belongs to another request. */
export async function confirmClaim(
  database: Database,
  { tenantId, key, owner }: KeyClaim,
  fingerprint: Buffer,
): Promise<boolean> {
  const values = [tenantId, key, owner, fingerprint];
  return (await database.asTenant(tenantId).query(CONFIRM, values)).length > 0;
}

const EXTEND: Statement = {
  name: 'extend_idempotency_keys',
  text: `
    UPDATE idempotency_keys k SET lease_until = now() + $4::int * interval '1 millisecond'
    FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS t (tenant_id, key, owner)
    WHERE k.tenant_id = t.tenant_id AND k.key = t.key AND k.owner = t.owner`,
};

/** Keeps claims, of any tenants: call it well within their lease. */
export async function extendClaims(
  database: Database,
  claims: readonly KeyClaim[],
  leaseMs: number,
): Promise<void> {
  await database.query(EXTEND, [
    claims.map(({ tenantId }) => tenantId),
    claims.map(({ key }) => key),
    claims.map(({ owner }) => owner),
    leaseMs,
  ]);
}

/** Keeps up the claims that this process works on. */
export function keepClaims({
  database,
  log,
}: Pick<Runtime, 'database' | 'log'>): LeaseKeeper<KeyClaim> {
  const renew = async (claims: readonly KeyClaim[]): Promise<readonly KeyClaim[]> => {
    await extendClaims(database, claims, CLAIM_LEASE_MS);
    return [];
  };
  return new LeaseKeeper({ kind: 'idempotency keys', log, leaseMs: CLAIM_LEASE_MS, renew });
}

const COMPLETE: Statement = {
  name: 'complete_idempotency_key',
  text: `UPDATE idempotency_keys SET owner = NULL, lease_until = NULL, status = $4, headers = $5,
           body = $6, blob_key = $7
         WHERE tenant_id = $1 AND key = $2 AND owner = $3 RETURNING 1`,
};

/** Keeps the answer. False when the claim was lost meanwhile. */
export async function completeClaim(
  database: Database,
  { tenantId, key, owner }: KeyClaim,
  { status, headers, body }: KeptAnswer,
): Promise<boolean> {
  const [inline, blobKey] = Buffer.isBuffer(body) ? [body, null] : [null, body.blobKey];
  const values = [tenantId, key, owner, status, JSON.stringify(headers), inline, blobKey];
  return (await database.asTenant(tenantId).query(COMPLETE, values)).length > 0;
}

const RELEASE: Statement = {
  name: 'release_idempotency_key',
  text: `UPDATE idempotency_keys SET owner = NULL, lease_until = created_at
         WHERE tenant_id = $1 AND key = $2 AND owner = $3`,
};
const DROP: Statement = {
  name: 'drop_idempotency_key',
  text: 'DELETE FROM idempotency_keys WHERE tenant_id = $1 AND key = $2 AND owner = $3',
};

/** Allows a retry of the same request only: under the same id, because work may have started. */
export async function releaseClaim(database: Database, claim: KeyClaim): Promise<void> {
  const { tenantId, key, owner } = claim;
  await database.asTenant(tenantId).query(RELEASE, [tenantId, key, owner]);
}

/** No work was started: the key becomes unused again, unless there was an earlier try. */
export async function dropClaim(database: Database, claim: KeyClaim): Promise<void> {
  if (!claim.isFirst) return releaseClaim(database, claim);
  const { tenantId, key, owner } = claim;
  await database.asTenant(tenantId).query(DROP, [tenantId, key, owner]);
}

/** Later than the key by more than it may take to read the blob. */
const NOTE_BLOB: Statement = {
  name: 'note_idempotency_blob',
  text: `INSERT INTO page_cache_waste (blob_key, due_at) VALUES ($1, $2::timestamptz + interval '1 hour')
         ON CONFLICT (blob_key) DO NOTHING`,
};

/** Called before the blob of a response is written, so that it is deleted after its key expired even if this process dies. */
export async function noteAnswerBlob(
  database: Database,
  { expiresAt }: KeyClaim,
  blobKey: string,
): Promise<void> {
  await database.query(NOTE_BLOB, [blobKey, expiresAt]);
}

const SWEEP: Statement = {
  name: 'sweep_idempotency_keys',
  text: `
    WITH old AS MATERIALIZED (
      SELECT tenant_id, key FROM idempotency_keys
      WHERE expires_at <= coalesce($2::timestamptz, now())
        AND (lease_until IS NULL OR lease_until <= coalesce($2::timestamptz, now()))
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    DELETE FROM idempotency_keys k USING old
    WHERE k.tenant_id = old.tenant_id AND k.key = old.key
    RETURNING 1`,
};

/** Forgets expired keys, at most `limit`. Returns how many. */
export async function sweepIdempotencyKeys(
  database: Database,
  limit: number,
  now?: Date,
): Promise<number> {
  return (await database.query(SWEEP, [limit, now ?? null])).length;
}
