import type { FoundLink, HostSignal } from '@app/crawl';
import type { JobStatus } from '@app/contracts';
import type { IndexedText } from '../search-index/page-texts.js';

/**
 * How one claimed page of a job ended, or that it is to be tried again: what its row becomes. Made of the `PageResult`
 * by the rules of the job, or without one where nothing was fetched.
 */
export interface PageOutcome {
  readonly urlKey: string;
  readonly fence: number;
  readonly host: string;
  readonly state: 'scraped' | 'failed' | 'skipped' | 'pending';
  /** Error class of a failure, reason of a skip; of a scraped page of a recrawl, how it differs from the one before. */
  readonly reason: string | null;
  /** With `pending`: how long until the page may be tried again. */
  readonly retryInMs: number;
  readonly statusCode: number | null;
  readonly rung: string | null;
  /** Where the document of a scraped page lies. */
  readonly segment: SegmentRange | null;
  /** The redirect target, when its key differs: another page, which this one represents. */
  readonly alias: PageAlias | null;
  /** The page's canonical URL, when its key is neither the page's nor the alias's. */
  readonly canonical?: CanonicalAlias | null;
  /** Of a start page that ended outside the scope: the URL that bounds the crawl from now on. @default no change */
  readonly scopeUrl?: string | null;
  /** Credits the page costs. */
  readonly credits: number;
  /** Model cost in millionths of a dollar. @default 0 */
  readonly costMicroUsd?: number;
  /** Fetch and conversion of the last attempt; absent when no request was sent. */
  readonly latencyMs?: number | null;
  /** Of the answer, as `validatorsText` writes them. */
  readonly validators?: string | null;
  /** Known to be the page of the crawl before without rendering: ten cost a credit. @default false */
  readonly isUnchanged?: boolean;
  /** The content has changed under the same validators: those of the host are believed no more. @default false */
  readonly belies?: boolean;
  /** 32 hexadecimal digits by which equal content is known; absent: the page is like no other. */
  readonly contentHash?: string | null;
  /** Of a duplicate: the key of the page that it is. */
  readonly sameAs?: string;
}

export interface PageAlias {
  readonly urlKey: string;
  readonly url: string;
  readonly host: string;
}

export interface CanonicalAlias extends PageAlias {
  /** It can only be a spelling of the page's own address; else it is believed of a few pages only. */
  readonly isVariant: boolean;
}

export interface SegmentRange {
  readonly key: string;
  readonly offset: number;
  readonly bytes: number;
}

/** What the pages of a batch learned about a host, and when they last sent it a request. */
export interface HostReport {
  readonly host: string;
  readonly signals: readonly HostSignal[];
  /** From robots.txt; undefined when this batch did not read it. */
  readonly crawlDelayMs: number | null | undefined;
  /** Milliseconds since the last request to the host was sent; null when none was. */
  readonly sentAgoMs: number | null;
}

export interface FinishBatch {
  readonly jobId: string;
  readonly outcomes: readonly PageOutcome[];
  readonly links: readonly FoundLink[];
  /** Of a job with a search index: the texts of its pages. @default none */
  readonly texts?: readonly IndexedText[];
  readonly hosts: readonly HostReport[];
  readonly maxDiscovered: number;
  readonly hostWindow: { readonly start: number; readonly max: number };
}

export interface FinishResult {
  /** URL keys with a counted outcome. The others were reassigned, or the job was stopped. */
  readonly accepted: ReadonlySet<string>;
  /** Accepted as scraped: their documents are referenced. */
  readonly scraped: ReadonlySet<string>;
  /** Results of the crawl before that are none of this one. */
  readonly gone: ReadonlySet<string>;
  readonly admitted: number;
  /** Scraped pages that the database could not index. */
  readonly unindexed: number;
  readonly status: JobStatus;
}

/** A row of the frontier after one transaction: the input of the counters. */
export interface MovedRow {
  readonly state: 'scraped' | 'failed' | 'skipped' | 'pending';
  readonly reason: string | null;
  readonly host: string;
}
