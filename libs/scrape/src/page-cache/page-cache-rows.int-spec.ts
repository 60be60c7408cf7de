import { createHash } from 'node:crypto';
import { newId } from '@app/contracts';
import { until } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { Database } from '@app/database';
import {
  admitCached,
  CACHE_ENTRY_OVERHEAD_BYTES,
  dropCached,
  findCached,
  forgetWaste,
  noteCacheWrite,
  renewCached,
  type Admission,
  type NewCacheEntry,
} from './page-cache-rows.js';
import { sweepPageCache } from './sweep-page-cache.js';
import { createTenant } from '@app/accounts';

const HOUR_MS = 3_600_000;
const variantOf = (name: string): string => createHash('sha256').update(name).digest('hex');

describe('the index of cached pages', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;
  let deleted: string[];
  const blobs = { delete: async (key: string) => void deleted.push(key) };

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(async () => {
    await fresh.drop();
  });
  beforeEach(async () => {
    await database.query({ name: 'reset', text: 'TRUNCATE tenants, page_cache_waste CASCADE' });
    tenantId = (await createTenant(database, 'spec', 'custom')).id;
    deleted = [];
  });

  const entryOf = (name: string, over: Partial<NewCacheEntry> = {}): NewCacheEntry => ({
    tenantId,
    variant: variantOf(name),
    url: `http://a.example/${name}`,
    blobKey: `cache/${name}-${newId()}`,
    bytes: 1_000,
    validators: {},
    ttlMs: HOUR_MS,
    maxBytesPerTenant: 1_000_000,
    ...over,
  });
  async function keep(
    name: string,
    over: Partial<NewCacheEntry> = {},
  ): Promise<Admission & { blobKey: string }> {
    const entry = entryOf(name, over);
    await noteCacheWrite(database, entry.blobKey);
    return { ...(await admitCached(database, entry)), blobKey: entry.blobKey };
  }
  const find = (name: string, tenant = tenantId) =>
    findCached(database, { tenantId: tenant, variant: variantOf(name) });
  const names = async (): Promise<string[]> => {
    const rows = await database.query<{ url: string }>({
      name: 'names',
      text: 'SELECT url FROM page_cache ORDER BY url',
    });
    return rows.map(({ url }) => url.slice('http://a.example/'.length));
  };
  const waste = async (): Promise<string[]> => {
    const rows = await database.query<{ key: string }>({
      name: 'waste',
      text: 'SELECT blob_key AS key FROM page_cache_waste ORDER BY 1',
    });
    return rows.map(({ key }) => key);
  };
  /** The counted bytes and the real ones: the two must be equal. */
  const usage = async (tenant = tenantId): Promise<number> => {
    const [row] = await database.query<{ counted: number; real: number }>(
      {
        name: 'usage',
        text: `SELECT coalesce((SELECT bytes FROM page_cache_usage WHERE tenant_id = $1), 0)::int AS counted,
               coalesce((SELECT sum(bytes) FROM page_cache WHERE tenant_id = $1), 0)::int AS real`,
      },
      [tenant],
    );
    expect(row?.counted).toBe(row?.real);
    return row?.real ?? -1;
  };
  /** Makes entries and waste older. */
  const age = async (ms: number, name?: string): Promise<void> => {
    const by = `- $1::bigint * interval '1 millisecond'`;
    const text = `UPDATE page_cache SET stored_at = stored_at ${by}, used_at = used_at ${by},
                  expires_at = expires_at ${by} WHERE $2::text IS NULL OR url = $2`;
    await database.query({ name: 'age', text }, [ms, name ? `http://a.example/${name}` : null]);
    const due = `UPDATE page_cache_waste SET due_at = due_at ${by}`;
    if (name === undefined) await database.query({ name: 'age_waste', text: due }, [ms]);
  };
  const waitingForLocks = async (): Promise<number> => {
    const rows = await database.query({
      name: 'waiting',
      text: `SELECT 1 FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    });
    return rows.length;
  };
  const full = (entries: number): number => entries * (1_000 + CACHE_ENTRY_OVERHEAD_BYTES);

  it('finds the stored copy, its age and its validators', async () => {
    expect(await find('a')).toBeNull();
    const { blobKey, isAdmitted, waste: left } = await keep('a', { validators: { etag: '"1"' } });
    expect([isAdmitted, left]).toEqual([true, []]);
    await age(5_000);
    const found = await find('a');
    expect(found).toEqual({
      blobKey,
      ageMs: expect.any(Number),
      validators: { etag: '"1"' },
    });
    expect(found?.ageMs).toBeGreaterThanOrEqual(5_000);
    expect(await find('b')).toBeNull();
    expect(await waste()).toEqual([]);
  });

  it('never shows one tenant the copy of another under the same variant', async () => {
    const other = (await createTenant(database, 'other', 'custom')).id;
    const mine = await keep('a');
    expect(await find('a', other)).toBeNull();
    const theirs = await keep('a', { tenantId: other });
    expect((await find('a'))?.blobKey).toBe(mine.blobKey);
    expect((await find('a', other))?.blobKey).toBe(theirs.blobKey);
    const slot = { tenantId: other, variant: variantOf('a') };
    expect(await dropCached(database, slot, mine.blobKey)).toBe(false);
    expect(
      await renewCached(database, slot, { blobKey: mine.blobKey, ttlMs: 1, validators: {} }),
    ).toBe(false);
  });

  it('is over with the time of an entry', async () => {
    await keep('a');
    await age(HOUR_MS);
    expect(await find('a')).toBeNull();
  });

  it('returns the blob that was replaced, and counts the new one only', async () => {
    const first = await keep('a', { bytes: 5_000, validators: { etag: '"1"', lastModified: 'x' } });
    const second = await keep('a', { bytes: 700 });
    expect(second).toMatchObject({ isAdmitted: true, waste: [first.blobKey] });
    expect(await waste()).toEqual([first.blobKey]);
    expect(await usage()).toBe(700 + CACHE_ENTRY_OVERHEAD_BYTES);
    expect(await find('a')).toMatchObject({ blobKey: second.blobKey, validators: {} });
    await forgetWaste(database, second.waste);
    expect(await waste()).toEqual([]);
  });

  it('evicts those used longest ago, and no more than needed', async () => {
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
      await keep(name);
      await age(600_000 - at * 120_000, name);
    }
    await find('a'); // used again
    const admission = await keep('e', { bytes: 2_500, maxBytesPerTenant: full(4) });
    expect(admission.isAdmitted).toBe(true);
    expect(admission.waste).toHaveLength(2);
    expect(await names()).toEqual(['a', 'd', 'e']);
    expect(await usage()).toBeLessThanOrEqual(full(4));
    expect(await waste()).toEqual([...admission.waste].sort());
  });

  it('leaves the bytes of other tenants alone', async () => {
    const other = (await createTenant(database, 'other', 'custom')).id;
    for (const name of ['a', 'b', 'c']) await keep(name, { tenantId: other });
    for (const name of ['a', 'b', 'c']) await keep(name, { maxBytesPerTenant: full(1) });
    expect(await usage()).toBe(full(1));
    expect(await usage(other)).toBe(full(3));
  });

  it('does not admit a copy that cannot fit, and keeps the bound', async () => {
    await keep('a');
    const refused = await keep('b', { maxBytesPerTenant: 500 });
    expect(refused.isAdmitted).toBe(false);
    expect(refused.waste).toContain(refused.blobKey);
    expect(await usage()).toBeLessThanOrEqual(500);
    expect(await find('b')).toBeNull();
  });

  it('evicts a bounded number at a time when the bound was lowered far', async () => {
    await database.query(
      {
        name: 'many',
        text: `WITH one AS (INSERT INTO page_cache SELECT $1, sha256(n::text::bytea), 'u', n::text, 2000, null,
               null, now(), now() + interval '1 hour', now() - n * interval '1 minute' FROM generate_series(1, 2500) n)
               INSERT INTO page_cache_usage VALUES ($1, 5000000)`,
      },
      [tenantId],
    );
    const attempt = async (name: string) =>
      (await keep(name, { maxBytesPerTenant: full(3) })).isAdmitted;
    expect(await attempt('one')).toBe(false);
    const left = await database.query<{ oldest: number; n: number }>({
      name: 'left',
      text: 'SELECT max(blob_key::int) AS oldest, count(*)::int AS n FROM page_cache',
    });
    expect(left).toEqual([{ oldest: 1_500, n: 1_500 }]);
    expect(await attempt('two')).toBe(false);
    expect(await attempt('three')).toBe(true);
    expect(await usage()).toBeLessThanOrEqual(full(3));
  });

  it('is never above the bound once many writers have returned, and leaks no blob', async () => {
    const max = full(7);
    const admissions = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        keep(`page${n % 25}`, { bytes: 500 + 37 * n, maxBytesPerTenant: max }),
      ),
    );
    const used = await usage();
    expect(used).toBeLessThanOrEqual(max);
    expect(used).toBeGreaterThan(max / 2);
    const kept = await database.query<{ key: string }>({
      name: 'kept',
      text: 'SELECT blob_key AS key FROM page_cache',
    });
    const reported = admissions.flatMap((admission) => admission.waste);
    const all = admissions.map(({ blobKey }) => blobKey);
    expect([...kept.map(({ key }) => key), ...reported].sort()).toEqual(all.sort());
    expect(await waste()).toEqual(reported.sort());
  });

  it('renews exactly the copy that was looked up', async () => {
    const { blobKey } = await keep('a', { validators: { etag: '"1"', lastModified: 'then' } });
    await age(HOUR_MS - 60_000);
    const slot = { tenantId, variant: variantOf('a') };
    const renewal = { blobKey, ttlMs: HOUR_MS, validators: { etag: '"2"' } };
    expect(await renewCached(database, slot, { ...renewal, blobKey: 'older' })).toBe(false);
    expect(await renewCached(database, slot, renewal)).toBe(true);
    await age(70_000);
    const found = await find('a');
    expect(found?.validators).toEqual({ etag: '"2"', lastModified: 'then' });
    expect(found?.ageMs).toBeLessThan(130_000);
  });

  it('drops exactly the copy whose blob is missing', async () => {
    const first = await keep('a');
    const second = await keep('a');
    const slot = { tenantId, variant: variantOf('a') };
    expect(await dropCached(database, slot, first.blobKey)).toBe(false);
    expect(await dropCached(database, slot, second.blobKey)).toBe(true);
    expect(await find('a')).toBeNull();
    expect(await usage()).toBe(0);
  });

  it('deletes expired copies, some at a time, and their blobs', async () => {
    const other = (await createTenant(database, 'other', 'custom')).id;
    const keys = [];
    for (const name of ['a', 'b', 'c', 'd']) keys.push((await keep(name)).blobKey);
    keys.push((await keep('a', { tenantId: other })).blobKey);
    await age(HOUR_MS);
    const { blobKey } = await keep('young');
    expect(await sweepPageCache(database, blobs, 3)).toEqual({ expired: 3, deleted: 3, failed: 0 });
    expect(await sweepPageCache(database, blobs, 3)).toEqual({ expired: 2, deleted: 2, failed: 0 });
    expect(await sweepPageCache(database, blobs, 3)).toEqual({ expired: 0, deleted: 0, failed: 0 });
    expect(deleted.sort()).toEqual(keys.sort());
    expect((await find('young'))?.blobKey).toBe(blobKey);
    expect(await usage()).toBe(full(1));
    expect(await usage(other)).toBe(0);
    expect(await waste()).toEqual([]);
  });

  it.each<[string, (blobKey: string) => Promise<unknown>]>([
    ['a sweep', () => sweepPageCache(database, blobs, 10)],
    ['a writer', () => keep('a')],
    ['a writer at the bound', () => keep('b', { maxBytesPerTenant: full(1) })],
    [
      'a reader of a missing blob',
      (blobKey) => dropCached(database, { tenantId, variant: variantOf('a') }, blobKey),
    ],
  ])('never holds an entry while it waits for the usage: %s', async (_, work) => {
    const { blobKey } = await keep('a', { ttlMs: 0 });
    const lock = `SELECT 1 FROM page_cache_usage WHERE tenant_id = $1 FOR UPDATE`;
    let working: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await tx.query(lock, [tenantId]);
      working = work(blobKey);
      await until(async () => (await waitingForLocks()) > 0);
      // Shorter than the time after which PostgreSQL resolves a deadlock itself.
      await tx.query(`SET LOCAL lock_timeout = '500ms'`);
      await tx.query('UPDATE page_cache SET used_at = now() WHERE blob_key = $1', [blobKey]);
    });
    await working;
    await usage();
  });

  it('sweeps together with writers and other sweeps', async () => {
    for (let n = 0; n < 60; n++) await keep(`page${n}`);
    await age(HOUR_MS);
    await Promise.all([
      ...Array.from({ length: 5 }, () => sweepPageCache(database, blobs, 50)),
      ...Array.from({ length: 60 }, (_, n) => keep(`page${n}`, { maxBytesPerTenant: full(20) })),
    ]);
    expect(await usage()).toBeLessThanOrEqual(full(20));
    expect(new Set(deleted).size).toBe(deleted.length);
  });

  it('finds the blob of a writer that died, but not before its time', async () => {
    await noteCacheWrite(database, 'cache/lost');
    expect((await sweepPageCache(database, blobs, 10)).deleted).toBe(0);
    await age(2 * HOUR_MS);
    expect((await sweepPageCache(database, blobs, 10)).deleted).toBe(1);
    expect(deleted).toEqual(['cache/lost']);
    expect(await waste()).toEqual([]);
  });

  it('does not admit a blob that a sweep took for lost', async () => {
    const entry = entryOf('slow');
    await noteCacheWrite(database, entry.blobKey);
    await age(2 * HOUR_MS);
    await sweepPageCache(database, blobs, 10);
    const admission = await admitCached(database, entry);
    expect(admission).toEqual({ isAdmitted: false, waste: [entry.blobKey] });
    expect(await find('slow')).toBeNull();
    expect(await usage()).toBe(0);
  });

  it('tries a blob again later that could not be deleted', async () => {
    await noteCacheWrite(database, 'cache/stuck');
    await age(2 * HOUR_MS);
    const down = { delete: () => Promise.reject(new Error('down')) };
    expect(await sweepPageCache(database, down, 10)).toEqual({ expired: 0, deleted: 0, failed: 1 });
    expect((await sweepPageCache(database, blobs, 10)).deleted).toBe(0);
    await age(HOUR_MS);
    expect((await sweepPageCache(database, blobs, 10)).deleted).toBe(1);
  });

  it('is deleted with its tenant', async () => {
    await keep('a');
    await database.query({ name: 'gone', text: 'DELETE FROM tenants' });
    expect(await names()).toEqual([]);
    await expect(keep('b')).rejects.toMatchObject({ code: '23503' });
    expect(await waste()).toHaveLength(1);
  });
});
