import type { CascadeReport } from './cascade.js';
import type { FetchMethod } from './rung.js';

/** The work queues. Interactive work has its own, so a flood of crawl pages never delays a scrape. */
export const QUEUES = ['scrape', 'crawl', 'tech-scan'] as const;
export type QueueName = (typeof QUEUES)[number];

/** Outputs of a scrape that exist today. */
export const FORMATS = ['markdown', 'rawHtml', 'links'] as const;
export type Format = (typeof FORMATS)[number];

/** Request of the `scrape` queue. */
export interface ScrapeTask {
  readonly requestId: string;
  readonly tenantId: string;
  readonly url: string;
  readonly formats: readonly Format[];
  readonly includeHtml: boolean;
  readonly ignoreRobotsTxt: boolean;
  /** Epoch milliseconds by which the answer is due. */
  readonly deadlineAtMs: number;
}

/** Message of the `crawl` queue: names a leased page. The fetcher claims it in SQL before any request leaves. */
export interface CrawlTask {
  readonly jobId: string;
  /** The page's URL key: 32 hexadecimal digits. */
  readonly urlKey: string;
  /** Dispatch number of the lease; a later dispatch makes this message void. */
  readonly epoch: number;
}

/** Message of the `tech-scan` queue. */
export interface ScanTask {
  readonly requestId: string;
  readonly tenantId: string;
  readonly deadlineAtMs: number;
}

/** Metadata read from a page, plus how it was fetched. Absent fields were not on the page. */
export interface PageMetadata {
  readonly title?: string;
  readonly description?: string;
  readonly language?: string;
  readonly canonical?: string;
  readonly robots?: string;
  readonly favicon?: string;
  readonly openGraph?: Readonly<Record<string, string>>;
}

/** One fetched and converted page: the middle that scrape and crawl share. */
export interface PageDocument {
  /** Address after redirects. */
  readonly url: string;
  /** Address as it was asked for or discovered. */
  readonly sourceUrl: string;
  readonly statusCode: number;
  readonly contentType: string | null;
  readonly markdown?: string;
  readonly rawHtml?: string;
  readonly links?: readonly string[];
  readonly metadata: PageMetadata;
  readonly fetchMethod: FetchMethod;
  readonly latencyMs: number;
  readonly cascade: CascadeReport;
  /** Present when content is incomplete or blank: why. */
  readonly partialReason?: string;
}

/** Answer to a {@link ScrapeTask}. */
export type ScrapeReply =
  | { readonly kind: 'document'; readonly document: PageDocument }
  /** The document was too large for a message and waits in the blob store; the reader deletes it. */
  | { readonly kind: 'blob'; readonly key: string }
  | { readonly kind: 'failed'; readonly problem: string; readonly cascade: CascadeReport }
  | { readonly kind: 'blocked'; readonly url: string };
