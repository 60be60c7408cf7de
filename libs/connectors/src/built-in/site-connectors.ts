import type { Listing } from '@app/contracts';
import type {
  Connector,
  ConnectorContext,
  ConnectorInput,
  ConnectorMatch,
  ConnectorParams,
  ConnectorRow,
} from '../port/connector.js';
import { keyOfFields } from '../port/identity-key.js';
import { usdPerRecord } from '../port/record-price.js';
import { resultsOfWork } from './results-of-work.js';
import { textOfParam, textsOfParam } from './list-params.js';
import {
  LISTING_PROPERTIES,
  paramsSchema,
  rowSchema,
  textParam,
  textsParam,
  URI,
} from './row-schemas.js';

/** Pages that one pull fetches at a time. */
const WIDTH = 5;
const SAMPLE = 5;
const MAX_URLS = 500;
const MAX_MAPPED = 10_000;
const MAX_URL_CHARS = 2_048;
/** Pages tried for a sample of listings. */
const SAMPLE_PAGES = 10;

const LISTING_ROWS = rowSchema(LISTING_PROPERTIES, ['url']);
const SITE = textParam('Homepage or any page of the site.', MAX_URL_CHARS);
const FILTER = textParam('Only URLs that contain this text.');

/** Listings of known pages: the directory scraper as a connector. */
export const DIRECTORY_CONNECTOR: Connector = {
  id: 'directory',
  title: 'Listings of known pages',
  description: 'The business or product of each of up to 500 pages.',
  params: paramsSchema({ urls: textsParam('Pages of listings.', MAX_URLS, MAX_URL_CHARS) }, [
    'urls',
  ]),
  schema: LISTING_ROWS,
  pricePerRecordUsd: usdPerRecord(1),
  keyOf: keyOfFields('url'),
  match: ({ urls }) => (urls.length > 1 ? { score: 0.8, params: { urls } } : null),
  async preview(params, context) {
    const urls = textsOfParam(params, 'urls');
    return { rows: await sampleOf(urls, context), estimatedRows: urls.length };
  },
  run: (params, context) => listingsOf(textsOfParam(params, 'urls'), context),
};

/** Product and listing pages of a site: its URLs, then the listing of each. */
export const SITE_LISTINGS_CONNECTOR: Connector = {
  id: 'site_listings',
  title: 'Products and listings of a site',
  description: 'Maps a site, then reads the product or business of each page that has one.',
  params: paramsSchema({ url: SITE, search: FILTER }, ['url']),
  schema: LISTING_ROWS,
  pricePerRecordUsd: usdPerRecord(1),
  keyOf: keyOfFields('url'),
  match: (input) =>
    matchSite(
      input,
      /\b(?:products?|listings?|items?|catalog(?:ue)?s?|inventory|prices?|sells?|for sale|offers?)\b/i,
      0.86,
    ),
  async preview(params, context) {
    const urls = await urlsOf(params, context, MAX_MAPPED);
    return {
      rows: await sampleOf(urls.slice(0, SAMPLE_PAGES), context),
      estimatedRows: urls.length,
    };
  },
  async *run(params, context) {
    yield* listingsOf(await urlsOf(params, context, MAX_MAPPED), context);
  },
};

/** URLs of a site. */
export const SITEMAP_CONNECTOR: Connector = {
  id: 'sitemap_urls',
  title: 'URLs of a site',
  description: 'The URLs of a site from its sitemaps, or else its homepage.',
  params: paramsSchema({ url: SITE, search: FILTER }, ['url']),
  schema: rowSchema({ url: URI }, ['url']),
  pricePerRecordUsd: usdPerRecord(100),
  keyOf: keyOfFields('url'),
  match: (input) => matchSite(input, /\b(?:urls?|links?|sitemaps?|(?:sub)?pages?|map)\b/i, 0.8),
  async preview(params, context) {
    const urls = await urlsOf(params, context, MAX_MAPPED);
    return { rows: urls.slice(0, SAMPLE).map((url) => ({ url })), estimatedRows: urls.length };
  },
  async *run(params, context) {
    for (const url of await urlsOf(params, context, context.maxRows)) yield { url };
  },
};

function urlsOf(
  params: ConnectorParams,
  { sources }: ConnectorContext,
  limit: number,
): Promise<readonly string[]> {
  const url = withScheme(textOfParam(params, 'url') ?? '');
  return sources.mapSite(url, { limit, search: textOfParam(params, 'search') });
}

/** `example.com` is a site, too. */
function withScheme(url: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`;
}

function matchSite(
  { text, urls, domains }: ConnectorInput,
  about: RegExp,
  score: number,
): ConnectorMatch | null {
  const [url] = urls.length > 0 ? urls : domains;
  return url !== undefined && urls.length <= 1 && about.test(text)
    ? { score, params: { url } }
    : null;
}

async function* listingsOf(
  urls: readonly string[],
  { sources, signal }: ConnectorContext,
): AsyncGenerator<ConnectorRow> {
  const read = async (url: string) => ({ url, listing: await sources.readListing(url) });
  for await (const { url, listing } of resultsOfWork(new Set(urls), WIDTH, read)) {
    signal.throwIfAborted();
    if (listing !== null) yield listingRow(url, listing);
  }
}

async function sampleOf(
  urls: readonly string[],
  context: ConnectorContext,
): Promise<readonly ConnectorRow[]> {
  const rows: ConnectorRow[] = [];
  for await (const row of listingsOf(urls, context)) {
    rows.push(row);
    if (rows.length >= SAMPLE) break;
  }
  return rows;
}

/** The page that was read is the row's identity, whatever it says about itself. */
function listingRow(url: string, listing: Listing): ConnectorRow {
  const fields = Object.keys(LISTING_PROPERTIES).flatMap((name) => {
    const value: unknown = listing[name as keyof Listing];
    return value === undefined || name === 'url' ? [] : [[name, value] as const];
  });
  return { url, ...Object.fromEntries(fields) };
}
