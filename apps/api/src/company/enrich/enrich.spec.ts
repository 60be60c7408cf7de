import type { EnrichReply, EnrichTask, Enrichment } from '@app/company';
import { startTestApi, type StartedApi, type StartOptions } from '../../../test/started-api.js';

const ENRICHMENT: Enrichment = {
  domain: 'a.example',
  emails: ['hello@a.example'],
  phones: ['(212) 555-0100'],
  phoneNumbers: ['+12125550100'],
  place: {},
  socials: { linkedin: 'https://www.linkedin.com/company/a' },
  team: [{ name: 'Ann Bee', role: 'CEO' }],
  pagesCrawled: 3,
  homepage: { title: 'A', heroImage: 'https://a.example/hero.png' },
  completeness: 0.875,
  tech: {
    technologies: [{ name: 'Nginx', category: 'Web servers', confidence: 1, version: '1.27' }],
    reasons: ['html_cap'],
    scannedBytes: 1_000,
    durationMs: 12.4,
  },
  brand: null,
  isByModel: false,
  latencyMs: 321,
};

const EMPTY: Enrichment = {
  ...ENRICHMENT,
  emails: [],
  phones: [],
  socials: {},
  team: [],
  homepage: {},
  completeness: 0,
  tech: null,
};

const USAGE = {
  model: 'low-model',
  calls: 1,
  inputTokens: 9,
  outputTokens: 9,
  costMicroUsd: 77,
  latencyMs: 5,
};

const enriched = (over: Partial<Enrichment> = {}): EnrichReply => ({
  kind: 'enriched',
  enrichment: { ...ENRICHMENT, ...over },
});

describe.each(['/v1/enrich', '/v1/enrich/website'])('POST %s', (path) => {
  let api: StartedApi;

  const start = async (options: StartOptions = {}) => {
    await api?.stop();
    api = await startTestApi(options);
  };
  beforeEach(() => start());
  afterEach(() => api.stop());

  const ask = (body: unknown) => api.client.call('POST', path, body);
  const fakeFetcher = (reply: EnrichReply = enriched()) =>
    api.fakeFetcher<EnrichTask>('enrich', () => reply);

  it('returns the enrichment result, for one credit', async () => {
    await fakeFetcher();
    const answer = await ask({ domain: 'a.example' });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        domain: 'a.example',
        emails: ['hello@a.example'],
        phones: ['(212) 555-0100'],
        social: { linkedin: 'https://www.linkedin.com/company/a' },
        tech_stack: [{ name: 'Nginx', category: 'Web servers', confidence: 1, version: '1.27' }],
        team: [{ name: 'Ann Bee', role: 'CEO' }],
        pages_crawled: 3,
        homepage: { title: 'A', hero_image: 'https://a.example/hero.png' },
        tech_meta: { partial: true, reasons: ['html_cap'], scanned_bytes: 1_000, duration_ms: 12 },
        _completeness: 0.875,
        _confidence: 0.875,
        _extraction_method: 'deterministic',
        _latency_ms: 321,
      },
    ]);
    expect(answer.headers.get('x-credits-consumed')).toBe('1');
    expect(api.recorded).toEqual([
      expect.objectContaining({ operation: 'enrich', credits: 1, costMicroUsd: 0 }),
    ]);
  });

  it('uses the defaults of the specification', async () => {
    const tasks = await fakeFetcher();
    await ask({ domain: 'a.example' });
    const isFixed = path === '/v1/enrich';
    expect(tasks).toEqual([
      {
        requestId: expect.any(String),
        tenantId: api.tenantId,
        plan: 'pro',
        url: 'https://a.example/',
        pages: isFixed ? 'fixed' : 'chosen',
        maxPages: isFixed ? 7 : 10,
        includeEmails: true,
        includeTech: true,
        includeTeam: true,
        includeBrand: false,
        deepTech: false,
        useModel: false,
        maxAgeMs: 0,
        deadlineAtMs: expect.any(Number),
      },
    ]);
  });

  it.each([
    [1, 1, 1],
    [7, 7, 7],
    [8, 7, 8],
    [20, 7, 20],
    [21, 7, 20],
    [1e9, 7, 20],
  ])('reads at most: maxPages %d', async (maxPages, fixed, chosen) => {
    const tasks = await fakeFetcher();
    await ask({ domain: 'a.example', maxPages });
    expect(tasks[0]?.maxPages).toBe(path === '/v1/enrich' ? fixed : chosen);
  });

  it('passes on the include options', async () => {
    const tasks = await fakeFetcher();
    const asked = {
      includeEmails: false,
      includeTech: false,
      includeTeam: false,
      includeBrand: true,
      deepTech: true,
    };
    await ask({ url: 'http://a.example/some/page', maxAge: 5_000, ...asked });
    expect(tasks[0]).toMatchObject({ url: 'http://a.example/', maxAgeMs: 5_000, ...asked });
  });

  it('shows the sources of a deep scan, the age of a cached result, and that a model was used', async () => {
    const tech = { ...ENRICHMENT.tech, sources: ['html', 'runtime', 'network'], reasons: [] };
    await fakeFetcher(
      enriched({ tech: tech as unknown as Enrichment['tech'], isByModel: true, cacheAgeMs: 7 }),
    );
    expect((await ask({ domain: 'a.example' })).body).toMatchObject({
      tech_meta: { partial: false, reasons: [], sources: ['html', 'runtime', 'network'] },
      _extraction_method: 'deterministic+llm',
      _cache_age_ms: 7,
    });
  });

  it('shows the brand, or an error', async () => {
    const brand = {
      domain: 'a.example',
      name: 'A',
      colors: [{ hex: '#ff0000', rgb: [255, 0, 0], frequency: 3 }],
      fonts: ['Inter'],
      socials: {},
      confidence: 0.6,
      provenance: { colors: 'https://a.example/a.css' },
      reasons: ['css_cap'],
      freshness: '2026-01-01T00:00:00.000Z',
    } as const;
    await fakeFetcher(enriched({ brand }));
    expect((await ask({ domain: 'a.example', includeBrand: true })).body).toMatchObject({
      brand: {
        domain: 'a.example',
        name: 'A',
        colors: [{ hex: '#ff0000', rgb: [255, 0, 0], frequency: 3 }],
        fonts: ['Inter'],
        _confidence: 0.6,
        _provenance: { colors: 'https://a.example/a.css' },
        _freshness: '2026-01-01T00:00:00.000Z',
      },
      brand_meta: { partial: true, reasons: ['css_cap'] },
    });
    await start();
    await fakeFetcher();
    expect((await ask({ domain: 'a.example', includeBrand: true })).body).toMatchObject({
      brand: {},
      brand_meta: { partial: true, reasons: [] },
    });
  });

  it('charges nothing if there are no results', async () => {
    await fakeFetcher({ kind: 'enriched', enrichment: EMPTY });
    const answer = await ask({ domain: 'a.example', includeTech: false });
    expect(answer.headers.get('x-credits-consumed')).toBe('0');
    expect(answer.body).not.toHaveProperty('tech_meta');
    expect(answer.body).toMatchObject({ tech_stack: [] });
    expect(api.recorded).toEqual([]);
  });

  describe('with a model', () => {
    it('records the model cost beside the credit', async () => {
      const tasks = await fakeFetcher(enriched({ isByModel: true, usage: USAGE }));
      await ask({ domain: 'a.example', useModel: true });
      expect(tasks[0]?.useModel).toBe(true);
      expect(api.recorded).toMatchObject([{ credits: 1, costMicroUsd: 77 }]);
    });

    it.each<[string, StartOptions, object]>([
      ['the plan is free', { plan: 'free' }, {}],
      ['none is configured', { settings: { llmModelLow: '' } }, {}],
      ['the team is excluded', {}, { includeTeam: false }],
    ])('uses none when %s', async (_why, options, body) => {
      await start(options);
      const tasks = await fakeFetcher();
      await ask({ domain: 'a.example', useModel: true, ...body });
      expect(tasks[0]?.useModel).toBe(false);
    });
  });

  describe('a bare domain', () => {
    it('is fetched by http when https fails, and charged once', async () => {
      const tasks = await api.fakeFetcher<EnrichTask>('enrich', ({ url }) =>
        url.startsWith('https:')
          ? { kind: 'failed', problem: 'Fetch failed: network' }
          : enriched(),
      );
      expect((await ask({ domain: 'a.example' })).status).toBe(200);
      expect(tasks.map(({ url }) => url)).toEqual(['https://a.example/', 'http://a.example/']);
      expect(new Set(tasks.map(({ requestId }) => requestId)).size).toBe(2);
      expect(api.recorded.length).toBe(1);
    });

    it('fails with the error of https when both fail', async () => {
      await api.fakeFetcher<EnrichTask>('enrich', ({ url }) => ({
        kind: 'failed',
        problem: `no ${url}`,
      }));
      expect((await ask({ domain: 'a.example' })).body).toMatchObject({
        error: 'no https://a.example/',
      });
    });
  });

  it.each<[string, unknown, number, object]>([
    ['no domain', {}, 400, { error: '`domain` is required', hint: expect.any(String) }],
    [
      'an empty domain',
      { domain: '' },
      400,
      { error: '`domain` is required', hint: expect.any(String) },
    ],
    ['no text', { domain: 7 }, 400, { error: '`domain` must be a string' }],
    ['no address', { domain: 'http://' }, 400, { error: 'Invalid URL', hint: expect.any(String) }],
    [
      'a private address',
      { domain: 'http://10.0.0.1/' },
      400,
      { ok: false, error: 'Blocked URL: http://10.0.0.1/', hint: expect.any(String) },
    ],
    ['this machine', { domain: 'localhost' }, 400, { ok: false }],
    ['an unknown field', { domain: 'a.example', maxpages: 3 }, 400, {}],
    ['no page', { domain: 'a.example', maxPages: 0 }, 400, {}],
    ['half a page', { domain: 'a.example', maxPages: 1.5 }, 400, {}],
    ['no JSON', 'nothing', 400, { error: 'Invalid JSON body', hint: expect.any(String) }],
  ])('rejects %s before anything is fetched', async (_what, body, status, expected) => {
    const tasks = await fakeFetcher();
    const answer = await ask(body);
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining(expected)]);
    expect([tasks, api.recorded]).toEqual([[], []]);
  });

  it.each<[EnrichReply, number, object]>([
    [
      { kind: 'failed', problem: 'Fetch failed: HTTP 503' },
      422,
      { ok: false, error: 'Fetch failed: HTTP 503', url: 'http://a.example/' },
    ],
    [
      { kind: 'blocked', url: 'http://a.example/' },
      400,
      { ok: false, error: 'Blocked URL: http://a.example/', hint: expect.any(String) },
    ],
  ])('fails for a site that cannot be read, free of charge: %j', async (reply, status, body) => {
    await fakeFetcher(reply);
    const answer = await ask({ domain: 'http://a.example' });
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining(body)]);
    expect(api.recorded).toEqual([]);
  });

  it('needs a key', async () => {
    const response = await fetch(`${api.url}${path}`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });
});
