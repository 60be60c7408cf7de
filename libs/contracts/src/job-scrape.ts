import {
  type ContentOptions,
  DEFAULT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  type FetchOptions,
} from './fetch-options.js';
import type { JOB_FORMATS } from './page-outputs.js';
import type { WantedParts } from './passages.js';

/** How the pages of a crawl or batch are scraped; stored with the job. */
export interface JobScrape extends WantedParts {
  readonly formats: readonly (typeof JOB_FORMATS)[number][];
  /** Runs the listing cascade. */
  readonly listing: boolean;
  /** Keeps where each field of the listing was found. */
  readonly listingProvenance: boolean;
  readonly fetch: FetchOptions;
  readonly content: ContentOptions;
  /** Leaves out of a page's Markdown what earlier pages of its host have, too. @default false */
  readonly dropRepeated?: boolean;
}

export const DEFAULT_JOB_SCRAPE: JobScrape = {
  formats: ['markdown'],
  listing: false,
  listingProvenance: false,
  fetch: DEFAULT_FETCH_OPTIONS,
  content: DEFAULT_CONTENT_OPTIONS,
};

/**
 * Form in which a stored page is read: its source, where the job kept it, has more detail than
 * Markdown.
 */
export type StoredForm = 'html' | 'markdown';

/** Input and model request of an `extract` job; stored with the job. */
export interface JobExtract {
  /** The job with the documents to read. */
  readonly sourceJobId: string;
  readonly storedForm: StoredForm;
  /**
   * JSON text of an `LlmRequest`; null: no model runs. As text, because the database neither keeps
   * the order of an object's keys nor takes every string that a schema may hold.
   */
  readonly llm: string | null;
}

/** Why a stored page could not be read. Its other failures are error classes and problems of the model. */
export type StoredProblem = 'source_expired' | 'source_unreadable';
