import type { CompanyPage } from '@app/company';
import type { PageContent } from '@app/content';
import type { ContentOptions } from '@app/contracts';
import type { FoundLink } from '@app/store';
import type { FileOutcome } from '../files/file-reader.js';
import type { ScanSurroundings } from '../tech/scan-input.js';
import type { CrawlContext } from './crawl-context.js';

/** What a content thread is asked: one fetched page. `body` is moved to the thread, not copied. */
export interface ContentTask {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  readonly url: string;
  readonly isCut: boolean;
  readonly markdown: boolean;
  readonly rawHtml: boolean;
  readonly links: boolean;
  readonly listing: boolean;
  readonly branding: boolean;
  /** Reads what the page says of the company whose site it is on. @default false */
  readonly company?: boolean;
  /** Packs the page, with these, for a technology scan. @default not packed */
  readonly scan?: ScanSurroundings;
  readonly options: ContentOptions;
  /** With a crawl: links are judged and keyed for its frontier. */
  readonly crawl: CrawlContext | null;
  /** Nobody waits for it, although it is of no crawl. @default false */
  readonly isPatient?: boolean;
}

export interface ContentResult {
  readonly content: PageContent;
  readonly found: readonly FoundLink[];
  readonly company?: CompanyPage;
  /** Gzipped JSON of a `ScanInput`. */
  readonly scanInput?: Uint8Array;
  /** The bytes were a document, not a page. */
  readonly file?: FileOutcome;
}
