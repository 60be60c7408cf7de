import type { FileResult, FullText, PictureOptions } from '@app/content';
import type { Chunk, PageOutputs } from '@app/contracts';
import type { FoundLink } from '@app/crawl';
import type { CrawlContext } from '../content/crawl-context.js';

/** The bytes of a PDF or DOCX to read. `body` is moved to the thread. */
export interface ReadTask {
  readonly body: Uint8Array;
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
