import { startFixtureSite, type Answer, type FakeLlmServer, type FixtureSite } from '@app/testing';
import { MODES, type Caller } from './deployment.js';
import { share, type SharedService } from './shared-cluster.js';

const BAKERY = {
  '@context': 'https://schema.org',
  '@type': 'Bakery',
  name: 'Corner Bakery',
  telephone: '+1 512-555-0147',
  priceRange: '$$',
  address: {
    '@type': 'PostalAddress',
    streetAddress: '12 Main Street',
    addressLocality: 'Austin',
    addressRegion: 'TX',
    postalCode: '78701',
  },
  aggregateRating: { '@type': 'AggregateRating', ratingValue: 4.5, reviewCount: 31 },
};
const LISTING_PAGE = `<!doctype html><html><head><title>Corner Bakery</title>
<script type="application/ld+json">${JSON.stringify(BAKERY)}</script></head>
<body><h1>Corner Bakery</h1><p>Bread and cake since 1987, every day from seven.</p></body></html>`;

const PRODUCT_PAGE = `<!doctype html><html><head><title>Kettle</title></head><body><main>
<h1>Steel kettle</h1><p>Price: 34.5</p><p>Colour: blue</p>
<p>A kettle of brushed steel that holds two litres and boils them in three minutes.</p>
</main></body></html>`;
const PLAIN_PAGE = `<!doctype html><html><head><title>Notes</title></head><body>
<p>Some thoughts about the weather, which has been mild this week and will stay so.</p>
</body></html>`;

const SCHEMA = {
  type: 'object',
  properties: {
    price: { type: 'number' },
    colour: { type: 'string' },
    weight: { type: 'string' },
  },
};

interface Extracted {
  readonly url: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly metadata: { readonly model: string; readonly costUsd: number };
  readonly _provenance: Readonly<Record<string, { readonly quote: string }>>;
}

describe.each(MODES)('POST /v1/extract, %s', (mode) => {
  let service: SharedService;
  let caller: Caller;
  let site: FixtureSite;
  let llm: FakeLlmServer;

  beforeAll(async () => {
    site = await startFixtureSite();
    site.serve({ '/bakery': LISTING_PAGE, '/kettle': PRODUCT_PAGE, '/notes': PLAIN_PAGE });
    service = await share(mode);
    ({ llm } = service.providers);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(async () => {
    site.reset();
    llm.reset();
    caller = await service.tenant();
  });

  const extract = (body: unknown): Promise<Answer> =>
    caller.client.call('POST', '/v1/extract', body);
  const extracted = async (body: unknown): Promise<Extracted> => {
    const answer = await extract(body);
    expect([answer.status, answer.text.slice(0, 500)]).toEqual([200, expect.anything()]);
    return answer.body as Extracted;
  };
  const ledger = () =>
    service.database.query<{ operation: string; credits: number; cost: number }>(
      {
        name: 'ledger',
        text: 'SELECT operation, credits, cost_micro_usd::int AS cost FROM credit_ledger WHERE tenant_id = $1 ORDER BY id',
      },
      [caller.id],
    );

  describe('without a schema', () => {
    it('reads the listing with scores and provenance, free and to the byte the same', async () => {
      const first = await extract({ url: site.url('/bakery') });
      expect(first.status).toBe(200);
      expect(first.body).toMatchObject({
        url: site.url('/bakery'),
        data: {
          name: 'Corner Bakery',
          phone: expect.stringContaining('555'),
          city: 'Austin',
          state: 'TX',
          zip: '78701',
          rating: 4.5,
          review_count: 31,
          price_range: '$$',
          _extraction_method: 'json-ld',
          _confidence: expect.any(Number),
          _completeness: expect.any(Number),
          _provenance: { name: { layer: 'json-ld', path: expect.any(String) } },
        },
      });
      expect(first.headers.get('x-credits-consumed')).toBe('0');
      expect((await extract({ url: site.url('/bakery') })).text).toBe(first.text);
      expect(await ledger()).toEqual([]);
    });

    it('reports that a page shows no business', async () => {
      expect(await extracted({ url: site.url('/notes') })).toEqual({
        url: site.url('/notes'),
        data: null,
        reason: 'no_listing',
      });
    });

    it('reads HTML of the request, without a fetch', async () => {
      const { data } = await extracted({ html: LISTING_PAGE, url: 'http://bakery.example/' });
      expect(data).toMatchObject({ name: 'Corner Bakery', _extraction_method: 'json-ld' });
      expect(site.totalRequests).toBe(0);
    });

    it('reads Markdown as far as possible', async () => {
      const markdown = '# Corner Bakery\n\n12 Main Street, Austin, TX 78701\n\n(512) 555-0147\n';
      const { data } = await extracted({ markdown });
      expect(data).toMatchObject({ zip: '78701', phone: expect.stringContaining('555') });
    });

    it('accepts HTML of several megabytes', async () => {
      const filler = '<p>Bread and cake.</p>'.repeat(200_000);
      const { data } = await extracted({
        html: LISTING_PAGE.replace('</body>', `${filler}</body>`),
      });
      expect(data).toMatchObject({ name: 'Corner Bakery' });
    });
  });

  describe('with a schema', () => {
    it('returns data by it: values that the page lacks are null, the others are quoted', async () => {
      const answer = await extract({ url: site.url('/kettle'), schema: SCHEMA });
      expect([answer.status, answer.text.slice(0, 500)]).toEqual([200, expect.anything()]);
      const body = answer.body as Extracted;
      expect(body).toMatchObject({
        url: site.url('/kettle'),
        data: { price: 34.5, colour: 'blue', weight: null },
        schema: SCHEMA,
        metadata: { model: 'low-model' },
      });
      expect(body._provenance['/colour']?.quote).toContain('blue');
      expect(body._provenance).not.toHaveProperty('/weight');
      expect(answer.headers.get('x-credits-consumed')).toBe('1');
      const [row, ...more] = await ledger();
      expect([row?.operation, row?.credits, more]).toEqual(['extract', 1, []]);
      expect(row?.cost).toBeGreaterThan(0);
      expect(body.metadata.costUsd).toBeCloseTo((row?.cost ?? 0) / 1e6, 9);
    });

    it.each([
      ['html', { html: PRODUCT_PAGE }],
      ['markdown', { markdown: '# Steel kettle\n\nPrice: 34.5\n\nColour: blue\n' }],
    ])('reads %s that came along', async (_, content) => {
      const { url, data } = await extracted({ ...content, schema: SCHEMA });
      expect([url, data]).toEqual([null, { price: 34.5, colour: 'blue', weight: null }]);
      expect(site.totalRequests).toBe(0);
    });

    it('asks a stronger model on request, and a free one on the free plan', async () => {
      const body = { url: site.url('/kettle'), schema: SCHEMA, complexity: 'high' };
      expect((await extracted(body)).metadata.model).toBe('high-model');
      const { client } = await service.tenant('free');
      const free = await client.call('POST', '/v1/extract', body);
      expect(free.body).toMatchObject({ metadata: { model: 'free-model', costUsd: 0 } });
    });

    it('charges nothing for a page without such data', async () => {
      const answer = await extract({ url: site.url('/notes'), schema: SCHEMA });
      expect(answer.body).toMatchObject({ data: { price: null, colour: null, weight: null } });
      expect(answer.headers.get('x-credits-consumed')).toBe('0');
      expect(await ledger()).toMatchObject([{ credits: 0 }]);
    });

    it.each([
      ['not_json', 422, 'llm_invalid'],
      ['no_json', 200, undefined],
    ] as const)('of a model in the mode %s makes %i', async (manner, status, reason) => {
      llm.mode = manner;
      const answer = await extract({ url: site.url('/kettle'), schema: SCHEMA });
      expect([answer.status, (answer.body as { reason?: string }).reason]).toEqual([
        status,
        reason,
      ]);
      const rows = await ledger();
      expect(rows.map(({ credits }) => credits)).toEqual([status === 200 ? 1 : 0]);
    });

    it('reports that the model is unavailable, and charges nothing', async () => {
      llm.mode = 'quota';
      const answer = await extract({ url: site.url('/kettle'), schema: SCHEMA });
      expect(answer).toMatchObject({
        status: 503,
        body: {
          error: expect.stringMatching(/^The model did not answer: ./),
          reason: 'llm_failed',
        },
      });
      expect(answer.text).not.toContain(llm.key);
      expect((await ledger()).map(({ credits }) => credits)).toEqual((await ledger()).map(() => 0));
    });

    it('refuses a schema that cannot be used before anything is fetched', async () => {
      const schema = { $ref: 'http://example.com/schema.json' };
      const answer = await extract({ url: site.url('/kettle'), schema });
      expect(answer.status).toBe(400);
      expect(site.totalRequests).toBe(0);
    });
  });

  describe('with many addresses', () => {
    it('answers each, and counts them', async () => {
      const urls = ['/bakery', '/status/404', '/notes', '/bakery'].map((path) => site.url(path));
      const answer = await extract({ urls });
      expect(answer.body).toMatchObject({
        results: [
          { url: urls[0], ok: true, data: { name: 'Corner Bakery' } },
          { url: urls[1], ok: false, error: 'Fetch failed: HTTP 404' },
          { url: urls[2], ok: true, data: null },
          { url: urls[3], ok: true, data: { name: 'Corner Bakery' } },
        ],
        summary: { total: 4, ok: 3, failed: 1 },
      });
      expect(site.count('/bakery')).toBe(1);
    });

    it('never reads more than five at a time', async () => {
      const urls = Array.from({ length: 20 }, (_, n) => site.url(`/slow/200/${n}`));
      const answer = await extract({ urls });
      expect(answer.body).toMatchObject({ summary: { total: 20 } });
      expect(site.peakInFlight).toBeLessThanOrEqual(5);
    });

    it('refuses all when one cannot be fetched', async () => {
      const answer = await extract({ urls: [site.url('/bakery'), 'nope', 'http://10.0.0.1/'] });
      expect(answer).toMatchObject({
        status: 400,
        body: { invalidUrls: ['nope', 'http://10.0.0.1/'] },
      });
      expect(site.totalRequests).toBe(0);
    });
  });

  describe('and POST /v1/scrape', () => {
    it('reads the listing by default', async () => {
      const answer = await caller.client.scrape({ url: site.url('/bakery') });
      expect(answer.body).toMatchObject({
        listing: { name: 'Corner Bakery' },
        metadata: { extractionMethod: 'json-ld', confidence: expect.any(Number) },
      });
    });

    it('puts JSON, summary and branding under formats', async () => {
      const answer = await caller.client.scrape({
        url: site.url('/kettle'),
        formats: ['markdown', 'json', 'summary', 'branding'],
        schema: SCHEMA,
      });
      expect(answer.body).toMatchObject({
        formats: {
          markdown: expect.stringContaining('Steel kettle'),
          json: { price: 34.5, colour: 'blue', weight: null },
          summary: expect.any(String),
          branding: expect.any(Object),
        },
        metadata: { llm: { model: 'low-model' } },
      });
      expect(await ledger()).toMatchObject([{ operation: 'scrape', credits: 1 }]);
    });

    it('serves the page when the model is gone', async () => {
      llm.mode = 'quota';
      const answer = await caller.client.scrape({
        url: site.url('/kettle'),
        formats: ['markdown', 'json'],
      });
      expect(answer).toMatchObject({
        status: 200,
        body: { formats: { json: null }, partial: true, partial_reason: 'llm_failed' },
      });
    });
  });
});
