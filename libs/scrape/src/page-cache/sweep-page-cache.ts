import { run, type Statement, type Database } from '@app/database';
import { forgetWaste } from './page-cache-rows.js';

/** Deletes one blob; a missing one is no error. */
export interface BlobDeleter {
  delete(key: string): Promise<void>;
}

export interface CacheSweep {
  /** Entries removed because they had expired. */
  readonly expired: number;
  /** Deleted blobs without an entry. */
  readonly deleted: number;
  /** Blobs that could not be deleted; retried later. */
  readonly failed: number;
}

/** Blobs deleted concurrently. */
const PARALLEL_DELETES = 8;
/** Time for a sweep to delete the waste it claimed, before another sweep may claim it. */
const SWEEP_LEASE_MS = 10 * 60_000;

const EXPIRED: Statement = {
  name: 'expired_cached_pages',
  text: `SELECT tenant_id AS "tenantId", variant FROM page_cache
         WHERE expires_at <= now() ORDER BY expires_at LIMIT $1`,
};
/** In one order everywhere, before any entry is touched: see page-cache.ts. */
const LOCK_USAGES: Statement = {
  name: 'lock_cache_usages',
  text: `SELECT 1 FROM page_cache_usage WHERE tenant_id = ANY ($1::uuid[])
         ORDER BY tenant_id FOR UPDATE`,
};
const DELETE_EXPIRED: Statement = {
  name: 'delete_expired_cached_pages',
  text: `
    WITH slot AS (SELECT * FROM unnest($1::uuid[], $2::bytea[]) AS t (tenant_id, variant)),
    gone AS (
      DELETE FROM page_cache p USING slot
      WHERE p.tenant_id = slot.tenant_id AND p.variant = slot.variant AND p.expires_at <= now()
      RETURNING p.tenant_id, p.bytes, p.blob_key
    ), wasted AS (
      INSERT INTO page_cache_waste (blob_key, due_at) SELECT blob_key, now() FROM gone
    ), freed AS (
      UPDATE page_cache_usage u SET bytes = u.bytes - g.bytes
      FROM (SELECT tenant_id, sum(bytes) AS bytes FROM gone GROUP BY tenant_id) g
      WHERE u.tenant_id = g.tenant_id
    )
    SELECT 1 FROM gone`,
};
const TAKE_WASTE: Statement = {
  name: 'take_cache_waste',
  text: `
    UPDATE page_cache_waste SET due_at = now() + $2::int * interval '1 millisecond'
    WHERE blob_key = ANY (ARRAY (
      SELECT blob_key FROM page_cache_waste WHERE due_at <= now()
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING blob_key AS "blobKey"`,
};

/**
 * One bounded round of housekeeping: at most `limit` expired entries, and at most `limit` blobs without an
 * entry. Safe in any number of replicas at once. Call it again at once while it finds `limit` of either.
 */
export async function sweepPageCache(
  database: Database,
  blobs: BlobDeleter,
  limit: number,
): Promise<CacheSweep> {
  const expired = await deleteExpired(database, limit);
  const waste = await database.query<{ blobKey: string }>(TAKE_WASTE, [limit, SWEEP_LEASE_MS]);
  const keys = waste.map(({ blobKey }) => blobKey);
  const deleted = await deleteBlobs(blobs, keys);
  await forgetWaste(database, deleted);
  return { expired, deleted: deleted.length, failed: keys.length - deleted.length };
}

async function deleteExpired(database: Database, limit: number): Promise<number> {
  const slots = await database.query<{ tenantId: string; variant: Buffer }>(EXPIRED, [limit]);
  if (slots.length === 0) return 0;
  const tenantIds = slots.map(({ tenantId }) => tenantId);
  const variants = slots.map(({ variant }) => variant);
  return database.transaction(async (tx) => {
    await run(tx, LOCK_USAGES, [[...new Set(tenantIds)]]);
    return (await run(tx, DELETE_EXPIRED, [tenantIds, variants])).length;
  });
}

/** Returns the keys whose blobs are gone. A failure only leaves a key for the next sweep. */
export async function deleteBlobs(
  blobs: BlobDeleter,
  keys: readonly string[],
): Promise<readonly string[]> {
  const deleted: string[] = [];
  const waiting = [...keys];
  const work = async (): Promise<void> => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const isGone = await blobs.delete(key).then(
        () => true,
        () => false,
      );
      if (isGone) deleted.push(key);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_DELETES }, work));
  return deleted;
}
