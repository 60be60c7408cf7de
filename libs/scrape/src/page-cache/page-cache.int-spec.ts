import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobStore, type BlobStore } from '@app/blobs';
import type { PageDocument } from '@app/contracts';
import { createTenant } from '@app/accounts';
import { Database } from '@app/database';
import { until } from '@app/testing';
import { freshBucket, type Fresh } from '../../../../test/setup/test-servers.js';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { PageCache, servedCopy, type PageCacheOptions } from './page-cache.js';

const VARIANT = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const FRESH = { maxAgeMs: 60_000, minAgeMs: null };

const documentOf = (text: string): PageDocument => ({
  url: 'https://a.example/',
  sourceUrl: 'https://a.example/#x',
  statusCode: 200,
  contentType: 'text/html',
  markdown: text,
  metadata: { title: 'ä' },
  fetchMethod: 'plain',
  latencyMs: 12,
  cascade: { level: 1, attempts: [], unblock: [] },
});
/** Random text, which compression does not shrink. */
const noise = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 16) }, () => randomUUID().replaceAll('-', ''))
    .join('')
    .slice(0, bytes);

const storages: Record<string, () => Promise<Fresh>> = {
  files: async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'page-cache-'));
    return {
      url: pathToFileURL(folder).href,
      drop: () => rm(folder, { recursive: true, force: true }),
    };
  },
  S3: freshBucket,
};

describe.each(Object.keys(storages))('PageCache on %s', (kind) => {
  let fresh: FreshDatabase;
  let storage: Fresh;
  let database: Database;
  let blobs: BlobStore;
  let tenantId: string;
  let problems: [string, unknown][];

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
    storage = (await storages[kind]?.()) ?? { url: '', drop: async () => undefined };
    const downloadSecret = Buffer.from('secret');
    blobs = openBlobStore({ url: storage.url, publicUrl: 'http://127.0.0.1', downloadSecret });
  });
  afterAll(async () => {
    await blobs.close();
    await fresh.drop();
    await storage.drop();
  });
  beforeEach(async () => {
    await database.query({ name: 'reset', text: 'TRUNCATE tenants, page_cache_waste CASCADE' });
    await blobs.deletePrefix('tenants/');
    tenantId = (await createTenant(database, 'spec', 'custom')).id;
    problems = [];
  });

  const cacheOf = (over: Partial<PageCacheOptions> = {}): PageCache =>
    new PageCache({
      database,
      blobs,
      onProblem: (what, error) => void problems.push([what, error]),
      // On a busy machine, too; how long a request waits has a test of its own.
      maxWaitMs: 60_000,
      ...over,
    });
  const blobKeys = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of blobs.list('tenants/')) keys.push(key);
    return keys.sort();
  };
  const rowKeys = async (): Promise<string[]> => {
    const rows = await database.query<{ key: string }>({
      name: 'row_keys',
      text: 'SELECT blob_key AS key FROM page_cache ORDER BY blob_key',
    });
    return rows.map(({ key }) => key);
  };
  /** Replaced copies are deleted after the new ones are stored, in the background. */
  const untilCleared = () =>
    until(async () => (await blobKeys()).length === (await rowKeys()).length);
  const age = (ms: number) =>
    database.query(
      {
        name: 'age',
        text: `UPDATE page_cache SET stored_at = stored_at - $1::bigint * interval '1 millisecond',
               expires_at = expires_at - $1::bigint * interval '1 millisecond'`,
      },
      [ms],
    );

  it('returns a stored copy, and null before', async () => {
    const cache = cacheOf();
    expect(await cache.find(tenantId, VARIANT, FRESH)).toBeNull();
    const document = documentOf('# Hällo\n\u{1f600}');
    expect(await cache.store(tenantId, VARIANT, document, { etag: '"1"' })).toBe(true);
    const found = await cache.find(tenantId, VARIANT, FRESH);
    expect(found).toMatchObject({ kind: 'fresh', document, validators: { etag: '"1"' } });
    expect(await cache.find(tenantId, OTHER, FRESH)).toBeNull();
    expect(problems).toEqual([]);
  });

  it('returns a copy that is still being stored to a request that comes meanwhile', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = Object.create(blobs) as BlobStore;
    slow.put = async (key, body) => {
      await held;
      return blobs.put(key, body);
    };
    const cache = cacheOf({ blobs: slow });
    const stored = cache.store(tenantId, VARIANT, documentOf('x'), {});
    const found = cache.find(tenantId, VARIANT, FRESH);
    expect(await cache.find(tenantId, OTHER, FRESH)).toBeNull();
    release();
    expect((await found)?.document.markdown).toBe('x');
    expect(await stored).toBe(true);
    expect(problems).toEqual([]);
  });

  it('keeps two tenants apart under the same variant, in SQL and in storage', async () => {
    const cache = cacheOf();
    const other = (await createTenant(database, 'other', 'custom')).id;
    await cache.store(tenantId, VARIANT, documentOf('mine'), {});
    expect(await cache.find(other, VARIANT, FRESH)).toBeNull();
    await cache.store(other, VARIANT, documentOf('theirs'), {});
    expect((await cache.find(tenantId, VARIANT, FRESH))?.document.markdown).toBe('mine');
    expect((await cache.find(other, VARIANT, FRESH))?.document.markdown).toBe('theirs');
    expect(await blobs.deletePrefix(`tenants/${tenantId}/`)).toBe(1);
    expect((await cache.find(other, VARIANT, FRESH))?.document.markdown).toBe('theirs');
  });

  it.each<[string, number, number | null, Record<string, string>, 'fresh' | 'stale' | null]>([
    ['young enough', 6_000_000, null, {}, 'fresh'],
    ['too old', 1_000_000, null, {}, null],
    ['too old, with an ETag', 1_000_000, null, { etag: '"1"' }, 'stale'],
    ['too old, with a date', 0, null, { lastModified: 'then' }, 'stale'],
    ['old enough for the cache only', 0, 1_000_000, {}, 'fresh'],
    ['too young for the cache only', 0, 6_000_000, {}, null],
    ['within both ages', 6_000_000, 1_000_000, {}, 'fresh'],
    ['too old for the cache only', 1_000_000, 1_000, { etag: '"1"' }, null],
  ])('judges a copy of an hour that is %s', async (_, maxAgeMs, minAgeMs, validators, kindOf) => {
    const cache = cacheOf();
    await cache.store(tenantId, VARIANT, documentOf('x'), validators);
    await age(3_600_000);
    const found = await cache.find(tenantId, VARIANT, { maxAgeMs, minAgeMs });
    expect(found?.kind ?? null).toBe(kindOf);
    if (found) expect(Math.abs(found.ageMs - 3_600_000)).toBeLessThan(60_000);
  });

  it('serves a copy that a 304 has renewed as a young one, but only that very copy', async () => {
    const cache = cacheOf();
    await cache.store(tenantId, VARIANT, documentOf('x'), { etag: '"1"' });
    await age(3_600_000);
    const stale = await cache.find(tenantId, VARIANT, FRESH);
    expect(stale?.kind).toBe('stale');
    expect(await cache.touch(tenantId, VARIANT, stale?.copyId ?? '')).toBe(true);
    expect(await cache.find(tenantId, VARIANT, FRESH)).toMatchObject({ kind: 'fresh' });
    await cache.store(tenantId, VARIANT, documentOf('y'), {});
    expect(await cache.touch(tenantId, VARIANT, stale?.copyId ?? '')).toBe(false);
  });

  it('keeps no copy beyond its expiry', async () => {
    const cache = cacheOf({ ttlMs: 1_000 });
    await cache.store(tenantId, VARIANT, documentOf('x'), { etag: '"1"' });
    await age(1_000);
    expect(await cache.find(tenantId, VARIANT, { maxAgeMs: 1e9, minAgeMs: null })).toBeNull();
    expect(await cache.find(tenantId, VARIANT, { maxAgeMs: 0, minAgeMs: 0 })).toBeNull();
    expect(await cache.sweepCache(10)).toEqual({ expired: 1, deleted: 1, failed: 0 });
    expect(await blobKeys()).toEqual([]);
  });

  it('replaces a copy and deletes the old blob', async () => {
    const cache = cacheOf();
    await cache.store(tenantId, VARIANT, documentOf('one'), {});
    await cache.store(tenantId, VARIANT, documentOf('two'), {});
    expect((await cache.find(tenantId, VARIANT, FRESH))?.document.markdown).toBe('two');
    await untilCleared();
    expect(await blobKeys()).toEqual(await rowKeys());
    expect(await rowKeys()).toHaveLength(1);
  });

  it('shows readers one whole copy or another while it is replaced again and again', async () => {
    const cache = cacheOf();
    const texts = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(20_000));
    await cache.store(tenantId, VARIANT, documentOf(texts[0] ?? ''), {});
    let isWriting = true;
    let reads = 0;
    const writing = (async () => {
      // Until there were some reads, too: each may take long on a busy machine.
      for (let n = 0; n < texts.length || (reads < texts.length && n < 1_000); n++)
        await cache.store(tenantId, VARIANT, documentOf(texts[n % texts.length] ?? ''), {});
      isWriting = false;
    })();
    let misses = 0;
    while (isWriting) {
      const found = await cache.find(tenantId, VARIANT, FRESH);
      if (found) expect(texts).toContain(found.document.markdown);
      else misses++;
      reads++;
    }
    await writing;
    expect(reads).toBeGreaterThan(5);
    expect(misses).toBeLessThan(reads / 4);
    expect(problems).toEqual([]);
  });

  it('never ends above the bound after 20 parallel stores, and leaves no lost blob', async () => {
    const maxBytesPerTenant = 400_000;
    const cache = cacheOf({ maxBytesPerTenant });
    const variants = Array.from({ length: 20 }, (_, n) => n.toString(16).padStart(64, '0'));
    const kept = await Promise.all(
      variants.map((variant) => cache.store(tenantId, variant, documentOf(noise(45_000)), {})),
    );
    expect(kept).toEqual(variants.map(() => true));
    await untilCleared();
    let bytes = 0;
    for await (const blob of blobs.list('tenants/')) bytes += blob.bytes;
    expect(bytes).toBeLessThanOrEqual(maxBytesPerTenant);
    expect(bytes).toBeGreaterThan(maxBytesPerTenant / 2);
    expect(await blobKeys()).toEqual(await rowKeys());
    expect(problems).toEqual([]);
  });

  it.each<[string, number, number | undefined]>([
    ['an eighth of what a tenant may keep', 60_000, 400_000],
    ['8 MiB', 8 * 1024 * 1024, undefined],
  ])('does not keep a document larger than %s', async (_, chars, maxBytesPerTenant) => {
    const cache = cacheOf(maxBytesPerTenant === undefined ? {} : { maxBytesPerTenant });
    expect(await cache.store(tenantId, VARIANT, documentOf('x'.repeat(chars)), {})).toBe(false);
    expect(await blobKeys()).toEqual([]);
    expect(await cache.store(tenantId, VARIANT, documentOf('x'.repeat(chars / 2)), {})).toBe(true);
    const found = await cache.find(tenantId, VARIANT, FRESH);
    expect(found?.document.markdown).toHaveLength(chars / 2);
    expect(problems).toEqual([]);
  });

  it('leaves validators out that no sane server sends', async () => {
    const cache = cacheOf();
    const validators = { etag: `"${'x'.repeat(5_000)}"`, lastModified: '' };
    await cache.store(tenantId, VARIANT, documentOf('x'), validators);
    expect((await cache.find(tenantId, VARIANT, FRESH))?.validators).toEqual({});
  });

  it.each<[string, (key: string) => Promise<unknown>]>([
    ['missing', (key) => blobs.delete(key)],
    ['no zstd', (key) => blobs.put(key, Buffer.from('garbage'))],
    ['empty', (key) => blobs.put(key, Buffer.alloc(0))],
  ])('takes an entry out whose blob is %s', async (_, damage) => {
    const cache = cacheOf();
    await cache.store(tenantId, VARIANT, documentOf('x'), {});
    for (const key of await rowKeys()) await damage(key);
    expect(await cache.find(tenantId, VARIANT, FRESH)).toBeNull();
    expect(await rowKeys()).toEqual([]);
    expect(problems).toEqual([]);
    expect(await cache.store(tenantId, VARIANT, documentOf('again'), {})).toBe(true);
    expect((await cache.find(tenantId, VARIANT, FRESH))?.document.markdown).toBe('again');
  });

  it('reads the copy that took the place of the one it was about to read', async () => {
    const cache = cacheOf();
    await cache.store(tenantId, VARIANT, documentOf('old'), {});
    let isFirst = true;
    const racing = Object.create(blobs) as BlobStore;
    racing.read = async (key, range, maxBytes) => {
      if (isFirst) {
        isFirst = false;
        await cache.store(tenantId, VARIANT, documentOf('new'), {});
        await untilCleared();
      }
      return blobs.read(key, range, maxBytes);
    };
    const found = await cacheOf({ blobs: racing }).find(tenantId, VARIANT, FRESH);
    expect(found?.document.markdown).toBe('new');
  });

  it('sweeps the blob of a writer that died after the put', async () => {
    const dying = Object.create(database) as Database;
    dying.transaction = () => Promise.reject(new Error('died'));
    expect(await cacheOf({ database: dying }).store(tenantId, VARIANT, documentOf('x'), {})).toBe(
      false,
    );
    expect(problems.map(([what]) => what)).toEqual(['store']);
    expect(await blobKeys()).toHaveLength(1);
    expect((await cacheOf().sweepCache(10)).deleted).toBe(0);
    await database.query({ name: 'later', text: `UPDATE page_cache_waste SET due_at = now()` });
    expect((await cacheOf().sweepCache(10)).deleted).toBe(1);
    expect(await blobKeys()).toEqual([]);
  });

  it('continues without storage, and without a database', async () => {
    const failing = Object.create(blobs) as BlobStore;
    failing.read = () => Promise.reject(new Error('storage down'));
    failing.put = () => Promise.reject(new Error('storage down'));
    const cache = cacheOf();
    await cache.store(tenantId, VARIANT, documentOf('x'), { etag: '"1"' });
    const noStorage = cacheOf({ blobs: failing });
    expect(await noStorage.find(tenantId, VARIANT, FRESH)).toBeNull();
    expect(await noStorage.store(tenantId, VARIANT, documentOf('x'), {})).toBe(false);
    const url = 'postgres://127.0.0.1:9/never-connected';
    const closed = new Database({
      url,
      poolSize: 1,
      applicationName: 'spec',
      connectTimeoutMs: 60_000,
    });
    const noDatabase = cacheOf({ database: closed });
    expect(await noDatabase.find(tenantId, VARIANT, FRESH)).toBeNull();
    expect(await noDatabase.store(tenantId, VARIANT, documentOf('x'), {})).toBe(false);
    expect(await noDatabase.touch(tenantId, VARIANT, 'x')).toBe(false);
    expect(problems.map(([what]) => what)).toEqual(['find', 'store', 'find', 'store', 'touch']);
    // The copy outlives the outage.
    expect((await cache.find(tenantId, VARIANT, FRESH))?.kind).toBe('fresh');
  });

  it('waits a bounded time for a copy, and holds a bounded number of documents for slow storage', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = (onPut = (): void => undefined): BlobStore =>
      Object.assign(Object.create(blobs) as BlobStore, {
        read: () => held.then(() => Buffer.alloc(0)),
        put: async (...[key, body]: Parameters<BlobStore['put']>) => {
          onPut();
          await held;
          return blobs.put(key, body);
        },
      });
    await cacheOf().store(tenantId, VARIANT, documentOf('x'), {});
    const hasty = cacheOf({ blobs: slow(), maxWaitMs: 30 });
    expect(await hasty.find(tenantId, VARIANT, FRESH)).toBeNull();
    expect(await hasty.store(tenantId, OTHER, documentOf('x'), {})).toBe(false);
    const tooLong = { name: 'TookTooLongError' };
    expect(problems).toMatchObject([
      ['find', tooLong],
      ['store', tooLong],
    ]);
    // All of them wait for the last.
    let puts = 0;
    const cache = cacheOf({ blobs: slow(() => puts++) });
    const stores = Array.from({ length: 32 }, () =>
      cache.store(tenantId, OTHER, documentOf('x'), {}),
    );
    await until(() => puts === 32, { what: 'all stores to be held' });
    expect(await cache.store(tenantId, OTHER, documentOf('x'), {})).toBe(false);
    release();
    expect(await Promise.all(stores)).toEqual(stores.map(() => true));
    expect(await cache.store(tenantId, OTHER, documentOf('x'), {})).toBe(true);
  });
});

describe('servedCopy', () => {
  it('reports that no rung ran, and the age of the copy', () => {
    const document = {
      ...documentOf('x'),
      fallback: { from: 'plain', to: 'headless' },
      fetchMethod: 'headless',
    } as const;
    const copy = { kind: 'fresh', document, ageMs: 77, validators: {}, copyId: 'k' } as const;
    const answer = { sourceUrl: 'https://a.example/#y', latencyMs: 3 };
    const { fallback: _, ...kept } = document;
    expect(servedCopy(copy, answer)).toEqual({
      ...kept,
      ...answer,
      cascade: { level: null, attempts: [], unblock: [] },
      cacheAgeMs: 77,
    });
  });
});
