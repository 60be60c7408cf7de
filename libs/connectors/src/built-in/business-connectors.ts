import { businessRow } from '../businesses/business-rows.js';
import { SCRAPERS, type BusinessCursor, type ScraperName } from '../businesses/business-task.js';
import { businessKey } from '../businesses/merged-businesses.js';
import type { Business } from '../businesses/business.js';
import type {
  Connector,
  ConnectorContext,
  ConnectorInput,
  ConnectorMatch,
  ConnectorParams,
  ConnectorRow,
  ObjectSchema,
} from '../port/connector.js';
import { usdPerRecord } from '../port/record-price.js';
import { textOfParam } from './list-params.js';
import {
  BOOLEAN,
  INTEGER,
  NUMBER,
  OBJECT,
  paramsSchema,
  rowSchema,
  STRING,
  textParam,
  STRINGS,
  URI,
} from './row-schemas.js';

const CONTACT = {
  name: STRING,
  address: STRING,
  phone: STRING,
  rating: NUMBER,
  review_count: INTEGER,
};

const ROWS: Readonly<Record<ScraperName, ObjectSchema['properties']>> = {
  maps: {
    ...CONTACT,
    ...{ category: STRING, hours: OBJECT, website: URI, maps_url: URI },
    mock: BOOLEAN,
  },
  reviews: {
    ...CONTACT,
    ...{ price_range: STRING, categories: STRINGS, is_open_now: BOOLEAN, reviews_url: URI },
  },
  listings: { ...CONTACT, category: STRING, website: URI, directory_url: URI },
};
const PAGES: Readonly<Record<ScraperName, string>> = {
  maps: 'maps_url',
  reviews: 'reviews_url',
  listings: 'directory_url',
};
const TITLES: Readonly<Record<ScraperName, readonly [title: string, description: string]>> = {
  maps: ['Local businesses (maps)', 'Businesses of a kind in a place, from a maps directory.'],
  reviews: ['Local businesses (reviews)', 'Businesses with ratings, from a reviews site.'],
  listings: ['Local businesses (phone book)', 'Businesses from a phone-book directory.'],
};
/** Words by which a request names a scraper. */
const NAMED: Readonly<Record<ScraperName, RegExp>> = {
  maps: /\bmaps?\b/i,
  reviews: /\b(?:reviews?|reviewed|ratings?|rated|best|top|stars?)\b/i,
  listings: /\b(?:phone ?book|yellow pages|directory listings?)\b/i,
};

/** Businesses that one search of a run fetches. */
const PART = 100;
const SAMPLE = 10;

/** The search scrapers as connectors. */
export const BUSINESS_CONNECTORS: readonly Connector[] = SCRAPERS.map(connectorOf);

function connectorOf(scraper: ScraperName): Connector {
  const [title, description] = TITLES[scraper];
  const required = scraper === 'maps' ? ['query'] : ['query', 'location'];
  return {
    id: scraper,
    title,
    description,
    params: paramsSchema(
      {
        query: textParam('Kind of business, or a name, such as dentists.'),
        location: textParam('Town or region, such as Austin, TX.'),
        has_website: {
          type: 'boolean',
          description: 'Only businesses with a website, or without.',
        },
        has_phone: { type: 'boolean', description: 'Only businesses with a telephone number.' },
        min_rating: { type: 'number', minimum: 0, maximum: 10, description: 'Lowest rating.' },
      },
      required,
    ),
    schema: rowSchema(ROWS[scraper], ['name']),
    pricePerRecordUsd: usdPerRecord(1),
    keyOf: (row) => keyOfRow(scraper, row),
    match: (input) => matchOf(scraper, input),
    async preview(params, context) {
      const { businesses, next, isMock, costMicroUsd } = await context.sources.findBusinesses({
        ...searchOf(scraper, params),
        limit: SAMPLE,
        from: null,
      });
      context.addCost(costMicroUsd);
      const kept = businesses.filter((one) => isWanted(one, params));
      const estimatedRows = next === null ? kept.length : null;
      const rows = kept.map((one) => rowOf(scraper, one, isMock));
      return { rows, estimatedRows, ...(isMock ? { isMock } : {}) };
    },
    run: (params, context) => rowsOf(scraper, params, context),
  };
}

async function* rowsOf(
  scraper: ScraperName,
  params: ConnectorParams,
  { sources, addCost, maxRows }: ConnectorContext,
): AsyncGenerator<ConnectorRow> {
  const seen = new Set<string>();
  let from: BusinessCursor | null = null;
  do {
    const search = { ...searchOf(scraper, params), limit: Math.max(PART, maxRows), from };
    const found = await sources.findBusinesses(search);
    addCost(found.costMicroUsd);
    const before = seen.size;
    for (const one of found.businesses) {
      const key = businessKey(one);
      if (seen.has(key)) continue;
      seen.add(key);
      if (isWanted(one, params)) yield rowOf(scraper, one, found.isMock);
    }
    // A source that repeats its pages would never end.
    from = seen.size > before ? found.next : null;
  } while (from !== null);
}

function searchOf(scraper: ScraperName, params: ConnectorParams) {
  const location = textOfParam(params, 'location');
  return { scraper, query: textOfParam(params, 'query') ?? '', location };
}

function rowOf(scraper: ScraperName, business: Business, isMock: boolean): ConnectorRow {
  return { ...businessRow(scraper, business), ...(isMock ? { mock: true } : {}) };
}

function isWanted({ website, phone, rating }: Business, params: ConnectorParams): boolean {
  const { has_website: hasWebsite, has_phone: hasPhone, min_rating: least } = params;
  if (typeof hasWebsite === 'boolean' && (website !== undefined) !== hasWebsite) return false;
  if (typeof hasPhone === 'boolean' && (phone !== undefined) !== hasPhone) return false;
  return typeof least !== 'number' || (rating !== undefined && rating >= least);
}

function keyOfRow(scraper: ScraperName, row: ConnectorRow): string {
  const text = (name: string) => (typeof row[name] === 'string' ? { [name]: row[name] } : {});
  const page = row[PAGES[scraper]];
  return businessKey({
    name: String(row['name']),
    ...text('phone'),
    ...text('address'),
    ...(typeof page === 'string' ? { page } : {}),
  });
}

const SCORES: Readonly<Record<ScraperName, readonly [named: number, otherwise: number]>> = {
  maps: [0.8, 0.7],
  reviews: [0.9, 0.2],
  listings: [0.95, 0.2],
};

/** Without a place there is nothing to search in. */
function matchOf(
  scraper: ScraperName,
  { text, kind, place, filters }: ConnectorInput,
): ConnectorMatch | null {
  if (kind === null || place === null) return null;
  const [named, otherwise] = SCORES[scraper];
  const score = NAMED[scraper].test(text) ? named : otherwise;
  return { score, params: { query: kind, location: place, ...filters } };
}
