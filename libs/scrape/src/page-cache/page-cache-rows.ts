import { run, type Queryable, type Statement, type Database } from '@app/database';

/**
 * Index of cached pages; the pages themselves are blobs. How the two stay consistent:
 * 1. Before a blob is written its key is noted in `page_cache_waste`, due in an hour.
 * 2. One transaction deletes the note, makes the row refer to the blob, and notes the keys of the blobs
 *    without a row: the replaced one, and evicted ones.
 * 3. Those blobs are deleted afterwards, then their notes.
 * A process that dies in between leaves a note, so a sweep finds every lost blob without listing the store.
 *
 * `page_cache_usage` has each tenant's bytes. Statements that change them lock that row first: the bound is
 * exact, and locks are always taken in the same order.
 */
export interface CacheSlot {
  readonly tenantId: string;
  /** SHA-256 of all that shapes the page: 64 hexadecimal digits. */
  readonly variant: string;
}

/** RFC 9110 8.8: what a conditional request carries. */
export interface CacheValidators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface CacheEntry {
  readonly blobKey: string;
  /** Since it was stored or last confirmed; by the clock of the database. */
  readonly ageMs: number;
  readonly validators: CacheValidators;
}

export interface NewCacheEntry extends CacheSlot {
  readonly url: string;
  readonly blobKey: string;
  /** Of the blob. */
  readonly bytes: number;
  readonly validators: CacheValidators;
  readonly ttlMs: number;
  /** All entries of the tenant together, {@link CACHE_ENTRY_OVERHEAD_BYTES} each included. */
  readonly maxBytesPerTenant: number;
}

export interface Admission {
  readonly isAdmitted: boolean;
  /** Blobs without an entry. Delete them, then {@link forgetWaste}; a sweep deletes the rest. */
  readonly waste: readonly string[];
}

/** Counted for an entry's row in addition to its blob: limits the number of tiny entries. */
export const CACHE_ENTRY_OVERHEAD_BYTES = 1024;
/** Maximum number of entries evicted for one new entry; if that is not enough, it is not admitted. */
const MAX_EVICTED = 1_000;
/** A blob whose writer has not finished by then is swept. Longer than any put may take. */
const WRITE_LEASE_MS = 3_600_000;
/** Time in which the writer deletes waste itself, before the sweep does. */
const WASTE_GRACE_MS = 60_000;
/** Only for people to read, so a cut is harmless. */
const MAX_URL_CHARS = 2_048;

/** The last use is recorded once a minute: eviction stays fair enough, and most hits write nothing. */
const FIND: Statement = {
  name: 'find_cached_page',
  text: `
    WITH used AS (
      UPDATE page_cache SET used_at = now()
      WHERE tenant_id = $1 AND variant = $2 AND used_at < now() - interval '1 minute'
        AND expires_at > now()
    )
    SELECT blob_key AS "blobKey", etag, last_modified AS "lastModified",
           (extract(epoch FROM now() - stored_at) * 1000)::float8 AS "ageMs"
    FROM page_cache WHERE tenant_id = $1 AND variant = $2 AND expires_at > now()`,
};
const NOTE_WRITE: Statement = {
  name: 'note_cache_write',
  text: `INSERT INTO page_cache_waste (blob_key, due_at)
         VALUES ($1, now() + $2::int * interval '1 millisecond')`,
};
/** Creates the row when it is missing. */
const LOCK_USAGE: Statement = {
  name: 'lock_cache_usage',
  text: `INSERT INTO page_cache_usage AS u (tenant_id) VALUES ($1)
         ON CONFLICT (tenant_id) DO UPDATE SET bytes = u.bytes`,
};
/** A missing note means that the sweep took the blob for lost: then no row may point at it. */
const ADMIT: Statement = {
  name: 'admit_cached_page',
  text: `
    WITH old AS MATERIALIZED (
      SELECT bytes, blob_key FROM page_cache WHERE tenant_id = $1 AND variant = $2
    ), note AS (
      DELETE FROM page_cache_waste WHERE blob_key = $4 RETURNING 1
    ), kept AS (
      INSERT INTO page_cache (tenant_id, variant, url, blob_key, bytes, etag, last_modified, expires_at)
      SELECT $1::uuid, $2::bytea, $3::text, $4::text, $5::int, $6::text, $7::text,
             now() + $8::bigint * interval '1 millisecond' FROM note
      ON CONFLICT (tenant_id, variant) DO UPDATE SET url = excluded.url, blob_key = excluded.blob_key,
        bytes = excluded.bytes, etag = excluded.etag, last_modified = excluded.last_modified,
        expires_at = excluded.expires_at, stored_at = now(), used_at = now()
      RETURNING bytes
    ), wasted AS (
      INSERT INTO page_cache_waste (blob_key, due_at)
      SELECT old.blob_key, now() + $9::int * interval '1 millisecond' FROM old, kept
    )
    UPDATE page_cache_usage u SET bytes = u.bytes + kept.bytes - coalesce((SELECT bytes FROM old), 0)
    FROM kept WHERE u.tenant_id = $1
    RETURNING u.bytes::float8 AS used, (SELECT blob_key FROM old) AS replaced`,
};
const EVICT: Statement = {
  name: 'evict_cached_pages',
  text: `
    WITH oldest AS (
      SELECT variant, bytes, used_at FROM page_cache
      WHERE tenant_id = $1 AND variant <> $2 ORDER BY used_at LIMIT $4
    ), ranked AS (
      SELECT variant, sum(bytes) OVER (ORDER BY used_at, variant) - bytes AS freed_before FROM oldest
    ), evicted AS (
      DELETE FROM page_cache p USING ranked r
      WHERE p.tenant_id = $1 AND p.variant = r.variant AND r.freed_before < $3::bigint
      RETURNING p.bytes, p.blob_key
    ), wasted AS (
      INSERT INTO page_cache_waste (blob_key, due_at)
      SELECT blob_key, now() + $5::int * interval '1 millisecond' FROM evicted
    ), freed AS (
      UPDATE page_cache_usage SET bytes = bytes - (SELECT coalesce(sum(bytes), 0) FROM evicted)
      WHERE tenant_id = $1
    )
    SELECT blob_key AS "blobKey", bytes FROM evicted`,
};
const DROP: Statement = {
  name: 'drop_cached_page',
  text: `
    WITH dropped AS (
      DELETE FROM page_cache WHERE tenant_id = $1 AND variant = $2 AND blob_key = $3
      RETURNING bytes, blob_key
    ), wasted AS (
      INSERT INTO page_cache_waste (blob_key, due_at)
      SELECT blob_key, now() + $4::int * interval '1 millisecond' FROM dropped
    )
    UPDATE page_cache_usage u SET bytes = u.bytes - dropped.bytes FROM dropped
    WHERE u.tenant_id = $1 RETURNING 1`,
};
const RENEW: Statement = {
  name: 'renew_cached_page',
  text: `
    UPDATE page_cache SET stored_at = now(), used_at = now(),
           expires_at = now() + $4::bigint * interval '1 millisecond',
           etag = coalesce($5, etag), last_modified = coalesce($6, last_modified)
    WHERE tenant_id = $1 AND variant = $2 AND blob_key = $3 RETURNING 1`,
};
const FORGET_WASTE: Statement = {
  name: 'forget_cache_waste',
  text: 'DELETE FROM page_cache_waste WHERE blob_key = ANY ($1::text[])',
};

const keyOf = ({ tenantId, variant }: CacheSlot): [string, Buffer] => [
  tenantId,
  Buffer.from(variant, 'hex'),
];

/** The copy of a page, however old, unless it has expired. */
export async function findCached(database: Database, slot: CacheSlot): Promise<CacheEntry | null> {
  const [row] = await database.query<{
    blobKey: string;
    ageMs: number;
    etag: string | null;
    lastModified: string | null;
  }>(FIND, keyOf(slot));
  if (!row) return null;
  const { blobKey, ageMs, etag, lastModified } = row;
  return {
    blobKey,
    ageMs: Math.max(0, Math.round(ageMs)),
    validators: {
      ...(etag === null ? {} : { etag }),
      ...(lastModified === null ? {} : { lastModified }),
    },
  };
}

/** Step 1: to be called before the blob is written. */
export async function noteCacheWrite(database: Database, blobKey: string): Promise<void> {
  await database.query(NOTE_WRITE, [blobKey, WRITE_LEASE_MS]);
}

/**
 * Step 2: makes the written blob the tenant's copy and evicts the least recently used entries until all fit.
 * After it the tenant never exceeds `maxBytesPerTenant`.
 */
export async function admitCached(database: Database, entry: NewCacheEntry): Promise<Admission> {
  return database.transaction(async (tx) => {
    await run(tx, LOCK_USAGE, [entry.tenantId]);
    const admitted = await admit(tx, entry);
    if (!admitted) return { isAdmitted: false, waste: [entry.blobKey] };
    const { used, replaced } = admitted;
    const waste = replaced === null ? [] : [replaced];
    const needed = used - entry.maxBytesPerTenant;
    if (needed <= 0) return { isAdmitted: true, waste };
    const evicted = await evict(tx, entry, needed);
    const keys = [...waste, ...evicted.map(({ blobKey }) => blobKey)];
    if (evicted.reduce((sum, { bytes }) => sum + bytes, 0) >= needed)
      return { isAdmitted: true, waste: keys };
    await drop(tx, entry, entry.blobKey);
    return { isAdmitted: false, waste: [...keys, entry.blobKey] };
  });
}

async function admit(
  tx: Queryable,
  entry: NewCacheEntry,
): Promise<{ readonly used: number; readonly replaced: string | null } | null> {
  const { url, blobKey, bytes, validators, ttlMs } = entry;
  const [row] = await run<{ used: number; replaced: string | null }>(tx, ADMIT, [
    ...keyOf(entry),
    url.slice(0, MAX_URL_CHARS),
    blobKey,
    bytes + CACHE_ENTRY_OVERHEAD_BYTES,
    validators.etag ?? null,
    validators.lastModified ?? null,
    ttlMs,
    WASTE_GRACE_MS,
  ]);
  return row ?? null;
}

function evict(
  tx: Queryable,
  slot: CacheSlot,
  neededBytes: number,
): Promise<{ blobKey: string; bytes: number }[]> {
  return run(tx, EVICT, [...keyOf(slot), neededBytes, MAX_EVICTED, WASTE_GRACE_MS]);
}

async function drop(tx: Queryable, slot: CacheSlot, blobKey: string): Promise<boolean> {
  return (await run(tx, DROP, [...keyOf(slot), blobKey, WASTE_GRACE_MS])).length > 0;
}

/** Removes an entry whose blob is missing or unreadable; false if the slot has another blob by now. */
export async function dropCached(
  database: Database,
  slot: CacheSlot,
  blobKey: string,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await run(tx, LOCK_USAGE, [slot.tenantId]);
    return drop(tx, slot, blobKey);
  });
}

/**
 * A 304 confirms the copy: it counts as new. Validators of the response replace the old ones. False if the slot
 * has another copy by now.
 */
export async function renewCached(
  database: Database,
  slot: CacheSlot,
  renewal: {
    readonly blobKey: string;
    readonly ttlMs: number;
    readonly validators: CacheValidators;
  },
): Promise<boolean> {
  const { blobKey, ttlMs, validators } = renewal;
  const rows = await database.query(RENEW, [
    ...keyOf(slot),
    blobKey,
    ttlMs,
    validators.etag ?? null,
    validators.lastModified ?? null,
  ]);
  return rows.length > 0;
}

/** The blobs are deleted: the sweep need not do it. */
export async function forgetWaste(database: Database, blobKeys: readonly string[]): Promise<void> {
  if (blobKeys.length > 0) await database.query(FORGET_WASTE, [[...blobKeys]]);
}
