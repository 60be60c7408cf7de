import { JOB_FORMATS, type JobScrape } from '@app/contracts';
import type { CrawlOptions } from '@app/jobs';
import { invalidRequest } from '../http/invalid-request.js';
import { contentOptions, parseFetchOptions } from '../scrape/parse-fetch-options.js';
import { SYNC_ONLY, type BatchRequest } from './batch.dto.js';

/** Scrape options for the pages of an async batch. @throws ApiError that names an option only a sync batch has */
export function jobOptions(body: BatchRequest): CrawlOptions {
  const field = SYNC_ONLY.find((name) => isSet(body[name]));
  if (field !== undefined) throw syncOnly(`\`${field}\``);
  return {
    // No links are followed.
    maxDepth: 0,
    includePaths: [],
    excludePaths: [],
    allowBackwardLinks: false,
    sitemap: 'skip',
    ignoreRobotsTxt: body.ignoreRobotsTxt ?? false,
    scrape: jobScrape(body),
    ...(body.index ? { index: true } : {}),
  };
}

/** An empty list of actions and `maxAge: 0` are what a job does anyway. */
function isSet(value: unknown): boolean {
  const isNone = Array.isArray(value) && value.length === 0;
  return value !== undefined && value !== null && value !== 0 && !isNone;
}

/** The defaults of a sync batch: `async` does not change the content. */
function jobScrape(body: BatchRequest): JobScrape {
  const formats = (body.formats ?? ['markdown']).map(jobFormat);
  const isSourceMissing = body.includeHtml === true && !formats.includes('rawHtml');
  return {
    formats: isSourceMissing ? [...formats, 'rawHtml'] : formats,
    listing: body.extractListing ?? true,
    listingProvenance: body.listingProvenance ?? false,
    fetch: parseFetchOptions(body),
    content: contentOptions(body),
  };
}

function jobFormat(format: string): JobScrape['formats'][number] {
  const known = JOB_FORMATS.find((one) => one === format);
  if (known === undefined) throw syncOnly(`format ${format}`);
  return known;
}

function syncOnly(what: string): Error {
  return invalidRequest(`${what} does not go with \`async: true\`. Leave out one of them`);
}

/** @throws ApiError for options that only an async batch has */
export function refuseJobFields({ webhook, webhookUrl, index }: BatchRequest): void {
  if (index === true)
    throw invalidRequest('`index` needs `async: true`: the pages of a sync batch are not stored');
  if (webhook == null && webhookUrl == null) return;
  const name = webhook == null ? 'webhookUrl' : 'webhook';
  throw invalidRequest(
    `\`${name}\` needs \`async: true\`: a sync batch returns its results in the response`,
  );
}
