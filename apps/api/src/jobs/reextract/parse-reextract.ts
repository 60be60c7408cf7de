import {
  JOB_FORMATS,
  type ContentOptions,
  type JobScrape,
  type LlmRequest,
  type StoredForm,
} from '@app/contracts';
import { invalidRequest } from '../../http/invalid-request.js';
import { hasSchema, parseModelRequest, type ModelCaller } from '../../models/model-request.js';
import { contentOptions } from '../../scrape/parse-fetch-options.js';
import type { ReextractRequest } from './reextract.dto.js';

/** The requested outputs of each stored page. */
export interface ReextractOptions {
  /** Outputs without a model. */
  readonly formats: JobScrape['formats'];
  readonly listing: boolean;
  readonly content: ContentOptions;
  /** Null: no model is used. */
  readonly llm: LlmRequest | null;
}

/** @throws ApiError */
export function parseReextract(body: ReextractRequest, caller: ModelCaller): ReextractOptions {
  const llm = llmRequest(body, caller);
  const formats = JOB_FORMATS.filter((format) => body.formats?.some((one) => one === format));
  const isNothingElse = llm === null && formats.length === 0;
  const listing = body.extractListing ?? isNothingElse;
  if (isNothingElse && !listing)
    throw invalidRequest('Nothing is requested: set `formats`, a `schema`, or `extractListing`');
  return { formats, listing, content: contentOptions(body), llm };
}

/** As with POST /v1/extract, a schema implies JSON. Without one its form is free. */
function llmRequest(body: ReextractRequest, caller: ModelCaller): LlmRequest | null {
  const json = hasSchema(body) || (body.formats?.includes('json') ?? false);
  const summary = body.formats?.includes('summary') ?? false;
  return parseModelRequest(body, { json, summary, complexity: body.complexity }, caller);
}

const CURE = 'crawl again with `rawHtml` in `scrapeOptions.formats`';

/**
 * Which stored form of the pages to read.
 * @throws ApiError that names the outputs the stored form cannot provide, and the solution
 */
export function storedFormFor(
  options: ReextractOptions,
  kept: Pick<JobScrape, 'formats'>,
): StoredForm {
  if (kept.formats.includes('rawHtml')) return 'html';
  if (!kept.formats.includes('markdown'))
    throw invalidRequest(
      `This job stored neither the source nor the Markdown of its pages, so nothing can be extracted: ${CURE}`,
    );
  const missing = needingSource(options);
  if (missing.length > 0)
    throw invalidRequest(
      `${missing.map((name) => `\`${name}\``).join(', ')} not available: this job stored the Markdown of its pages, but not their source. Remove the outputs that need the source, or ${CURE}`,
    );
  return 'markdown';
}

/** Outputs that need the source of a page. */
function needingSource({ formats, content }: ReextractOptions): string[] {
  const { onlyMainContent, includeTags, excludeTags, removeBase64Images } = content;
  return [
    ...formats.filter((format) => format !== 'markdown'),
    ...(onlyMainContent ? ['onlyMainContent'] : []),
    ...(includeTags.length > 0 ? ['includeTags'] : []),
    ...(excludeTags.length > 0 ? ['excludeTags'] : []),
    ...(removeBase64Images ? ['removeBase64Images'] : []),
  ];
}
