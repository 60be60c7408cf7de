import { parseSourcesSetting, readBusinesses } from '@app/connectors';
import { Deadline } from '@app/contracts';
import { EgressGuard, HttpClient } from '@app/egress';
import {
  businessesNamed,
  FAKE_SOURCES,
  startFakeSources,
  type FakeSource,
  type FakeSources,
} from '../../../connectors/test/fake-sources.js';
import { backendFailure, type BackendResult } from '../search/search-backend.js';
import { ApiSource } from './api-source.js';
import type { BusinessQuery, BusinessSource } from './business-source.js';
import { HtmlSource, type FetchDirectoryPage } from './html-source.js';
import { NominatimSource, OverpassSource } from './osm-sources.js';

const QUERY: BusinessQuery = {
  query: 'bakeries',
  location: 'Austin, TX',
  limit: 20,
  page: 1,
  tenantId: 't',
  plan: 'pro',
};

describe('sources of businesses', () => {
  let fake: FakeSources;
  let client: HttpClient;
  let sources: Record<FakeSource, BusinessSource>;

  const read = async (page: Parameters<typeof readBusinesses>[0]) => readBusinesses(page);
  const fetchPage: FetchDirectoryPage = async ({ url }, { deadline, signal }) => {
    const { status, body } = await client.fetch({ url, deadline, signal, maxBytes: 10_000_000 });
    return status === 200
      ? { ok: true, html: Buffer.from(body).toString('utf8'), url }
      : backendFailure('http_error', `HTTP ${status}`, { statusCode: status });
  };

  beforeAll(async () => {
    fake = await startFakeSources();
    const guard = EgressGuard.forEndpoint(fake.origin);
    client = new HttpClient({ guard, userAgent: 'Test/1', connectTimeoutMs: 60_000 });
    const http = client;
    const open = (name: FakeSource): BusinessSource => {
      const [setting] = parseSourcesSetting(JSON.stringify([fake.settings[name]]));
      switch (setting?.kind) {
        case 'api':
          return new ApiSource({ setting, http, read });
        case 'html':
          return new HtmlSource({ setting, fetchPage, read });
        case 'overpass':
          return new OverpassSource({ setting, http, read, geocoder: http });
        case 'nominatim':
          return new NominatimSource({ setting, http, read });
        case undefined:
          throw new Error('no source');
      }
    };
    sources = Object.fromEntries(FAKE_SOURCES.map((name) => [name, open(name)])) as typeof sources;
  });
  afterAll(async () => {
    await client.close();
    await fake.close();
  });
  beforeEach(() => {
    for (const name of FAKE_SOURCES) fake.modes[name] = 'ok';
    fake.businesses = businessesNamed(25);
    fake.requests.length = 0;
  });

  const search = (
    name: FakeSource,
    query: Partial<BusinessQuery> = {},
    ms = 60_000,
  ): Promise<BackendResult<{ readonly name: string }>> =>
    sources[name].search(
      { ...QUERY, ...query },
      { deadline: Deadline.after(ms), signal: new AbortController().signal },
    );
  const found = async (name: FakeSource, query: Partial<BusinessQuery> = {}) => {
    const result = await search(name, query);
    if (!result.ok) throw new Error(result.problem);
    return result;
  };

  const WEEK = {
    ...{ mon: '09:00-17:00', tue: '09:00-17:00', wed: '09:00-17:00', thu: '09:00-17:00' },
    ...{ fri: '09:00-17:00', sat: '10:00-14:00' },
  };

  it('read a partner by its pointers, page by page', async () => {
    const { results, next } = await found('partner');
    expect(results).toHaveLength(20);
    expect(next).toBe(3);
    expect(results[0]).toEqual({
      name: 'Bakery 1 & Sons',
      address: '1 Main Street, Austin, TX 78701',
      phone: '(512) 555-1000',
      rating: 4.5,
      reviewCount: 1_234,
      categories: ['Bakeries', 'Cafés'],
      priceRange: '$$',
      hours: WEEK,
      isOpenNow: true,
      website: 'https://shop-1.example/',
      page: 'https://partner.example/biz/Bakery%201%20%26%20Sons',
    });
    // Only what it states.
    expect(results[1]).not.toHaveProperty('rating');
    expect(results[1]).not.toHaveProperty('hours');
    expect(fake.requests.map(({ path }) => path)).toEqual([
      '/partner?term=bakeries&location=Austin%2C%20TX&limit=10&offset=0',
      '/partner?term=bakeries&location=Austin%2C%20TX&limit=10&offset=10',
    ]);
  });

  it.each(['jsonld', 'microdata', 'blocks'] as const)('read a directory with %s', async (name) => {
    const { results } = await found(name, { limit: 10 });
    expect(results).toHaveLength(10);
    expect(results[0]).toMatchObject({
      name: 'Bakery 1 & Sons',
      address: expect.stringMatching(/^1 Main Street, Austin, TX/),
      phone: expect.stringMatching(/^\(512\) 555-1000$|^\+1/),
      rating: 4.5,
      reviewCount: 1_234,
      page: expect.stringContaining(`${fake.origin}/biz/1`),
    });
    expect(results[1]).not.toHaveProperty('rating');
  });

  it('read what blocks show, hours and websites included', async () => {
    const { results } = await found('blocks', { limit: 10 });
    expect(results[0]).toMatchObject({
      hours: WEEK,
      categories: ['Bakery', 'Café'],
      website: 'https://shop-1.example/',
    });
    expect(results[1]).not.toHaveProperty('website');
  });

  it('read OpenStreetMap through Overpass, within the box of the place', async () => {
    const { results, next } = await found('overpass');
    expect(next).toBeNull();
    expect(results[0]).toEqual({
      name: 'Bakery 1 & Sons',
      address: '1 Main Street, Austin, TX, 78701',
      phone: '(512) 555-1000',
      categories: ['bakery'],
      hours: WEEK,
      website: 'https://shop-1.example/',
      page: 'https://www.openstreetmap.org/node/1000',
    });
    const [place, query] = fake.requests;
    expect(place?.path).toBe('/nominatim/search?q=Austin%2C+TX&format=jsonv2&limit=1');
    const text = new URLSearchParams(query?.body).get('data');
    expect(text).toContain('nwr["name"]["shop"~"^(bakery|pastry)$"](30.10000,-97.90000,30.50000,');
    expect(text).toMatch(/\[timeout:\d\d\]\[maxsize:\d+\];.*out tags center 20;$/);
    expect(sources.overpass.attribution).toMatch(/OpenStreetMap contributors/);
  });

  it('read OpenStreetMap through Nominatim', async () => {
    const { results } = await found('nominatim');
    expect(results[0]).toMatchObject({
      name: 'Bakery 1 & Sons',
      address: '1 Main Street, Austin, Texas',
      hours: WEEK,
      page: 'https://www.openstreetmap.org/node/2000',
    });
  });

  it('find nothing where no place has the name', async () => {
    expect(await found('overpass', { location: 'Nowhere' })).toMatchObject({ results: [] });
  });

  it.each(FAKE_SOURCES)('%s: found nothing is no failure', async (name) => {
    fake.modes[name] = 'nothing';
    expect(await found(name)).toMatchObject({ results: [] });
  });

  it.each(FAKE_SOURCES)('%s: another layout is drift', async (name) => {
    fake.modes[name] = 'drift';
    expect(await search(name)).toMatchObject({ ok: false, isDrift: true });
  });

  it.each(['jsonld', 'microdata', 'blocks'] as const)('%s: a captcha is a wall', async (name) => {
    fake.modes[name] = 'captcha';
    expect(await search(name)).toMatchObject({ ok: false, errorClass: 'blocked' });
  });

  it.each(['partner', 'overpass', 'nominatim'] as const)('%s: broken JSON', async (name) => {
    for (const mode of ['garbage', 'captcha'] as const) {
      fake.modes[name] = mode;
      expect(await search(name)).toMatchObject({ ok: false, errorClass: 'parse_error' });
    }
  });

  it.each(FAKE_SOURCES)('%s: a status is a failure, and says nothing of the key', async (name) => {
    fake.modes[name] = 503;
    const result = await search(name);
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).not.toContain(fake.key);
  });

  it.each(['partner', 'jsonld', 'blocks', 'overpass'] as const)(
    '%s: 5,000 businesses in one answer are read, and no more',
    async (name) => {
      fake.modes[name] = 'many';
      const { results } = await found(name, { limit: 5_000 });
      const most = name === 'jsonld' || name === 'blocks' ? 500 : 5_000;
      expect(results).toHaveLength(most);
    },
  );

  it('hold a deadline that a source sleeps through', async () => {
    fake.modes.partner = 'hang';
    expect(await search('partner', {}, 300)).toMatchObject({ ok: false, errorClass: 'timeout' });
  });

  it('continue behind the pages of an earlier search', async () => {
    const { results, next } = await found('partner', { page: 3 });
    expect(results.map(({ name }) => name)).toEqual(
      businessesNamed(25)
        .slice(20)
        .map(({ name }) => name),
    );
    expect(next).toBeNull();
  });
});
