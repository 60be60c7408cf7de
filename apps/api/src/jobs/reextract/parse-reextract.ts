import {
  JOB_FORMATS,
  type ContentOptions,
  type JobFormat,
  type JobScrape,
  type LlmRequest,
  type StoredForm,
} from '@app/contracts';
import { invalidRequest } from '../../http/invalid-request.js';
import { hasSchema, parseModelRequest, type ModelCaller } from '../../models/model-request.js';
import { contentOptions } from '../../scrape/parse-fetch-options.js';
import type { ReextractRequest } from './reextract.dto.js';

/** What is to be made of each stored page. */
export interface ReextractAsk {
  /** Those without a model. */
  readonly formats: readonly JobFormat[];
  readonly listing: boolean;
  readonly content: ContentOptions;
  /** Null: no model is asked. */
  readonly llm: LlmRequest | null;
}

/** @throws Refusal */
export function parseReextract(body: ReextractRequest, caller: ModelCaller): ReextractAsk {
  const llm = llmRequest(body, caller);
  const formats = JOB_FORMATS.filter((format) => body.formats?.some((one) => one === format));
  const isNothingElse = llm === null && formats.length === 0;
  const listing = body.extractListing ?? isNothingElse;
  if (isNothingElse && !listing)
    throw invalidRequest('Nothing is asked for: name `formats`, a `schema`, or `extractListing`');
  return { formats, listing, content: contentOptions(body), llm };
}

/** As with POST /v1/extract a schema asks for JSON by itself. Without one its form is free. */
function llmRequest(body: ReextractRequest, caller: ModelCaller): LlmRequest | null {
  const json = hasSchema(body) || (body.formats?.includes('json') ?? false);
  const summary = body.formats?.includes('summary') ?? false;
  return parseModelRequest(body, { json, summary, complexity: body.complexity }, caller);
}

const CURE = 'crawl again with `rawHtml` in `scrapeOptions.formats`';

/**
 * What the pages of a job are read from.
 * @throws Refusal that names what cannot be made of what the job kept, and what to do about it
 */
export function storedFormFor(ask: ReextractAsk, kept: Pick<JobScrape, 'formats'>): StoredForm {
  if (kept.formats.includes('rawHtml')) return 'html';
  if (!kept.formats.includes('markdown'))
    throw invalidRequest(
      `This job kept neither the source nor the Markdown of its pages, so nothing can be made of them: ${CURE}`,
    );
  const missing = needingSource(ask);
  if (missing.length > 0)
    throw invalidRequest(
      `${missing.map((name) => `\`${name}\``).join(', ')} cannot be had: this job kept the Markdown of its pages and not their source. Leave out what needs it, or ${CURE}`,
    );
  return 'markdown';
}

/** Names of what only the source of a page tells. */
function needingSource({ formats, content }: ReextractAsk): string[] {
  const { onlyMainContent, includeTags, excludeTags, removeBase64Images } = content;
  return [
    ...formats.filter((format) => format !== 'markdown'),
    ...(onlyMainContent ? ['onlyMainContent'] : []),
    ...(includeTags.length > 0 ? ['includeTags'] : []),
    ...(excludeTags.length > 0 ? ['excludeTags'] : []),
    ...(removeBase64Images ? ['removeBase64Images'] : []),
  ];
}
