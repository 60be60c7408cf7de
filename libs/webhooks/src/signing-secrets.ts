import { randomBytes } from 'node:crypto';
import { newId } from '@app/contracts';
import { run, type Queryable, type Statement, type Database } from '@app/database';

/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;
/** How long the secret before stays in use after a rotation. */
export const SECRET_OVERLAP_MS = 86_400_000;
/** Secrets before the current one that may be in use: each adds a signature to a header. */
const MAX_PREVIOUS = 4;

/**
 * A tenant's secrets for signing deliveries. Stored in the clear, because each signature needs
 * them.
 */
export interface SigningSecret {
  readonly secret: Buffer;
  readonly createdAt: Date;
  /** Whether the tenant has ever seen it. */
  readonly isShown: boolean;
  /** Null: the current one. */
  readonly expiresAt: Date | null;
}

const COLUMNS = `secret, created_at AS "createdAt", shown_at IS NOT NULL AS "isShown", expires_at AS "expiresAt"`;
const READ: Statement = {
  name: 'signing_secrets',
  text: `SELECT ${COLUMNS} FROM webhook_secrets
         WHERE tenant_id = $1 AND (expires_at IS NULL OR expires_at > coalesce($2::timestamptz, now()))
         ORDER BY expires_at DESC NULLS FIRST LIMIT ${MAX_PREVIOUS + 1}`,
};
const CREATE: Statement = {
  name: 'create_signing_secret',
  text: `INSERT INTO webhook_secrets (id, tenant_id, secret, created_at, shown_at)
         VALUES ($1, $2, $3, coalesce($4::timestamptz, now()), CASE WHEN $5 THEN coalesce($4::timestamptz, now()) END)
         ON CONFLICT (tenant_id) WHERE expires_at IS NULL DO NOTHING`,
};
/** Two rotations at once go one after the other. */
const LOCK_TENANT: Statement = {
  name: 'lock_tenant_secrets',
  text: 'SELECT id FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};
const SHOW: Statement = {
  name: 'show_signing_secret',
  text: `UPDATE webhook_secrets SET shown_at = coalesce($2::timestamptz, now())
         WHERE tenant_id = $1 AND expires_at IS NULL AND shown_at IS NULL RETURNING 1`,
};
const RETIRE: Statement = {
  name: 'retire_signing_secret',
  text: `UPDATE webhook_secrets SET expires_at = coalesce($2::timestamptz, now()) + $3::int * interval '1 millisecond'
         WHERE tenant_id = $1 AND expires_at IS NULL`,
};
const FORGET: Statement = {
  name: 'forget_signing_secrets',
  text: `DELETE FROM webhook_secrets WHERE tenant_id = $1 AND expires_at IS NOT NULL AND id NOT IN (
           SELECT id FROM webhook_secrets WHERE tenant_id = $1 AND expires_at > coalesce($2::timestamptz, now())
           ORDER BY expires_at DESC LIMIT ${MAX_PREVIOUS})`,
};

/** Secrets in use, the current one first; empty for a tenant that has none yet. */
export async function readSecrets(
  database: Database,
  tenantId: string,
  now?: Date,
): Promise<SigningSecret[]> {
  const values = [tenantId, now ?? null];
  return database.asReader(tenantId).query<SigningSecret & Record<string, unknown>>(READ, values);
}

/** As {@link readSecrets}, but a tenant without one gets one, which it has not seen yet. Never empty. */
export async function ensureSecrets(
  database: Database,
  tenantId: string,
  now?: Date,
): Promise<SigningSecret[]> {
  const known = await readSecrets(database, tenantId, now);
  if (known.length > 0) return known;
  const values = [newId(), tenantId, randomBytes(SECRET_BYTES), now ?? null, false];
  await database.asTenant(tenantId).query(CREATE, values);
  return readSecrets(database, tenantId, now);
}

/**
 * The secret to show, once: one that deliveries were already signed with and that was never shown,
 * else a new one, beside which the one before stays in use for {@link SECRET_OVERLAP_MS}. Returns all
 * in use, the shown one first.
 */
export async function showNewSecret(
  database: Database,
  tenantId: string,
  now?: Date,
): Promise<SigningSecret[]> {
  return database.asTenant(tenantId).transaction(async (tx) => {
    await run(tx, LOCK_TENANT, [tenantId]);
    const shown = await run(tx, SHOW, [tenantId, now ?? null]);
    if (shown.length === 0) await rotate(tx, tenantId, now ?? null);
    return run<SigningSecret & Record<string, unknown>>(tx, READ, [tenantId, now ?? null]);
  });
}

async function rotate(tx: Queryable, tenantId: string, now: Date | null): Promise<void> {
  await run(tx, RETIRE, [tenantId, now, SECRET_OVERLAP_MS]);
  await run(tx, FORGET, [tenantId, now]);
  await run(tx, CREATE, [newId(), tenantId, randomBytes(SECRET_BYTES), now, true]);
}
