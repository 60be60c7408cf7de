export { Trawl, type DocumentFile } from './trawl.js';
export { API_VERSION, PAGE_FORMATS } from './api-types.js';
export { CLIENT_VERSION } from './client-version.js';
export type { CallOptions, TrawlOptions } from './api-connection.js';
export type { FollowOptions, JobUpdate } from './follow-job.js';
export { TrawlError, type ClientErrorCode, type TrawlErrorCode } from './trawl-error.js';
export { TrawlFeeds } from './trawl.js';
export { TrawlPull, type PulledRow, type RowsOptions } from './trawl-pull.js';
export {
  TrawlJob,
  type ChangesOptions,
  type PageChange,
  type PageSearchOptions,
  type UrlsOptions,
  type WaitOptions,
} from './trawl-job.js';
export { verifyWebhook, type VerifyOptions, type WebhookHeaders } from './verify-webhook.js';
export type {
  BatchInput,
  BatchJobInput,
  ChatInput,
  CrawledPage,
  CrawlInput,
  DirectoryInput,
  EnrichInput,
  ExtractInput,
  ExtractResponse,
  FeedEvent,
  FeedInput,
  JobSnapshot,
  JobUrl,
  LocatedInput,
  MapInput,
  MapsInput,
  ParseInput,
  PreviewInput,
  PullInput,
  ReextractInput,
  Schemas,
  ScrapeInput,
  ScrapeOutput,
  ScreenshotInput,
  SearchInput,
  SearchOutput,
  WebhookEvent,
} from './schemas.js';
