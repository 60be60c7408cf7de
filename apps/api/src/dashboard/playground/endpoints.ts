import type { OpenAPIObject } from '@nestjs/swagger';
import type { RegisteredConnector } from '@app/connectors';
import { presentPrices } from '../../accounts/pricing/present-pricing.js';
import { documentedObjects, documentedOperations } from '../../public/documented-operations.js';
import { fieldsOf, PARAMS, requestFormOf, type RequestForm } from './request-form.js';

/** An endpoint that the playground sends requests to. */
export interface Endpoint extends RequestForm {
  readonly id: string;
  readonly title: string;
  /** Names of the fields that are shown at once; the others are folded. */
  readonly short: readonly string[];
  /** What an untouched form holds. */
  readonly prefilled: Body;
  /** What every request has, and no field is for. */
  readonly fixed: Body;
  /** What it costs; else that of GET /v1/pricing. */
  readonly cost?: string;
  /** Of a connector: it has its own menu. */
  readonly connector?: string;
}

type Body = Readonly<Record<string, unknown>>;

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

/** Those that this service has, and two for each connector. */
export function endpointsOf(
  description: OpenAPIObject,
  connectors: readonly RegisteredConnector[] = [],
): readonly Endpoint[] {
  const operations = new Map(
    documentedOperations(description).map((one) => [one.operationId, one] as const),
  );
  const schemas = documentedObjects(description);
  const listed = LISTED.flatMap(([id, title, short]) => {
    const operation = operations.get(id);
    if (operation === undefined) return [];
    return [
      {
        ...requestFormOf(operation, schemas),
        ...{ id, title, short: short.split(' '), prefilled: {}, fixed: {} },
      },
    ];
  });
  const ofConnectors = connectors.flatMap((one) =>
    CONNECTOR_FORMS.flatMap((form) => {
      const operation = operations.get(form.operationId);
      if (operation === undefined) return [];
      return [connectorEndpoint(one, form, requestFormOf(operation, schemas))];
    }),
  );
  return [...listed, ...ofConnectors];
}

interface ConnectorForm {
  readonly operationId: 'preview' | 'createFeed';
  readonly title: string;
  readonly short: readonly string[];
  readonly prefilled: Body;
  readonly cost: (credits: string) => string;
}

const CONNECTOR_FORMS: readonly ConnectorForm[] = [
  {
    operationId: 'preview',
    title: 'Preview',
    short: ['maxResults'],
    prefilled: {},
    cost: (credits) => `A preview is free. Its rows cost ${credits} when you pull them.`,
  },
  {
    operationId: 'createFeed',
    title: 'Watch',
    short: ['schedule', 'timeZone', 'changed', 'firstRun', 'webhookUrl'],
    prefilled: { schedule: '0 7 * * *', changed: true, firstRun: 'full' },
    cost: (credits) => `A new or changed row costs ${credits}, a known one a tenth.`,
  },
];

/** The forms of a connector ask for its parameters by name. */
export const connectorForm = (
  connectorId: string,
  operationId: ConnectorForm['operationId'],
): string => `${operationId}.${connectorId}`;

function connectorEndpoint(
  { connector, price }: RegisteredConnector,
  { operationId, title, short, prefilled, cost }: ConnectorForm,
  { operation, fields }: RequestForm,
): Endpoint {
  const { id, title: named, params } = connector;
  const asked = fieldsOf(params, {}, PARAMS, 1);
  const others = fields.filter(({ name }) => !['connectorId', 'params', 'query'].includes(name));
  const credits = price.credits === 1 ? '1 credit' : `${price.credits} credits`;
  return {
    ...{ operation, fields: [...asked, ...others] },
    id: connectorForm(id, operationId),
    title: `${title}: ${named}`,
    short: [...asked.map(({ name }) => name), ...short],
    ...{ prefilled, fixed: { connectorId: id }, connector: id },
    cost: cost(price.rows === 1 ? `${credits} each` : `${credits} for ${price.rows}`),
  };
}

/** The names of how many there may be; the first that is given counts. */
const LIMITS = ['limit', 'maxPages'];

/** What a request costs at most, as a sentence. Prices are those of GET /v1/pricing. */
export function costText({ operation, fields, cost }: Endpoint, body: Body): string {
  if (cost !== undefined) return cost;
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
