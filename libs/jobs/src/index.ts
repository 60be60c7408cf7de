export {
  type CrawlOptions,
  OPTIONS_WITHOUT_SECRETS,
  readCrawlOptions,
} from './create/crawl-options.js';
export { type BatchPage, createBatch, type NewBatch } from './create/create-batch.js';
export {
  createCrawl,
  findJob,
  jobReasons,
  type NewCrawl,
  type ReasonCount,
  type RecentJob,
  recentJobs,
} from './create/create-crawl.js';
export {
  createReextraction,
  type NewReextraction,
  type Reextraction,
} from './create/create-reextraction.js';
export { admitAhead, type AheadBatch } from './frontier/admit-ahead.js';
export {
  type ClaimedPage,
  claimPages,
  extendLeases,
  type HeldLease,
  MAX_HELD_DUE_MS,
  stoppedJobs,
} from './frontier/claim-pages.js';
export {
  type Candidate,
  dispatchCandidates,
  type DispatchedBatch,
  leasedPages,
  leasePages,
  nextDueInMs,
  type Turn,
} from './frontier/dispatch-pages.js';
export {
  type DispatchedRound,
  DispatchRounds,
  type DispatchRoundsOptions,
} from './frontier/dispatch-rounds.js';
export {
  cancelJob,
  closeOverdueJobs,
  releaseExpiredLeases,
  settleRows,
} from './frontier/end-leases.js';
export { finishPages } from './frontier/finish-pages.js';
export { deleteOutbox, outboxBacklog, type OutboxEntry, relayOutbox } from './frontier/outbox.js';
export {
  type CanonicalAlias,
  type FinishBatch,
  type FinishResult,
  type HostReport,
  type MovedRow,
  type PageAlias,
  type PageOutcome,
  type SegmentRange,
} from './frontier/page-outcome.js';
export { JOB_COLUMNS, JobEntity } from './job.entity.js';
export {
  completeJob,
  extendProcessingJob,
  firstPageProblem,
  giveUpJob,
  type ProcessingJob,
  releaseProcessingJob,
  type ResultRow,
  resultRows,
  takeProcessingJob,
} from './results/finish-job.js';
export {
  type ArchivedRow,
  archivedRows,
  copiesOf,
  type CopyRow,
  type LedgerCounts,
  type LedgerEntry,
  type LedgerQuery,
  ledgerSlice,
  type LedgerSlice,
} from './results/url-report.js';
export { jobsById, reasonsOfJobs } from './results/watch-jobs.js';
export {
  completeDeletion,
  type DataDeletion,
  type DeletedCounts,
  deleteJob,
  deleteTenantCache,
  deleteTenantKeys,
  expiredJobs,
  expireTenantJobs,
  findDeletion,
  forgetDeletions,
  noteDeleted,
  requestDeletion,
  runningJobs,
  takeDeletion,
} from './retention/data-deletion.js';
export {
  continuePurge,
  endPurge,
  expireJobs,
  forgetJobs,
  type PurgeJob,
  purgeRows,
  sweepDeliveries,
  takePurge,
} from './retention/expire-jobs.js';
export {
  COUNTED_PENDING,
  type DeliveryQuery,
  findDelivery,
  listDeliveries,
  type LoggedAttempt,
  type LoggedDelivery,
  redeliver,
  webhookBacklog,
  type WebhookBacklog,
} from './webhooks/delivery-log.js';
export {
  ATTEMPT_ERRORS,
  type AttemptError,
  DELIVERY_STATES,
  type DeliveryState,
  type EndedJob,
  type TakenDelivery,
} from './webhooks/delivery.js';
export { type AfterAttempt, type AttemptEnd, recordAttempt } from './webhooks/record-attempt.js';
export {
  ensureSecrets,
  readSecrets,
  SECRET_OVERLAP_MS,
  showNewSecret,
  type SigningSecret,
} from './webhooks/signing-secrets.js';
export {
  type ClosedDelivery,
  takeDeliveries,
  type Taken,
  type TakeOptions,
} from './webhooks/take-deliveries.js';
export { Dispatcher } from './frontier/dispatcher.js';
export { Finisher } from './results/finisher.js';
export { gathered } from './results/gathered.js';
export { isPacked, openUnpacked } from './results/packed-file.js';
export { readResults, type ResultPorts, type StoredResult } from './results/read-results.js';
export { resultUrl } from './results/result-url.js';
export { warcFileName, writeWarc } from './results/warc/write-warc.js';
export { eraseNext } from './retention/erase-data.js';
export { purgeNext, retain } from './retention/retain.js';
export { eventName } from './webhooks/event-name.js';
export { countBacklog, openDeliverer } from './webhooks/open-deliverer.js';
export { secretHint, secretText } from './webhooks/sign-webhook.js';
export { type JobLoops, openJobLoops } from './job-loops.js';
export { jobPageRequest, scopeOptions } from './pages/job-page-request.js';
export { JobScreenshots } from './pages/job-screenshots.js';
export { LeaseKeeper } from './pages/lease-keeper.js';
export { PageClaims } from './pages/page-claims.js';
export { endPage, faulty, type PageEnding, postponed } from './pages/page-ending.js';
export { StoredDocuments } from './pages/reextract/stored-documents.js';
export { StoredPages } from './pages/reextract/stored-pages.js';
export { ResultWriter } from './pages/result-writer.js';
export { SitemapPages, type SitemapReader } from './pages/sitemaps/sitemap-pages.js';
