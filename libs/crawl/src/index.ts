export { canonicalClaim } from './canonical.js';
export * from './discovery-bound.js';
export * from './found-link.js';
export { isOlder, parseInstant } from './page-dates.js';
export {
  MAX_PATH_PATTERNS,
  MAX_PATH_PATTERN_CHARS,
  type PathRegexes,
  pathPatternProblem,
  pathPatternsProblem,
  compilePathPatterns,
} from './path-pattern.js';
export { readRsl, type LicensedContent, type OfferedLicense } from './licenses/read-rsl.js';
export * from './path-shape.js';
export {
  type HostSignal,
  adaptPace,
  MAX_CRAWL_DELAY_MS,
  pageHoldMs,
  requestedPauseMs,
} from './politeness.js';
export * from './recrawl-change.js';
export * from './retry.js';
export * from './robots-directives.js';
export * from './scope.js';
export {
  discoverSitemaps,
  listsPages,
  namesSitemap,
  SEED_SOURCES,
  seedPlaces,
  type SeedSource,
  type SitemapPlaces,
} from './sitemap/discover-sitemaps.js';
export { readSitemap, streamSitemap } from './sitemap/read-sitemap.js';
export {
  MAX_CHILD_SITEMAPS,
  MAX_INDEX_DEPTH,
  MAX_SITEMAP_BYTES,
  type SitemapCut,
  type SitemapFile,
  type SitemapKind,
} from './sitemap/sitemap-file.js';
export * from './traps.js';
export * from './url-key.js';
