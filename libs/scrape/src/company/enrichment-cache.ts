import { createHash } from 'node:crypto';
import { NO_USAGE, type PageDocument, type BrandReason } from '@app/contracts';
import type { EnrichTask, Enrichment } from '@app/company';
import type { TechReason } from '@app/tech';
import type { PageCache } from '../page-cache/page-cache.js';

/** Increment it when the same request must yield another result than before. */
const VERSION = 2;

/** Reasons why a repeated request may yield more although the site is unchanged. */
const PASSING_TECH: ReadonlySet<TechReason> = new Set([
  'time_budget',
  'worker_terminated',
  'queue_timeout',
  'worker_error',
  'request_budget',
  'deep_budget',
  'render_failed',
  'tenant_cooldown',
]);
const PASSING_BRAND: ReadonlySet<BrandReason> = new Set([
  'stylesheet_budget',
  'stylesheet_timeout',
]);

/**
 * Results of enrichments, separate for each tenant, under the bounds of the page cache. The result is cached
 * instead of its pages: it is a thousandth of their size, and a hit needs neither scanner nor browser.
 */
export class EnrichmentCache {
  constructor(private readonly pages: PageCache) {}

  /** A result of the same request, younger than it accepts. */
  async find(task: EnrichTask): Promise<Enrichment | null> {
    const { tenantId, maxAgeMs } = task;
    if (maxAgeMs === 0) return null;
    const copy = await this.pages.find(tenantId, variantOf(task), { maxAgeMs, minAgeMs: null });
    if (copy?.kind !== 'fresh' || copy.document.markdown === undefined) return null;
    const { usage, ...kept } = JSON.parse(copy.document.markdown) as Enrichment;
    // The model's cost was paid by the first request.
    const unpaid = usage ? { usage: { ...NO_USAGE, model: usage.model } } : {};
    return { ...kept, ...unpaid, cacheAgeMs: copy.ageMs };
  }

  async keep(task: EnrichTask, enrichment: Enrichment): Promise<void> {
    const sourceUrl = `enrich:${task.url}`;
    const document = { ...SHELL, sourceUrl, markdown: JSON.stringify(enrichment) };
    await this.pages.store(task.tenantId, variantOf(task), document, {});
  }
}

/** Whether a retry could not yield more: a result cut by time or by a scanner is not cached. */
export function isCacheable({ tech, brand }: Enrichment): boolean {
  return (
    !(tech?.reasons ?? []).some((reason) => PASSING_TECH.has(reason)) &&
    !(brand?.reasons ?? []).some((reason) => PASSING_BRAND.has(reason))
  );
}

/** SHA-256 in hexadecimal of everything that affects the result. */
function variantOf(task: EnrichTask): string {
  const { requestId: _r, tenantId: _t, plan: _p, deadlineAtMs: _d, maxAgeMs: _m, ...shape } = task;
  const named = Object.entries(shape).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify(['enrich', VERSION, named]))
    .digest('hex');
}

/** The cache holds pages; of a result only its text is used. */
const SHELL: PageDocument = {
  url: '',
  sourceUrl: '',
  statusCode: 200,
  contentType: null,
  metadata: {},
  fetchMethod: 'plain',
  latencyMs: 0,
  cascade: { level: null, attempts: [], unblock: [] },
};
