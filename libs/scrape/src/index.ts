export {
  forgetHost,
  type HostRung,
  learnHost,
  MAX_HOST_SHAPES,
  OTHER_SHAPES,
  PROBE_EVERY_MS,
  recallHost,
  sweepHostRungs,
  takeHostProbe,
  WHOLE_HOST,
} from './hosts/host-rows.js';
export { HostSweep, type HostSweepOptions } from './hosts/sweep-hosts.js';
export {
  type Admission,
  admitCached,
  CACHE_ENTRY_OVERHEAD_BYTES,
  type CacheEntry,
  type CacheSlot,
  type CacheValidators,
  dropCached,
  findCached,
  forgetWaste,
  type NewCacheEntry,
  noteCacheWrite,
  renewCached,
} from './page-cache/page-cache-rows.js';
export {
  type BlobDeleter,
  type CacheSweep,
  deleteBlobs,
  sweepPageCache,
} from './page-cache/sweep-page-cache.js';
export { sweepReplies } from './sweep-replies.js';
export { openScrapeLoops } from './scrape-loops.js';
