import type { HostSignal } from '@app/crawl';
import type { JobStatus, SkipReason } from '@app/contracts';

/** How one claimed page ended, or that it is to be tried again. */
export interface PageOutcome {
  readonly urlKey: string;
  readonly fence: number;
  readonly host: string;
  readonly state: 'scraped' | 'failed' | 'skipped' | 'pending';
  /** Error class of a failure, reason of a skip. */
  readonly reason: string | null;
  /** With `pending`: how long until the page may be tried again. */
  readonly retryInMs: number;
  readonly statusCode: number | null;
  readonly rung: string | null;
  /** Where the document of a scraped page lies. */
  readonly segment: SegmentRange | null;
  /** The address the page redirected to, when its key differs: a page of its own that this one stands for. */
  readonly alias: { readonly urlKey: string; readonly url: string; readonly host: string } | null;
  /** Credits the page costs. */
  readonly credits: number;
}

export interface SegmentRange {
  readonly key: string;
  readonly offset: number;
  readonly bytes: number;
}

/** A link found on a page. `skip` names why it is recorded but not followed. */
export interface FoundLink {
  readonly urlKey: string;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
  readonly skip: SkipReason | null;
}

export interface HostReport {
  readonly host: string;
  readonly signals: readonly HostSignal[];
  /** From robots.txt; undefined when this batch did not read it. */
  readonly crawlDelayMs: number | null | undefined;
}

export interface FinishBatch {
  readonly jobId: string;
  readonly outcomes: readonly PageOutcome[];
  readonly links: readonly FoundLink[];
  readonly hosts: readonly HostReport[];
  readonly maxDiscovered: number;
  readonly hostWindow: { readonly start: number; readonly max: number };
}

export interface FinishResult {
  /** URL keys whose outcome counted. The others belong to someone else by now, or the job was stopped. */
  readonly accepted: ReadonlySet<string>;
  /** Accepted as scraped: their documents are referenced. */
  readonly scraped: ReadonlySet<string>;
  readonly admitted: number;
  readonly status: JobStatus;
}

/** A row of the frontier as one transaction left it: what the counters move by. */
export interface MovedRow {
  readonly state: 'scraped' | 'failed' | 'skipped' | 'pending';
  readonly reason: string | null;
  readonly host: string;
}
