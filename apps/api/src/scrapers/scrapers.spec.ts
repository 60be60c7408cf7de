import type { BusinessSearchTask } from '@app/connectors';
import { API_ERRORS, type Plan, type ScrapeTask } from '@app/contracts';
import { served } from '../../test/fake-replies.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../test/started-api.js';

const BUSINESSES = Array.from({ length: 30 }, (_, at) => ({
  name: `Business ${at + 1}`,
  address: `${at + 1} Main Street`,
  categories: ['Bakery', 'Café'],
  priceRange: '$$',
  ...(at === 0 ? { rating: 4.5, reviewCount: 12, isOpenNow: false } : {}),
  website: 'https://b.example/',
  page: `https://source.example/${at + 1}`,
}));

const FOUND = {
  kind: 'businesses',
  source: 'partner',
  businesses: BUSINESSES,
  next: null,
  attribution: '© Someone',
  costMicroUsd: 10_000,
  attempts: [],
};

describe('POST /v1/scrapers', () => {
  let api: StartedApi;
  let tasks: BusinessSearchTask[];
  const start = async (options: StartOptions = {}, reply: unknown = FOUND): Promise<void> => {
    api = await startTestApi({ plan: 'hobby', ...options });
    tasks = await api.fakeFetcher<BusinessSearchTask>('search', () => reply);
  };
  afterEach(() => api.stop());
  const post = (scraper: string, body: object) =>
    api.client.call('POST', `/v1/scrapers/${scraper}`, body);

  it('maps: rows of exactly the documented fields, what the source states alone', async () => {
    await start();
    const { status, body, headers } = await post('maps', { query: ' bakeries ' });
    expect([status, headers.get('x-credits-consumed')]).toEqual([200, '5']);
    expect(body).toMatchObject({
      total: 5,
      query: ' bakeries ',
      location: null,
      source: 'partner',
    });
    expect(body).toMatchObject({ attribution: '© Someone' });
    const { results } = body as { results: readonly object[] };
    expect(results.slice(0, 2)).toEqual([
      {
        ...{ name: 'Business 1', address: '1 Main Street', rating: 4.5, review_count: 12 },
        ...{ category: 'Bakery', website: 'https://b.example/' },
        maps_url: 'https://source.example/1',
      },
      {
        ...{ name: 'Business 2', address: '2 Main Street', category: 'Bakery' },
        ...{ website: 'https://b.example/', maps_url: 'https://source.example/2' },
      },
    ]);
    expect(tasks).toMatchObject([
      { kind: 'businesses', scraper: 'maps', query: 'bakeries', location: null, limit: 5 },
    ]);
    expect(api.recorded).toContainEqual(
      expect.objectContaining({ operation: 'scraper', costMicroUsd: 10_000 }),
    );
  });

  it('reviews and listings: rows of their own', async () => {
    await start();
    const located = { query: 'q', location: 'Austin', maxResults: 1 };
    expect((await post('reviews', located)).body).toMatchObject({
      results: [
        {
          ...{ name: 'Business 1', address: '1 Main Street', rating: 4.5, review_count: 12 },
          ...{ price_range: '$$', categories: ['Bakery', 'Café'], is_open_now: false },
          reviews_url: 'https://source.example/1',
        },
      ],
    });
    expect((await post('listings', located)).body).toMatchObject({
      results: [{ category: 'Bakery', directory_url: 'https://source.example/1' }],
      location: 'Austin',
    });
  });

  it.each<[string, object, string]>([
    ['maps', {}, API_ERRORS.query_required.text],
    ['maps', { query: '  ' }, API_ERRORS.query_required.text],
    ['reviews', { query: 'q' }, API_ERRORS.location_required.text],
    ['listings', { query: 'q', location: ' ' }, API_ERRORS.location_required.text],
    ['maps', { query: 'q', maxResults: 21 }, '`maxResults` must be at most 20'],
    ['maps', { query: 'q', maxResults: 0 }, '`maxResults` must be at least 1'],
    ['maps', { query: 'q\u0000' }, '`query` holds characters that cannot be stored'],
    ['maps', { query: 'q'.repeat(201) }, '`query` is longer than 200 characters'],
  ])('%s refuses %j', async (scraper, body, error) => {
    await start();
    expect(await post(scraper, body)).toMatchObject({ status: 400, body: { error } });
    expect(tasks).toEqual([]);
  });

  it('has 20 rows at most, and costs nothing without rows', async () => {
    await start();
    expect((await post('maps', { query: 'q', maxResults: 20 })).body).toMatchObject({ total: 20 });
    await api.stop();
    await start({}, { ...FOUND, businesses: [] });
    const { status, body, headers } = await post('maps', { query: 'q' });
    expect([status, headers.get('x-credits-consumed')]).toEqual([200, '0']);
    expect(body).toMatchObject({ results: [], total: 0 });
  });

  it('says how a scraper without a source is set up', async () => {
    await start({}, { kind: 'no_businesses', attempts: [], retryAfterMs: null });
    const { status, body, headers } = await post('reviews', { query: 'q', location: 'x' });
    expect([status, headers.get('retry-after')]).toEqual([503, null]);
    expect(body).toMatchObject({ error: expect.stringContaining('SCRAPER_REVIEWS') });
  });

  it('lists the sources that failed, and nothing that they said', async () => {
    const attempt = { source: 'partner', ok: false, latencyMs: 3, errorClass: 'blocked' };
    const failed = { ...attempt, problem: 'secret' };
    await start({}, { kind: 'no_businesses', attempts: [failed], retryAfterMs: 2_100 });
    const { status, body, headers, text } = await post('maps', { query: 'q' });
    expect([status, headers.get('retry-after')]).toEqual([503, '3']);
    expect(body).toMatchObject({
      attempts: [{ provider: 'partner', ok: false, latency_ms: 3, error_class: 'blocked' }],
    });
    expect(text).not.toContain('secret');
  });

  describe('directory', () => {
    const URLS = ['http://127.0.0.1:4000/a', 'nonsense', 'http://127.0.0.1:4000/b'];
    const pages = (plan: Plan = 'pro') =>
      start({ plan }).then(() =>
        api.fakeFetcher<ScrapeTask>('scrape', ({ url }) =>
          url.endsWith('/b')
            ? { kind: 'blocked', url }
            : served({ url, listing: { name: 'L', _confidence: 1 } as never }),
        ),
      );

    it('reads each page for its listing; failures are per item', async () => {
      const scrapes = await pages();
      const { status, body } = await post('directory', { urls: [...URLS, URLS[0]] });
      expect(status).toBe(200);
      expect(body).toEqual({
        results: [
          { url: URLS[0], ok: true, listing: { name: 'L', _confidence: 1 } },
          { url: 'nonsense', ok: false, error: expect.stringContaining('Invalid URL') },
          { url: URLS[2], ok: false, error: expect.stringContaining('Blocked URL') },
          { url: URLS[0], ok: true, listing: { name: 'L', _confidence: 1 } },
        ],
        total: 4,
        succeeded: 2,
        failed: 2,
      });
      expect(scrapes).toHaveLength(2);
      expect(scrapes[0]).toMatchObject({ listing: true, formats: [] });
    });

    it.each<[object, string]>([
      [{ urls: [] }, '`urls` is empty'],
      [{ urls: Array.from({ length: 501 }, () => 'http://a.example/') }, 'at most 500'],
      [{ urls: URLS, concurrency: 11 }, '`concurrency` must be at most 10'],
      [{}, '`urls` is required'],
    ])('refuses a body at its limits', async (body, error) => {
      await pages();
      expect(await post('directory', body)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining(error) },
      });
    });
  });
});
