import type { FileResult, PictureOptions } from '@app/content';
import type { Chunk } from '@app/contracts';
import type { FoundLink } from '@app/store';
import type { CrawlContext } from '../content/crawl-context.js';

/** What a file thread is asked: the bytes of a PDF or DOCX. `body` is moved to the thread. */
export interface FileTask {
  readonly body: Uint8Array;
  readonly maxPages: number;
  /** What was read of the text until then is the answer. */
  readonly budgetMs: number;
  readonly chunks: boolean;
  /** Pictures of the pages are made when there is no text on them; null: not. */
  readonly pictures: PictureOptions | null;
  readonly crawl: CrawlContext | null;
}

export interface FileThreadResult {
  readonly result: FileResult;
  readonly chunks?: readonly Chunk[];
  readonly found: readonly FoundLink[];
}
