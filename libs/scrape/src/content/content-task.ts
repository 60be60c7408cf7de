import type { CompanyPage } from '@app/company';
import type { PageContent } from '@app/content';
import type { ContentOptions } from '@app/contracts';
import type { FoundLink } from '@app/crawl';
import type { FileOutcome } from '../files/file-reader.js';
import type { ScanSurroundings } from '../tech/scan-input.js';
import type { CpuClock } from '../threads/cpu-watch.js';
import type { CrawlContext } from './crawl-context.js';

/** One fetched page to convert. `body` is moved to the thread, not copied. */
export interface PageTask {
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
  /** Whose page it is: pages of several tenants are converted in turn. Null: of no tenant. */
  readonly tenantId: string | null;
  /** With a crawl: links are judged and keyed for its frontier. */
  readonly crawl: CrawlContext | null;
  /** Nobody waits for it, although it is of no crawl. @default false */
  readonly isPatient?: boolean;
}

export interface ContentTask extends PageTask {
  /** CPU time of the thread that the conversion may take, milliseconds. */
  readonly maxCpuMs: number;
  /** The thread enters it when the conversion begins. @default nobody watches it */
  readonly clock?: CpuClock;
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
