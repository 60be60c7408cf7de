export {
  forgetHost,
  learnHost,
  recallHost,
  sweepHostRungs,
  takeHostProbe,
} from './hosts/host-rows.js';
export { HostSweep } from './hosts/sweep-hosts.js';
export {
  admitCached,
  dropCached,
  findCached,
  forgetWaste,
  noteCacheWrite,
  renewCached,
} from './page-cache/page-cache-rows.js';
export { sweepPageCache } from './page-cache/sweep-page-cache.js';
export { openScrapeLoops } from './scrape-loops.js';
export type { BrandSteps } from './company/brand.worker.js';
export { BrandReader } from './company/brand-reader.js';
export { EnrichRun, type EnrichRunOptions } from './company/enrich-run.js';
export { EnrichmentCache } from './company/enrichment-cache.js';
export { ContentPool } from './content/content-pool.js';
export type { ContentResult, PageTask } from './content/content-task.js';
export { besidePacked } from './content/pack-content.js';
export { paragraphs } from './content/paragraphs.js';
export { scopeOf } from './content/scope-of.js';
export { FileCache } from './files/file-reader.js';
export { FileReader } from './files/file-reader.js';
export { HostMemory } from './hosts/host-memory.js';
export { ImageStore } from './image-store.js';
export { type MapTerms, termsOf } from './map/map-terms.js';
export { MergedLinks } from './map/merge-links.js';
export { linksOfPages, type PageLinks } from './map/page-links.js';
export { hasUnexpectedEncoding } from './map/sitemap-fetcher.js';
export { SitemapFetcher } from './map/sitemap-fetcher.js';
export { SitemapWalk, type WalkedSitemaps } from './map/sitemap-walk.js';
export { DiffThreads } from './diff/diff-threads.js';
export type { SitemapSteps } from './map/sitemap.worker.js';
export { ModelReader } from './models/model-reader.js';
export { addUsage, rankByModel, readByModel } from './models/read-by-model.js';
export { ReadingThreads } from './models/reading-threads.js';
export { variantKey } from './page-cache/page-cache-variant.js';
export { type CachedPage, PageCache, servedCopy } from './page-cache/page-cache.js';
export { type Converters, isWall } from './page/assess-page.js';
export { observeAttempt } from './page/fetch-metrics.js';
export { outputsOf } from './page/outputs-of.js';
export { PageFetcher, renderOf } from './page/page-fetcher.js';
export type { PageRequest, PageResult, UnreadFile } from './page/page-result.js';
export { type HostVisit, pacedRung, RequestPace, waitUnlessAborted } from './page/request-pace.js';
export { RedirectRefused, RobotsGate } from './page/robots-gate.js';
export { ROBOTS_RETRY_MS } from './page/robots-question.js';
export { SiteUses } from './page/site-uses.js';
export { BackendHealth } from './search/backend-health.js';
export { ResultThreads } from './search/result-threads.js';
export { openTechScans } from './tech/open-tech-scans.js';
export { TechScans } from './tech/tech-scans.js';
export { ThreadPool, ThreadTimeoutError } from './threads/thread-pool.js';
