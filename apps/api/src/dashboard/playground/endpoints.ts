import type { OpenAPIObject } from '@nestjs/swagger';
import { presentPrices } from '../../accounts/pricing/present-pricing.js';
import { documentedObjects, documentedOperations } from '../../public/documented-operations.js';
import { requestFormOf, type RequestForm } from './request-form.js';

/** An endpoint that the playground sends requests to. */
export interface Endpoint extends RequestForm {
  readonly id: string;
  readonly title: string;
  /** Names of the fields that are shown at once; the others are folded. */
  readonly short: readonly string[];
  /** What an untouched form holds. */
  readonly prefilled: Body;
}

type Body = Readonly<Record<string, unknown>>;

/** Who starts a crawl here looks at its pages, and searches them. */
const PREFILLED: ReadonlyMap<string, Body> = new Map([['startCrawl', { index: true }]]);

/** In the order of the menu: operation, title, fields of the short form. A test compares them with the API's description. */
const LISTED: readonly (readonly [string, string, string])[] = [
  ['scrape', 'Scrape', 'url formats onlyMainContent forceHeadless'],
  [
    'startCrawl',
    'Crawl',
    'url maxPages includePaths scrapeOptions.formats scrapeOptions.onlyMainContent index',
  ],
  ['map', 'Map', 'url search limit'],
  ['batch', 'Batch', 'urls formats onlyMainContent'],
  ['extract', 'Extract', 'url schema'],
  ['search', 'Search', 'query limit scrapeResults'],
  ['screenshot', 'Screenshot', 'url fullPage width mobile'],
  ['parse', 'Parse', 'url format'],
  ['enrich', 'Enrich', 'domain maxPages'],
  ['brand', 'Brand', 'domain'],
  ['resolve', 'Resolve', 'domain name email'],
  ['scrapeMaps', 'Maps', 'query location'],
  ['scrapeReviews', 'Reviews', 'query location'],
  ['scrapeListings', 'Listings', 'query location'],
  ['scrapeDirectory', 'Directory', 'urls'],
];

/** Those that this service has. */
export function endpointsOf(description: OpenAPIObject): readonly Endpoint[] {
  const operations = new Map(
    documentedOperations(description).map((one) => [one.operationId, one] as const),
  );
  const schemas = documentedObjects(description);
  return LISTED.flatMap(([id, title, short]) => {
    const operation = operations.get(id);
    if (operation === undefined) return [];
    const prefilled = PREFILLED.get(id) ?? {};
    return [
      { ...requestFormOf(operation, schemas), id, title, short: short.split(' '), prefilled },
    ];
  });
}

/** The names of how many there may be; the first that is given counts. */
const LIMITS = ['limit', 'maxPages'];

/** What a request costs at most, as a sentence. Prices are those of GET /v1/pricing. */
export function costText({ operation, fields }: Endpoint, body: Body): string {
  const price = presentPrices(() => true).find(({ path }) => path === operation.path);
  if (price === undefined) return 'Free.';
  const { credits, unit, note } = price;
  const given = LIMITS.map((name) => body[name]);
  const taken = LIMITS.map((name) => fields.find((field) => field.name === name)?.fallback);
  const limit = [...given, ...taken].find((value) => typeof value === 'number') ?? 1;
  const count = countOf(unit, { urls: body['urls'], limit });
  const total = count * credits;
  const sum = `At most ${total} ${total === 1 ? 'credit' : 'credits'}`;
  const each = count > 1 ? `: ${credits} for each ${unit}` : '';
  return [`${sum}${each}.`, note ?? ''].join(' ').trim();
}

function countOf(
  unit: string,
  { urls, limit }: { readonly urls: unknown; readonly limit: number },
): number {
  if (Array.isArray(urls)) return urls.length;
  if (unit === '10 results') return Math.ceil(limit / 10);
  return unit === 'page' || unit === 'row' ? limit : 1;
}
