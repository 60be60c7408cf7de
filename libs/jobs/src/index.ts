export { type CrawlOptions, readCrawlOptions, type V2Job } from './create/crawl-options.js';
export { type BatchPage, createBatch } from './create/create-batch.js';
export { readStoredBytes, takeScreenshotRoom } from './create/stored-bytes.js';
export {
  BaseGoneError,
  createCrawl,
  DEFAULT_CRAWL_PAGES,
  type NewCrawl,
} from './create/create-crawl.js';
export { findJob, jobReasons, type ReasonCount, type RecentJob, recentJobs } from './read-jobs.js';
export {
  createReextraction,
  type NewReextraction,
  type Reextraction,
} from './create/create-reextraction.js';
export { type ClaimedPage, claimPages, MAX_HELD_DUE_MS } from './frontier/claim-pages.js';
export { DispatchRounds } from './frontier/dispatch-rounds.js';
export { cancelJob, closeOverdueJobs, settleRows } from './frontier/end-leases.js';
export { finishPages } from './frontier/finish-pages.js';
export { deleteOutbox } from './frontier/outbox.js';
export { JobEntity } from './job.entity.js';
export { completeJob, resultRows, takeProcessingJob } from './results/finish-job.js';
export {
  archivedRows,
  copiesOf,
  type UrlReportCounts,
  type UrlReportEntry,
  urlReportSlice,
  type UrlReportSlice,
} from './results/url-report.js';
export { siteLevel, type SiteEntry, type SiteLevel } from './results/site-folders.js';
export { jobsById, reasonsOfJobs } from './results/watch-jobs.js';
export { type DataDeletion, findDeletion, requestDeletion } from './retention/data-deletion.js';
export { gathered } from './results/packed-file.js';
export { isPacked, openUnpacked } from './results/packed-file.js';
export { type Comparison, readChanges } from './results/read-changes.js';
export { readResults, type ResultPorts, type StoredResult } from './results/read-results.js';
export { UNCHANGED_PER_CREDIT } from './frontier/count-pages.js';
export { resultUrl } from './results/result-url.js';
export { warcFileName, writeWarc } from './results/warc/write-warc.js';
export {
  type MatchedPage,
  MAX_RANKED_PAGES,
  searchPages,
  type SearchPlace,
  SearchTimeoutError,
} from './search-index/search-pages.js';
export {
  findStoredPassages,
  type PassagesReply,
  type PassagesTask,
} from './search-index/stored-passages.js';
export { purgeNext, retain } from './retention/retain.js';
export { openJobLoops } from './job-loops.js';
export { jobPageRequest, scopeAfter } from './pages/job-page-request.js';
export { JobScreenshots } from './pages/job-screenshots.js';
export { RepeatedParts } from './pages/repeated-parts.js';
export { PageLeases } from './pages/page-leases.js';
export { PageClaims } from './pages/page-claims.js';
export { endPage, faulty, leftOut, type PageEnding, postponed } from './pages/page-ending.js';
export { StoredDocuments } from './pages/reextract/stored-documents.js';
export { StoredPages } from './pages/reextract/stored-pages.js';
export { ResultWriter } from './pages/result-writer.js';
export { SitemapPages } from './pages/sitemaps/sitemap-pages.js';
export type { CrawlTask } from './frontier/claim-pages.js';
export {
  type ResultDocument,
  toResultCascade,
  toResultDocument,
  toResultFile,
  toResultListing,
  toResultUnblock,
} from './results/result-document.js';
