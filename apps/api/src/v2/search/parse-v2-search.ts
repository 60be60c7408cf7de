import { ApiError } from '@app/contracts';
import { invalidRequest } from '../../http/invalid-request.js';
import { requireMarkdown } from '../options/formats.js';
import {
  arrayOption,
  integerOption,
  isOn,
  objectOption,
  readOptions,
  type V2Fields,
} from '../options/read-options.js';
import type { Warnings } from '../options/warnings.js';
import { REFUSED_ON_PAGES } from '../scrape/parse-v2-scrape.js';

const MAX_LIMIT = 100;
const MAX_QUERY_CHARS = 2_048;
const MAX_DOMAINS = 20;
const MAX_DOMAIN_CHARS = 253;
const MAX_NAMES = 20;
const TBS = /^[a-z0-9:,_./-]{1,100}$/i;

const SOURCES = ['web', 'news', 'images'] as const;
const CATEGORIES = ['github', 'research', 'pdf'] as const;

const RULES = {
  honoured: [
    'query',
    'limit',
    'tbs',
    'country',
    'includeDomains',
    'excludeDomains',
    'categories',
    'sources',
    'scrapeOptions',
  ],
};

/** A search of /v2 in the terms of POST /v1/search. */
export interface V2Search {
  readonly query: string;
  readonly limit?: number;
  readonly tbs?: string;
  readonly country?: string;
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
  readonly categories: readonly (typeof CATEGORIES)[number][];
  /** Adds the Markdown of each page. */
  readonly scrapeResults: boolean;
  /** Sources that are not searched. */
  readonly unsupported: readonly string[];
}

/** @throws ApiError */
export function parseV2Search(body: V2Fields, warnings: Warnings): V2Search {
  const options = readOptions(body, RULES, warnings);
  const { query, limit, tbs, country } = options;
  if (typeof query !== 'string' || query.trim() === '') throw invalidRequest('`query` is required');
  if (query.length > MAX_QUERY_CHARS)
    throw invalidRequest(`\`query\` is longer than ${MAX_QUERY_CHARS} characters`);
  const most = integerOption(limit, 'limit', { min: 1, max: MAX_LIMIT });
  const sources = namesOf(options['sources'], { name: 'sources', known: SOURCES, warnings });
  return {
    query,
    ...(most === undefined ? {} : { limit: most }),
    ...optionalText('tbs', tbs, TBS),
    ...optionalText('country', country, /^[a-z]{2}$/i),
    includeDomains: domainsOf(options['includeDomains'], 'includeDomains'),
    excludeDomains: domainsOf(options['excludeDomains'], 'excludeDomains'),
    categories: namesOf(options['categories'], { name: 'categories', known: CATEGORIES, warnings }),
    scrapeResults: scrapesResults(options['scrapeOptions'], warnings),
    unsupported: sources.filter((source) => source !== 'web'),
  };
}

function optionalText(name: string, value: unknown, rule: RegExp): Record<string, string> {
  if (value === undefined || value === '') return {};
  if (typeof value === 'string' && rule.test(value)) return { [name]: value };
  throw invalidRequest(`\`${name}\` is not valid`);
}

function domainsOf(value: unknown, name: string): readonly string[] {
  if (!isOn(value)) return [];
  return arrayOption(value, name, MAX_DOMAINS).map((entry) => {
    if (typeof entry === 'string' && entry !== '' && entry.length <= MAX_DOMAIN_CHARS) return entry;
    throw invalidRequest(`\`${name}\` must be an array of domains`);
  });
}

/** Names, or objects with a `type`. Unknown ones are ignored and named. */
function namesOf<Name extends string>(
  value: unknown,
  { name, known, warnings }: { name: string; known: readonly Name[]; warnings: Warnings },
): Name[] {
  if (!isOn(value)) return [];
  const found = arrayOption(value, name, MAX_NAMES).flatMap((entry) => {
    const { type, ...options } =
      typeof entry === 'string' ? { type: entry } : (objectOption(entry, `${name}[]`) as V2Fields);
    if (typeof type !== 'string')
      throw invalidRequest(`\`${name}\` must hold names, or objects with a \`type\``);
    readOptions(options, { honoured: [], at: `${name}.` }, warnings);
    const one = known.find((each) => each === type);
    if (one === undefined) warnings.ignore(type, `${name}.`);
    return one === undefined ? [] : [one];
  });
  return [...new Set(found)];
}

/** Missing or empty formats request no scrape. */
function scrapesResults(value: unknown, warnings: Warnings): boolean {
  const rules = { honoured: ['formats', ...MET], refused: REFUSED_ON_PAGES, at: 'scrapeOptions.' };
  const { formats, actions } = readOptions(
    objectOption(value, 'scrapeOptions'),
    { ...rules, honoured: [...rules.honoured, 'actions'] },
    warnings,
  );
  if (isOn(actions)) {
    const problem = '`scrapeOptions.actions` do not run on search results';
    throw new ApiError('unsupported_action', { problem });
  }
  requireMarkdown(formats, 'scrapeOptions.formats', warnings);
  return isOn(formats);
}

/** Met by every fetch of a result. */
const MET = ['maxAge', 'onlyMainContent', 'removeBase64Images'];
