import type { CompanyPage } from '@app/company';
import type { FullText, PageBlock, PageContent } from '@app/content';
import type { ContentOptions } from '@app/contracts';
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
  readonly markdown: boolean;
  readonly rawHtml: boolean;
  /** @default false */
  readonly cleanHtml?: boolean;
  readonly links: boolean;
  readonly listing: boolean;
  readonly branding: boolean;
  /** @default false */
  readonly product?: boolean;
  /** Extracts facts about the company whose site it is. @default false */
  readonly company?: boolean;
  /** Packs the page, with this data, for a technology scan. @default not packed */
  readonly scan?: ScanSurroundings;
  /** Makes the text of the page for a search index; needs `markdown`. @default false */
  readonly fullText?: boolean;
  /** Splits the Markdown, to compare it with that of other pages. @default false */
  readonly blocks?: boolean;
  readonly options: ContentOptions;
  /** Tenants take turns in the threads. Null: the page belongs to no tenant. */
  readonly tenantId: string | null;
  /** With a crawl: links are checked against its scope and keyed for its frontier. */
  readonly crawl: CrawlContext | null;
  /** No caller waits for it, although it belongs to no crawl. @default false */
  readonly isBackground?: boolean;
}

export interface ContentTask extends PageTask {
  /** CPU time limit of the conversion, milliseconds. */
  readonly maxCpuMs: number;
}

export interface ContentResult {
  readonly content: PageContent;
  readonly found: readonly FoundLink[];
  readonly company?: CompanyPage;
  readonly text?: FullText;
  /** Of the Markdown. */
  readonly blocks?: readonly PageBlock[];
  /** Gzipped JSON of a `ScanInput`. */
  readonly scanInput?: Uint8Array;
  /** The bytes were a document file, not a page. */
  readonly file?: FileOutcome;
}
