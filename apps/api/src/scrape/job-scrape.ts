import { PickType } from '@nestjs/swagger';
import { DEFAULT_JOB_SCRAPE, JOB_FORMATS, ApiError, type JobScrape } from '@app/contracts';
import { BooleanField, ChoicesField } from '../http/fields.js';
import { invalidRequest } from '../http/invalid-request.js';
import { parseBody } from '../http/validation.pipe.js';
import { contentOptions, parseFetchOptions } from './parse-fetch-options.js';
import { formatNames, PASSAGES_ENTRY, wantedParts, type PassagesEntry } from './format-entries.js';
import { ScrapeRequest } from './scrape.dto.js';

/** `scrapeOptions` of a job: the scrape options of each page. Fields are those of POST /v1/scrape. */
export class JobScrapeFields extends PickType(ScrapeRequest, [
  'includeHtml',
  'listingProvenance',
  'onlyMainContent',
  'includeTags',
  'excludeTags',
  'removeBase64Images',
  'linkStyle',
  'maxTokens',
  'forceHeadless',
  'waitFor',
  'scroll',
  'preferMarkdown',
  'blockAds',
  'cookies',
  'profile',
  'headers',
  'location',
] as const) {
  @ChoicesField({
    description:
      'Outputs stored for each page, as fields of its result. Outputs that need a model are for single pages only.',
    choices: JOB_FORMATS,
    object: PASSAGES_ENTRY,
    fallback: [...DEFAULT_JOB_SCRAPE.formats],
    example: ['markdown', 'links'],
  })
  formats?: (JobScrape['formats'][number] | PassagesEntry)[];

  @BooleanField({
    description: 'Read the business listing of each page, as `listing` of its result.',
    fallback: DEFAULT_JOB_SCRAPE.listing,
  })
  extractListing?: boolean;

  @BooleanField({
    description:
      'Leave out of the Markdown of a page what many earlier pages of its host have, too, such as navigation; `dropped_repeated` of its result counts it.',
    fallback: false,
  })
  dropRepeated?: boolean;
}

/** @throws ApiError */
export async function parseJobScrape(value: unknown): Promise<JobScrape> {
  if (value === undefined || value === null) return DEFAULT_JOB_SCRAPE;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidRequest('`scrapeOptions` must be an object');
  }
  const problem = notForJobs(value);
  if (problem !== null) throw invalidRequest(problem);
  try {
    return jobScrapeOf(await parseBody(JobScrapeFields, value));
  } catch (error) {
    throw within(error);
  }
}

function jobScrapeOf(fields: JobScrapeFields): JobScrape {
  const formats = formatNames(fields.formats) ?? DEFAULT_JOB_SCRAPE.formats;
  const parts = wantedParts(fields);
  if (fields.dropRepeated && Object.keys(parts).length > 0) throw invalidRequest(NOT_DROPPED);
  const isSourceWanted = fields.includeHtml === true && !formats.includes('rawHtml');
  return {
    formats: isSourceWanted ? [...formats, 'rawHtml'] : formats,
    listing: fields.extractListing ?? DEFAULT_JOB_SCRAPE.listing,
    listingProvenance: fields.listingProvenance ?? DEFAULT_JOB_SCRAPE.listingProvenance,
    fetch: parseFetchOptions(fields),
    content: contentOptions(fields),
    ...(fields.dropRepeated ? { dropRepeated: true } : {}),
    ...parts,
  };
}

const NOT_DROPPED =
  '`dropRepeated` does not go with passages or `maxTokens`: parts of a page are found in all of its Markdown. Leave out one of them';

const OF_A_MODEL: ReadonlySet<unknown> = new Set(['json', 'summary']);

/** A field that a scrape has and a job lacks gets an explanation. */
function notForJobs(value: object): string | null {
  if ('actions' in value) {
    return '`scrapeOptions.actions` is not supported: a job only loads its pages. Use POST /v1/scrape for a page that needs actions';
  }
  if ('url' in value)
    return '`scrapeOptions`: Unknown field `url`: a job takes its URLs from the crawl or batch';
  const formats = 'formats' in value && Array.isArray(value.formats) ? value.formats : [];
  const model = formats.find((format: unknown) => OF_A_MODEL.has(format)) as string | undefined;
  return model === undefined
    ? null
    : `\`scrapeOptions.formats\` must not contain ${model}: it needs a model for every page. Use POST /v1/extract or POST /v1/scrape for single pages`;
}

/** Names the field as the caller sent it. */
function within(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') return error;
  return invalidRequest(`\`scrapeOptions\`: ${error.message}`);
}
