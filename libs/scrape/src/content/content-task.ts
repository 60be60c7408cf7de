import type { CompanyPage } from '@app/company';
import type { FullText, JudgedContent, JudgeInput, PageBlock, Verdict } from '@app/content';
import type { ContentOptions, PageOutputs } from '@app/contracts';
import type { FoundLink } from '@app/crawl';
import type { FileOutcome } from '../files/file-reader.js';
import type { ScanSurroundings } from '../tech/scan-input.js';
import type { CrawlContext } from './crawl-context.js';

/** One fetched page to convert. `body` is moved to the thread, not copied. */
export interface PageTask {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  readonly url: string;
  readonly isCut: boolean;
  readonly outputs: PageOutputs;
  /** Packed with the page for a technology scan. @default not packed */
  readonly scan?: ScanSurroundings;
  readonly options: ContentOptions;
  /** Tenants take turns in the threads. Null: the page belongs to no tenant. */
  readonly tenantId: string | null;
  /** With a crawl: links are checked against its scope and keyed for its frontier. */
  readonly crawl: CrawlContext | null;
  /** No caller waits for it, although it belongs to no crawl. @default false */
  readonly isBackground?: boolean;
  /** What a verdict rests on beside the content. @default the page is not judged */
  readonly judged?: Omit<JudgeInput, 'url' | 'facts'>;
}

export interface ContentTask extends PageTask {
  /** CPU time limit of the conversion, milliseconds. */
  readonly maxCpuMs: number;
}

/** Outputs that are no part of the page's document; absent: not wanted, or the page has none. */
export interface PageReadings {
  /** Of an HTML page. */
  readonly company?: CompanyPage;
  /** For a search index. */
  readonly text?: FullText;
  /** Of the Markdown of an HTML page. */
  readonly blocks?: readonly PageBlock[];
  /** JSON of a `ScanInput`. */
  readonly scanInput?: Uint8Array;
  /** Of a page with Markdown. */
  readonly contentKey?: string;
  /** Outputs that are not among the values of the content: see `packOutputs`. */
  readonly packed?: Uint8Array;
}

/** The verdict on a page, and what others ask of the facts that it rests on. */
export interface PageVerdict extends Verdict {
  readonly visibleChars: number;
  readonly contentChars: number;
  readonly holes: number;
  /** Scripts, frames or a refresh may bring more than the source has. */
  readonly mayBringMore: boolean;
  /** Fields for a password that exists. */
  readonly passwordFields: number;
}

export interface ContentResult extends PageReadings {
  readonly content: JudgedContent;
  /** Of a text page that was to be judged. */
  readonly verdict?: PageVerdict;
  readonly found: readonly FoundLink[];
  /** The bytes were a document file, not a page. */
  readonly file?: FileOutcome;
}
