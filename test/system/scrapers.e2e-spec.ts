import { API_ERRORS } from '@app/contracts';
import { setLiveMapsIn } from '@app/accounts';
import {
  htmlPage,
  startFixtureSite,
  until,
  type FixtureSite,
  type TrawlClient,
} from '@app/testing';
import type {
  FakeSource,
  FakeSources,
  SourceMode,
} from '../../libs/connectors/test/fake-sources.js';
import { untilPaused } from './backend-pauses.js';
import { MODES } from './deployment.js';
import { share, type SharedService } from './shared-cluster.js';

interface Rows {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly source: string;
  readonly mock?: true;
  readonly attribution?: string;
}

describe.each(MODES)('listing scrapers, %s', (mode) => {
  let sources: FakeSources;
  let site: FixtureSite;
  let service: SharedService;

  beforeAll(async () => {
    [service, site] = await Promise.all([share(mode), startFixtureSite()]);
    ({ sources } = service.providers);
    // The threads that read pages start with the first one.
    const isWarm = async () => (await post('maps', { query: 'warm' })).status === 200;
    await until(isWarm, { what: 'a first search', timeoutMs: 60_000 });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(async () => {
    sources.reset();
    await service.database.query({ name: 'forget', text: 'DELETE FROM search_backends' });
  });

  const set = (modes: Partial<Record<FakeSource, SourceMode>>) =>
    Object.assign(sources.modes, modes);
  const post = (scraper: string, body: object, client = service.client) =>
    client.call('POST', `/v1/scrapers/${scraper}`, body);
  const rowsOf = async (scraper: string, body: object, client?: TrawlClient): Promise<Rows> => {
    const answer = await post(scraper, { query: 'bakeries', location: 'Austin', ...body }, client);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    return answer.body as Rows;
  };

  it('returns the rows of each scraper from its first source', async () => {
    const maps = await rowsOf('maps', {});
    expect([maps.source, maps.total]).toEqual(['partner', 5]);
    expect(maps.results[0]).toMatchObject({ name: 'Bakery 1 & Sons', category: 'Bakeries' });
    const reviews = await rowsOf('reviews', { maxResults: 15 });
    expect([reviews.source, reviews.total]).toEqual(['jsonld', 15]);
    expect(reviews.results[0]).toMatchObject({ rating: 4.5, review_count: 1_234 });
    const listings = await rowsOf('listings', { maxResults: 20 });
    expect([listings.source, listings.total]).toEqual(['blocks', 20]);
    expect(listings.results[0]?.['directory_url']).toBe(`${sources.origin}/biz/1?ref=list`);
  });

  it.each<[string, SourceMode, string]>([
    ['another layout', 'drift', 'drift'],
    ['broken JSON', 'garbage', 'parse_error'],
    ['a refusal', 503, 'http_error'],
    ['nothing found', 'nothing', 'empty'],
  ])('goes on to the next source after %s', async (_what, one, outcome) => {
    set({ partner: one });
    const rows = await rowsOf('maps', {});
    expect(rows).toMatchObject({ source: 'openstreetmap', total: 5 });
    expect(rows.attribution).toContain('OpenStreetMap');
    expect(rows.results[0]).toMatchObject({
      hours: { mon: '09:00-17:00' },
      maps_url: 'https://www.openstreetmap.org/node/1000',
    });
    const counted = new RegExp(
      `scraper_requests_total\\{scraper="maps",kind="api",outcome="${outcome}"\\} [1-9]`,
    );
    await until(async () => counted.test(await service.metrics()), { what: 'the metric' });
  });

  it('requests no page of a directory that its robots.txt forbids', async () => {
    set({ jsonld: 503, microdata: 503 });
    const { body } = await post('reviews', { query: 'q', location: 'x' });
    expect(body).toMatchObject({
      attempts: [{ provider: 'forbidden', error_class: 'robots' }, {}, {}],
    });
    expect(sources.requests.filter(({ path }) => path.startsWith('/forbidden'))).toEqual([]);
  });

  it('goes on after a captcha of a directory, and reads the other markup', async () => {
    set({ jsonld: 'captcha' });
    const rows = await rowsOf('reviews', {});
    expect(rows).toMatchObject({ source: 'microdata', total: 5 });
  });

  it('lists its attempts when no source completes, and charges nothing', async () => {
    set({ partner: 503, overpass: 'garbage' });
    const tenant = await service.tenant('hobby');
    const answer = await post('maps', { query: 'q', location: 'x' }, tenant.client);
    expect(answer).toMatchObject({
      status: 503,
      body: { attempts: [{ provider: 'partner' }, { provider: 'openstreetmap' }] },
    });
    expect(answer.text).not.toContain(sources.key);
    const ledger = await service.database.query(
      { name: 'ledger', text: 'SELECT 1 FROM credit_ledger WHERE tenant_id = $1' },
      [tenant.id],
    );
    expect(ledger).toEqual([]);
  });

  it('leaves a source out that failed five times in a row', async () => {
    set({ partner: 503 });
    for (let n = 0; n < 5; n++) await rowsOf('maps', {});
    await untilPaused(service.database);
    await rowsOf('maps', {});
    const calls = sources.requests.filter(({ source }) => source === 'partner');
    expect(calls.length).toBeLessThanOrEqual(5);
  });

  it('charges a credit per row', async () => {
    const tenant = await service.tenant('hobby');
    const answer = await post(
      'listings',
      { query: 'q', location: 'x', maxResults: 7 },
      tenant.client,
    );
    expect(answer.headers.get('x-credits-consumed')).toBe('7');
  });

  it('has sample rows on the Free plan until an operator enables the live scraper', async () => {
    const tenant = await service.tenant('free');
    const sample = await rowsOf('maps', {}, tenant.client);
    expect(sample).toMatchObject({ source: 'mock', mock: true, total: 5 });
    expect(sample.results.every(({ mock }) => mock === true)).toBe(true);
    expect((await rowsOf('listings', {}, tenant.client)).source).toBe('blocks');
    await service.database.transaction((tx) => setLiveMapsIn(tx, tenant.id, true));
    expect(await rowsOf('maps', {}, tenant.client)).toMatchObject({ source: 'partner' });
  });

  describe('directory', () => {
    const listing = (name: string): string =>
      htmlPage({
        title: name,
        body: `<script type="application/ld+json">${JSON.stringify({
          ...{
            '@context': 'https://schema.org',
            '@type': 'Bakery',
            name,
            telephone: '+15125551000',
          },
          address: {
            streetAddress: '1 Main Street',
            addressLocality: 'Austin',
            addressRegion: 'TX',
          },
        })}</script><h1>${name}</h1>`,
      });

    it('reads known pages, failures per item', async () => {
      site.serve({ '/l/1': listing('First'), '/l/2': listing('Second') });
      const urls = [site.url('/l/1'), site.url('/l/none'), site.url('/l/2'), 'ftp://x'];
      const { body } = await post('directory', { urls, concurrency: 10 });
      expect(body).toMatchObject({ total: 4, succeeded: 2, failed: 2 });
      expect((body as { results: readonly unknown[] }).results).toMatchObject([
        { url: urls[0], ok: true, listing: { name: 'First', _extraction_method: 'json-ld' } },
        { url: urls[1], ok: false, error: expect.stringContaining('404') },
        { ok: true, listing: { name: 'Second', _confidence: expect.any(Number) } },
        { url: 'ftp://x', ok: false },
      ]);
    });

    it('becomes a job when the list does not fit one response', async () => {
      const pages = Object.fromEntries(
        Array.from({ length: 101 }, (_, at) => [`/m/${at}`, listing(`Listing ${at}`)]),
      );
      site.serve(pages);
      const urls = Object.keys(pages).map((path) => site.url(path));
      const answer = await post('directory', { urls, concurrency: 10 });
      expect([answer.status, answer.body]).toMatchObject([202, { status: 'queued', total: 101 }]);
      const { jobId } = answer.body as { jobId: string };
      const job = async () => (await service.client.call('GET', `/v1/jobs/${jobId}`)).body;
      await until(async () => ((await job()) as { status: string }).status === 'completed', {
        what: 'the end of the job',
        timeoutMs: 90_000,
      });
      expect(await job()).toMatchObject({ pages_scraped: 101 });
      const results = await service.client.call('GET', `/v1/crawl/${jobId}/results?limit=100`);
      expect(results.text).toContain('"name":"Listing 7"');
    });

    it('refuses a list without a fetchable URL', async () => {
      const answer = await post('directory', { urls: ['nonsense'] });
      expect(answer.status).toBe(API_ERRORS.invalid_urls.status);
    });
  });
});
