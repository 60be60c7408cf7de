import { ApiError } from '@app/contracts';
import { SEARCH_CATEGORIES } from '@app/search';
import { parseBody } from '../../http/validation.pipe.js';
import { SEARCH_MEDIA } from '../../search/search-fields.js';
import { SearchRequest } from '../../search/search.dto.js';
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
const MAX_NAMES = 20;

/** Fields that POST /v1/search has too, with the same rules. An empty value requests nothing. */
const SAME_FIELDS = ['query', 'limit', 'tbs', 'country', 'includeDomains', 'excludeDomains'];
const RULES = { honoured: [...SAME_FIELDS, 'categories', 'sources', 'scrapeOptions'] };

/** A search of /v2 in the terms of POST /v1/search. */
export interface V2Search {
  readonly request: SearchRequest;
  /** Sources that are not searched. */
  readonly unsupported: readonly string[];
}

/** @throws ApiError */
export async function parseV2Search(body: V2Fields, warnings: Warnings): Promise<V2Search> {
  const options = readOptions(body, RULES, warnings);
  integerOption(options['limit'], 'limit', { min: 1, max: MAX_LIMIT });
  const categories = namesOf(options['categories'], {
    name: 'categories',
    known: SEARCH_CATEGORIES,
    warnings,
  });
  const sources = namesOf(options['sources'], { name: 'sources', known: SEARCH_MEDIA, warnings });
  const same = SAME_FIELDS.filter((name) => name === 'query' || options[name] !== '');
  const request = await parseBody(SearchRequest, {
    ...Object.fromEntries(same.map((name) => [name, options[name]])),
    ...(categories.length > 0 ? { categories } : {}),
    ...scrapeFields(options['scrapeOptions'], warnings),
  });
  return { request, unsupported: sources.filter((source) => source !== 'web') };
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
function scrapeFields(
  value: unknown,
  warnings: Warnings,
): Pick<SearchRequest, 'scrapeResults'> & { readonly maxAge?: unknown } {
  const rules = { honoured: HONOURED, refused: REFUSED_ON_PAGES, at: 'scrapeOptions.' };
  const sent = objectOption(value, 'scrapeOptions');
  const { formats, actions, maxAge } = readOptions(sent, rules, warnings);
  if (isOn(actions)) {
    const problem = '`scrapeOptions.actions` do not run on search results';
    throw new ApiError('unsupported_action', { problem });
  }
  requireMarkdown(formats, 'scrapeOptions.formats', warnings);
  return isOn(formats)
    ? { scrapeResults: true, ...(maxAge === undefined ? {} : { maxAge }) }
    : { scrapeResults: false };
}

/** The last two describe what a search does with every page. */
const HONOURED = ['formats', 'actions', 'maxAge', 'onlyMainContent', 'removeBase64Images'];
