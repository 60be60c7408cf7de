import type { FileResult, FullText, PictureOptions, sniffFile } from '@app/content';
import type { Chunk, PageOutputs } from '@app/contracts';
import type { FoundLink } from '@app/crawl';
import type { CrawlContext } from '../content/crawl-context.js';

/** What is known of a document file beside its bytes: its declared type and its name. */
export type DeclaredFile = NonNullable<Parameters<typeof sniffFile>[1]>;

/** The bytes of a document file to read. `body` is moved to the thread. */
export interface ReadTask {
  readonly body: Uint8Array;
  readonly hint: DeclaredFile;
  readonly maxPages: number;
  /** At this time the text read so far is the result. */
  readonly budgetMs: number;
  /** As `budgetMs`, in CPU time. */
  readonly maxCpuMs: number;
  readonly outputs: PageOutputs;
  /** Page images are rendered if the pages have no text; null: they are not. */
  readonly pictures: PictureOptions | null;
  readonly crawl: CrawlContext | null;
}

export interface FileReadResult {
  readonly result: FileResult;
  readonly chunks?: readonly Chunk[];
  readonly text?: FullText;
  readonly found: readonly FoundLink[];
}
