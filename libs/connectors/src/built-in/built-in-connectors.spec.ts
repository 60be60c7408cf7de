import { fakeConnectorSources } from '../../test/fake-connector-sources.js';
import { describeConnector } from '../port/connector.contract.js';
import { ConnectorRegistry } from '../port/connector-registry.js';
import { creditsFor, recordPrice, usdPerRecord } from '../port/record-price.js';
import type { ConnectorParams } from '../port/connector.js';
import { BUILT_IN_CONNECTORS } from './built-in-connectors.js';
import { graphConnector } from './graph-connector.js';

const LOCAL = { query: 'dentists', location: 'Austin' };
const DOMAINS = { domains: ['a.example', 'https://b.example/about'] };
const PARAMS: Readonly<Record<string, ConnectorParams>> = {
  maps: LOCAL,
  reviews: { ...LOCAL, has_website: true },
  listings: { ...LOCAL, min_rating: 4 },
  directory: { urls: ['https://a.example/1', 'https://a.example/none', 'https://a.example/2'] },
  company_enrichment: DOMAINS,
  tech_lookup: DOMAINS,
  site_contacts: DOMAINS,
  site_listings: { url: 'shop.example' },
  sitemap_urls: { url: 'https://a.example/' },
  page_changes: { urls: ['https://a.example/1', 'https://a.example/2'] },
  search_results: { query: 'words', country: 'DE' },
};

describe('built-in connectors', () => {
  it('are all covered by the contract', () => {
    expect(BUILT_IN_CONNECTORS.map(({ id }) => id)).toEqual(Object.keys(PARAMS));
  });

  for (const connector of BUILT_IN_CONNECTORS)
    describeConnector(connector.id, {
      connector: () => connector,
      params: PARAMS[connector.id] ?? {},
      sources: fakeConnectorSources,
    });

  const COMPANIES = Array.from({ length: 450 }, (_, at) => ({
    ...{ domain: `c${at}.example`, name: `Company ${at}`, tech_stack: ['Shopify'] },
  }));
  describeConnector('companies', {
    connector: () =>
      graphConnector({
        page: (_, { limit, after }) => {
          const end = Number(after ?? 0) + limit;
          const next = end < COMPANIES.length ? String(end) : null;
          const rows = COMPANIES.slice(Number(after ?? 0), end);
          return Promise.resolve({ rows, next });
        },
        sample: (_, limit) =>
          Promise.resolve({ rows: COMPANIES.slice(0, limit), count: COMPANIES.length }),
      }),
    params: { tech: ['Shopify'], state: 'TX' },
    sources: fakeConnectorSources,
  });

  it('read all pages of a source, and leave out what its conditions exclude', async () => {
    const maps = BUILT_IN_CONNECTORS.find(({ id }) => id === 'maps');
    const costs: number[] = [];
    const context = {
      ...{ maxRows: 1_000, signal: new AbortController().signal },
      ...{ sources: fakeConnectorSources(), addCost: (cost: number) => void costs.push(cost) },
    };
    const count = async (params: ConnectorParams): Promise<number> => {
      let rows = 0;
      for await (const _ of maps?.run(params, context) ?? []) rows++;
      return rows;
    };
    expect(await count(LOCAL)).toBe(250);
    expect(costs).toEqual([10_000, 10_000, 10_000]);
    expect(await count({ ...LOCAL, has_website: false })).toBe(125);
  });

  it.each<[number, object]>([
    [usdPerRecord(1), { credits: 1, rows: 1 }],
    [usdPerRecord(10), { credits: 1, rows: 10 }],
    [usdPerRecord(100), { credits: 1, rows: 100 }],
    [0, { credits: 0, rows: 1 }],
    [0.024, { credits: 10, rows: 1 }],
  ])('have a price in credits: %f', (usd, price) => {
    expect(recordPrice(usd)).toEqual(price);
  });

  it('begin a group of rows for each credit', () => {
    const price = { credits: 1, rows: 10 };
    expect([0, 1, 10, 11].map((rows) => creditsFor(rows, price))).toEqual([0, 1, 1, 2]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no object', null, /no object/],
    ['an id of other characters', { id: 'A b' }, /`id`/],
    ['no schema', { id: 'ok', title: 't', description: 'd', params: {} }, /`params`/],
  ])('refuse a module with %s', (_what, value, message) => {
    expect(() => new ConnectorRegistry().add(value)).toThrow(message);
  });

  it.each<[string, object, RegExp]>([
    ['no JSON Schema', { price: { type: 'money' } }, /schema is invalid/],
    ['a pattern that cannot be compiled', { price: { pattern: '(' } }, /regular expression/],
  ])("refuse an operator's module whose rows have %s", (_what, properties, message) => {
    const [first] = BUILT_IN_CONNECTORS;
    const module = { ...first, schema: { type: 'object', properties } };
    expect(() => new ConnectorRegistry().add(module, { isOwn: true })).toThrow(message);
  });

  it('refuse a second connector of one id', () => {
    const registry = new ConnectorRegistry();
    registry.add(BUILT_IN_CONNECTORS[0]);
    expect(() => registry.add(BUILT_IN_CONNECTORS[0])).toThrow(/another connector/);
  });
});
