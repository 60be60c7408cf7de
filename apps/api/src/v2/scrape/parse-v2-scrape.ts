import type { ScrapeExtras } from '../../scrape/scrape.service.js';
import { MAX_AGE_MS, ScrapeRequest } from '../../scrape/scrape.dto.js';
import { parseBody } from '../../http/validation.pipe.js';
import { parseV2Actions } from '../options/actions.js';
import { parseFormats, type RequestedFormats } from '../options/formats.js';
import {
  booleanOption,
  integerOption,
  readOptions,
  type V2Fields,
} from '../options/read-options.js';
import { withScheme } from '../options/target.js';
import type { Warnings } from '../options/warnings.js';

/** Options of the content, as a scrape and the pages of a job have them. */
export const CONTENT_OPTIONS = [
  'onlyMainContent',
  'includeTags',
  'excludeTags',
  'removeBase64Images',
] as const;

/** Options that no page of /v2 has, with the reason. */
export const REFUSED_ON_PAGES: Readonly<Record<string, string>> = {
  redactPII: 'personal data is not redacted',
  lockdown: 'pages are always fetched from their sites',
  profile: 'browser profiles are not stored',
};

/** A scrape of /v2 in the terms of POST /v1/scrape. */
export interface V2Scrape {
  readonly request: ScrapeRequest;
  readonly extras: ScrapeExtras;
  readonly formats: RequestedFormats;
  /** The URL as sent. */
  readonly sourceUrl: string;
}

/** @throws ApiError */
export async function parseV2Scrape(body: V2Fields, warnings: Warnings): Promise<V2Scrape> {
  const rules = {
    honoured: [
      'url',
      'formats',
      'headers',
      'waitFor',
      'blockAds',
      'maxAge',
      'minAge',
      'actions',
      ...CONTENT_OPTIONS,
    ],
    refused: REFUSED_ON_PAGES,
  };
  const options = readOptions(body, rules, warnings);
  const formats = parseFormats(options['formats'], warnings);
  const actions = parseV2Actions(options['actions'], warnings);
  const { url, headers, waitFor, blockAds, minAge } = options;
  const request = await parseBody(ScrapeRequest, {
    ...{ url: withScheme(url), headers, waitFor, blockAds, minAge, maxAge: maxAgeOf(options) },
    ...contentOf(options),
    extractListing: false,
    ...(formats.schema === undefined ? {} : { schema: formats.schema }),
  });
  request.formats = [...formats.formats];
  const extras = {
    cleanHtml: formats.names.has('html'),
    ...(formats.shot ? { shot: formats.shot } : {}),
    ...(actions ? { actions } : {}),
  };
  return { request, extras, formats, sourceUrl: String(url) };
}

/** Both are on by default under /v2. */
export function contentOf({
  onlyMainContent,
  includeTags,
  excludeTags,
  removeBase64Images,
}: V2Fields): V2Fields {
  return {
    onlyMainContent: booleanOption(onlyMainContent, 'onlyMainContent') ?? true,
    removeBase64Images: booleanOption(removeBase64Images, 'removeBase64Images') ?? true,
    includeTags,
    excludeTags,
  };
}

/**
 * A caller that accepts older copies than are kept accepts all that are.
 * @param at the object that holds the options, such as `scrapeOptions.`
 */
export function maxAgeOf({ maxAge }: V2Fields, at = ''): number | undefined {
  const bounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
  const ms = integerOption(maxAge, `${at}maxAge`, bounds);
  return ms === undefined ? undefined : Math.min(ms, MAX_AGE_MS);
}
