import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { BlobNotFoundError, type BlobStore } from '@app/blobs';
import { newId, NO_USAGE, type PageDocument } from '@app/contracts';
import {
  admitCached,
  dropCached,
  findCached,
  forgetWaste,
  noteCacheWrite,
  renewCached,
  type Admission,
  type CacheEntry,
  type CacheSlot,
  type CacheValidators,
} from './page-cache-rows.js';
import { deleteBlobs, sweepPageCache, type CacheSweep } from './sweep-page-cache.js';
import { waitAtMost } from '@app/runtime';
import type { Database } from '@app/database';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const MEGABYTE = 1024 * 1024;
/** Largest cached page result, as JSON; it bounds the memory of a hit. */
const MAX_ENTRY_BYTES = 8 * MEGABYTE;
/** Maximum share of a tenant's cache for one entry. */
const MAX_ENTRY_SHARE = 1 / 8;
const MAX_BYTES_PER_TENANT = 256 * MEGABYTE;
const TTL_MS = 48 * 3_600_000;
/** Longest wait of a request for the cache: after it, fetching the page may be as fast. */
const MAX_WAIT_MS = 2_000;
/** Page results being stored at the same time; while storage is slow, further ones are not cached. */
const MAX_STORES_IN_FLIGHT = 32;
/** Blobs that a writer deletes itself; the sweep deletes the rest. */
const MAX_OWN_DELETES = 16;
/** A longer validator is not worth storing: no normal server sends one. */
const MAX_VALIDATOR_CHARS = 1_024;

export type CacheUse = 'find' | 'store' | 'touch';

export interface PageCacheOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  /** Called with failures; requests go on as without a cache. */
  readonly onProblem: (what: CacheUse, error: unknown) => void;
  /** @default 256 MiB, compressed results and a kilobyte for each */
  readonly maxBytesPerTenant?: number;
  /** @default 48 hours */
  readonly ttlMs?: number;
  /** @default 2,000 */
  readonly maxWaitMs?: number;
}

/** How old a copy may be. */
export interface WantedAge {
  /** Maximum age; 0: no copy is young enough, except for a request that only accepts the cache: any is. */
  readonly maxAgeMs: number;
  /** The request only accepts the cache, with a copy at least this old; null: a page may be fetched. */
  readonly minAgeMs: number | null;
}

export interface CachedPage {
  /** `stale`: too old to be served, but a conditional request may confirm it. */
  readonly kind: 'fresh' | 'stale';
  readonly document: PageDocument;
  readonly ageMs: number;
  readonly validators: CacheValidators;
  /** Identifies exactly this copy for {@link PageCache.touch}. */
  readonly copyId: string;
}

/**
 * Copies of complete pages, separate for each tenant: an index in SQL, the results as blobs. Every method
 * resolves even if SQL or storage fail; failures go to `onProblem`.
 */
export class PageCache {
  private storesInFlight = 0;
  /** Copies being stored, by slot: a request for one of them waits for it. */
  private readonly underway = new Map<string, Promise<unknown>>();
  private readonly maxBytesPerTenant: number;
  private readonly maxEntryBytes: number;
  private readonly ttlMs: number;

  constructor(private readonly options: PageCacheOptions) {
    this.maxBytesPerTenant = options.maxBytesPerTenant ?? MAX_BYTES_PER_TENANT;
    this.maxEntryBytes = Math.min(MAX_ENTRY_BYTES, this.maxBytesPerTenant * MAX_ENTRY_SHARE);
    this.ttlMs = options.ttlMs ?? TTL_MS;
  }

  /** The tenant's copy of the variant, if its age fits or its validators allow a conditional request. */
  async find(tenantId: string, variant: string, wanted: WantedAge): Promise<CachedPage | null> {
    const slot = { tenantId, variant };
    const found = this.afterStore(slot).then(() => this.lookUp(slot, wanted));
    return this.withinMaxWait('find', found, null);
  }

  /**
   * Stores a complete result (the caller checks that) and returns whether it was stored in time. Slow storage is
   * not awaited; the result may be stored later.
   */
  async store(
    tenantId: string,
    variant: string,
    document: PageDocument,
    validators: CacheValidators,
  ): Promise<boolean> {
    const json = Buffer.from(JSON.stringify(document));
    if (json.length > this.maxEntryBytes || this.storesInFlight >= MAX_STORES_IN_FLIGHT)
      return false;
    this.storesInFlight++;
    const slot = { tenantId, variant };
    const kept = this.keep(slot, document.sourceUrl, json, bounded(validators)).finally(
      () => this.storesInFlight--,
    );
    this.remember(slot, kept);
    void this.clearAfter(kept);
    const isKept = kept.then(({ isAdmitted }) => isAdmitted);
    return this.withinMaxWait('store', isKept, false);
  }

  /** The site responded with 304 to this copy: it counts as new. False if it was replaced meanwhile. */
  async touch(
    tenantId: string,
    variant: string,
    copyId: string,
    validators: CacheValidators = {},
  ): Promise<boolean> {
    const renewal = { blobKey: copyId, ttlMs: this.ttlMs, validators: bounded(validators) };
    const renewed = renewCached(this.options.database, { tenantId, variant }, renewal);
    return this.withinMaxWait('touch', renewed, false);
  }

  /**
   * One bounded round of housekeeping, for a loop. Unlike the other methods it rejects if the database is down.
   */
  async sweepCache(limit: number): Promise<CacheSweep> {
    return sweepPageCache(this.options.database, this.options.blobs, limit);
  }

  private remember(slot: CacheSlot, kept: Promise<unknown>): void {
    const name = nameOf(slot);
    // `store` reports the failure.
    const settled = kept
      .catch(() => undefined)
      .then(() => {
        if (this.underway.get(name) === settled) this.underway.delete(name);
      });
    this.underway.set(name, settled);
  }

  private async afterStore(slot: CacheSlot): Promise<void> {
    await this.underway.get(nameOf(slot));
  }

  private async withinMaxWait<T>(what: CacheUse, work: Promise<T>, otherwise: T): Promise<T> {
    const { onProblem, maxWaitMs = MAX_WAIT_MS } = this.options;
    try {
      return await waitAtMost(maxWaitMs, work);
    } catch (error) {
      onProblem(what, error);
      return otherwise;
    }
  }

  private async lookUp(slot: CacheSlot, wanted: WantedAge): Promise<CachedPage | null> {
    const { database } = this.options;
    const entry = await findCached(database, slot);
    if (!entry) return null;
    const found = await this.open(entry, wanted);
    if (found !== 'unreadable') return found;
    if (await dropCached(database, slot, entry.blobKey)) return null;
    // A newer copy replaced the one to be read.
    const newer = await findCached(database, slot);
    const reopened = newer && (await this.open(newer, wanted));
    return reopened === 'unreadable' ? null : reopened;
  }

  private async open(
    entry: CacheEntry,
    wanted: WantedAge,
  ): Promise<CachedPage | 'unreadable' | null> {
    const kind = kindOf(entry, wanted);
    if (kind === null) return null;
    const document = await this.read(entry.blobKey);
    if (!document) return 'unreadable';
    const { ageMs, validators, blobKey } = entry;
    return { kind, document, ageMs, validators, copyId: blobKey };
  }

  /** Null if the blob is missing or is not a stored result. */
  private async read(key: string): Promise<PageDocument | null> {
    try {
      const bytes = await this.options.blobs.read(key, undefined, 2 * MAX_ENTRY_BYTES);
      const json = await decompress(bytes, { maxOutputLength: MAX_ENTRY_BYTES });
      return parseDocument(json.toString());
    } catch (error) {
      if (error instanceof BlobNotFoundError || isDamage(error)) return null;
      throw error;
    }
  }

  private async keep(
    slot: CacheSlot,
    url: string,
    json: Buffer,
    validators: CacheValidators,
  ): Promise<Admission> {
    const { database, blobs } = this.options;
    const { ttlMs, maxBytesPerTenant } = this;
    const body = await compress(json, ZSTD);
    // Each write has its own key: a reader gets one result or the other, never a mixture.
    const blobKey = `tenants/${slot.tenantId}/cache/${slot.variant}-${newId()}.json.zst`;
    await noteCacheWrite(database, blobKey);
    await blobs.put(blobKey, body);
    const bytes = body.length;
    const entry = { ...slot, url, blobKey, bytes, validators, ttlMs, maxBytesPerTenant };
    return admitCached(database, entry);
  }

  /**
   * Deletes the replaced copy after the new one is stored; a request that waits for the copy does not wait for
   * this.
   */
  private async clearAfter(kept: Promise<Admission>): Promise<void> {
    // `store` reports the failure.
    const { waste } = await kept.catch(() => NOT_KEPT);
    if (waste.length === 0) return;
    const { database, blobs, onProblem } = this.options;
    try {
      await forgetWaste(database, await deleteBlobs(blobs, waste.slice(0, MAX_OWN_DELETES)));
    } catch (error) {
      onProblem('store', error);
    }
  }
}

const nameOf = ({ tenantId, variant }: CacheSlot): string => `${tenantId}/${variant}`;

const NOT_KEPT = { isAdmitted: false, waste: [] } as const;

/**
 * The copy as the result of another request: no rung ran, nothing fell back (specification: Scrape result,
 * `cascade`).
 */
export function servedCopy(
  { document, ageMs }: CachedPage,
  answer: { readonly sourceUrl: string; readonly latencyMs: number },
): PageDocument {
  const { fallback: _, ...kept } = document;
  const cascade = { level: null, attempts: [], unblock: [] };
  return { ...kept, ...answer, ...unpaid(kept), cascade, cacheAgeMs: ageMs };
}

/** The model's cost was paid by the first request. */
function unpaid({ llm }: PageDocument): Partial<PageDocument> {
  if (!llm) return {};
  return { llm: { ...llm, usage: { ...NO_USAGE, model: llm.usage.model } } };
}

/** How a copy of that age serves the request; null: not at all. */
function kindOf(
  { ageMs, validators }: CacheEntry,
  { maxAgeMs, minAgeMs }: WantedAge,
): CachedPage['kind'] | null {
  const isYoungEnough = ageMs < maxAgeMs;
  if (minAgeMs !== null) {
    return ageMs >= minAgeMs && (maxAgeMs === 0 || isYoungEnough) ? 'fresh' : null;
  }
  if (isYoungEnough) return 'fresh';
  return validators.etag === undefined && validators.lastModified === undefined ? null : 'stale';
}

function bounded({ etag, lastModified }: CacheValidators): CacheValidators {
  return {
    ...(isSane(etag) ? { etag } : {}),
    ...(isSane(lastModified) ? { lastModified } : {}),
  };
}

function isSane(validator: string | undefined): boolean {
  return validator !== undefined && validator !== '' && validator.length <= MAX_VALIDATOR_CHARS;
}

function parseDocument(json: string): PageDocument | null {
  const value = JSON.parse(json) as Partial<PageDocument> | null;
  const isDocument = typeof value?.url === 'string' && typeof value.statusCode === 'number';
  return isDocument ? (value as PageDocument) : null;
}

/** Not JSON, not zstd, or larger than any stored result. */
function isDamage(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return (
    error instanceof SyntaxError ||
    (typeof code === 'string' && /^(ZSTD_|ERR_BUFFER_TOO_LARGE|Z_)/.test(code))
  );
}
