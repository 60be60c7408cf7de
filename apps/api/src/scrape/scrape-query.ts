import { PickType } from '@nestjs/swagger';
import { ParsedField } from '../http/fields.js';
import { invalidRequest } from '../http/invalid-request.js';
import { parseBody } from '../http/validation.pipe.js';
import { ScrapeRequest } from './scrape.dto.js';

const BOOLEANS = [
  'extractListing',
  'onlyMainContent',
  'removeBase64Images',
  'forceHeadless',
  'scroll',
  'preferMarkdown',
  'ignoreRobotsTxt',
] as const;
const NUMBERS = ['waitFor', 'maxAge', 'minAge', 'costCeiling'] as const;
const LISTS = ['includeTags', 'excludeTags'] as const;

/**
 * Parameters of GET /v1/scrape: the options of the body that fit into a URL. Cookies and headers do not: URLs are
 * logged.
 */
export class ScrapeQuery extends PickType(ScrapeRequest, [
  'url',
  ...LISTS,
  ...BOOLEANS,
  ...NUMBERS,
] as const) {
  @ParsedField({
    description: 'Two-letter code: as `location.country` of POST /v1/scrape.',
    schema: { type: 'string', pattern: '^[A-Za-z]{2}$' },
    example: 'DE',
  })
  country?: unknown;
}

/** The body that a query stands for. @throws ApiError */
export async function parseScrapeQuery(query: object): Promise<ScrapeRequest> {
  const fields = Object.fromEntries(
    Object.entries(query).map(([name, value]: [string, unknown]) => [name, fieldOf(name, value)]),
  );
  const { country, ...body } = await parseBody(ScrapeQuery, fields).catch(named);
  return Object.assign(new ScrapeRequest(), body, country == null ? {} : { location: { country } });
}

const has = (names: readonly string[], name: string): boolean => names.includes(name);

/** The value as the body has it; one of another type remains as it is, and its rule reports it. */
function fieldOf(name: string, value: unknown): unknown {
  if (has(LISTS, name)) return [value].flat().flatMap(entriesOf);
  if (Array.isArray(value)) throw invalidRequest(`\`${name}\` is given twice. Send it once`);
  if (has(BOOLEANS, name)) return value === 'true' || (value === 'false' ? false : value);
  if (has(NUMBERS, name) && typeof value === 'string' && /^\d{1,16}(?:\.\d{1,16})?$/.test(value))
    return Number(value);
  return value;
}

const entriesOf = (text: unknown): readonly string[] =>
  String(text)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The usual cause of an unknown parameter is an address with a query of its own. */
function named(error: unknown): never {
  if (error instanceof Error && error.message.startsWith('Unknown field'))
    throw invalidRequest(
      `${error.message.replace('Unknown field', 'Unknown parameter').replace(/ See .*/, '')} Percent-encode the value of \`url\`: its own query would be read as parameters`,
    );
  throw error;
}
