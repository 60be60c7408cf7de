import type { ConvertTask, ScrapeTask } from '@app/contracts';
import { until } from '@app/testing';
import {
  converted,
  failedScrape,
  LISTING,
  OUTPUT,
  FAKE_PAGE_URL as URL,
  PRICE_SCHEMA,
  served as page,
  USAGE,
} from '../../test/fake-replies.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../test/started-api.js';

describe('POST /v1/extract', () => {
  let api: StartedApi;

  const start = async (options: StartOptions = {}) => {
    await api?.stop();
    api = await startTestApi(options);
  };
  beforeEach(() => start());
  afterEach(() => api.stop());

  const extract = (body: unknown) => api.client.call('POST', '/v1/extract', body);

  describe('without a schema', () => {
    it('returns the listing with its scores and provenance, free of charge', async () => {
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page({ listing: LISTING }));
      const answer = await extract({ url: URL });
      expect([answer.status, answer.body]).toEqual([200, { url: URL, data: LISTING }]);
      expect(answer.headers.get('x-credits-consumed')).toBe('0');
      expect(api.recorded).toEqual([]);
      expect(tasks).toMatchObject([
        { url: URL, tenantId: api.tenantId, formats: [], listing: true, llm: null, maxAgeMs: 0 },
      ]);
    });

    it('returns null when the page shows no business', async () => {
      await api.fakeFetcher('scrape', () => page({ listing: null }));
      expect((await extract({ url: URL })).body).toEqual({
        url: URL,
        data: null,
        reason: 'no_listing',
      });
    });

    it('returns the URL after redirects, and the limit that cut the page', async () => {
      await api.fakeFetcher('scrape', () =>
        page({ url: 'http://a.example/moved', listing: LISTING, partialReason: 'timeout' }),
      );
      expect((await extract({ url: URL })).body).toMatchObject({
        url: 'http://a.example/moved',
        partial: true,
        partial_reason: 'timeout',
      });
    });

    it('works where no model is configured', async () => {
      await start({ settings: { llmBaseUrl: undefined } });
      await api.fakeFetcher('scrape', () => page({ listing: LISTING }));
      expect((await extract({ url: URL })).status).toBe(200);
    });
  });

  describe('with a schema', () => {
    it('returns data by the schema, the model cost, and quotes beside the data', async () => {
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page({ llm: OUTPUT }));
      const answer = await extract({ url: URL, schema: PRICE_SCHEMA });
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          url: URL,
          data: { price: 12.5 },
          schema: PRICE_SCHEMA,
          metadata: {
            model: 'low-model',
            costUsd: 0.000168,
            inputTokens: 1_000,
            outputTokens: 100,
            latencyMs: expect.any(Number),
          },
          _provenance: { '/price': { quote: '$12.50' } },
        },
      ]);
      expect(answer.headers.get('x-credits-consumed')).toBe('1');
      const [task] = tasks;
      expect(task).toMatchObject({
        listing: false,
        llm: { modelClass: 'low', json: { schema: PRICE_SCHEMA }, summary: false },
      });
      expect(api.recorded).toEqual([
        {
          tenantId: api.tenantId,
          operation: 'extract',
          chargeId: task?.requestId,
          credits: 1,
          costMicroUsd: 168,
        },
      ]);
    });

    it('adds the time of the model', async () => {
      await start({ settings: { scrapeTimeoutMs: 10_000, llmTimeoutMs: 20_000 } });
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page({ llm: OUTPUT }));
      const startedAt = Date.now();
      await extract({ url: URL, schema: PRICE_SCHEMA });
      const deadlineAtMs = tasks[0]?.deadlineAtMs ?? 0;
      expect(deadlineAtMs - startedAt).toBeGreaterThanOrEqual(30_000);
      expect(deadlineAtMs - Date.now()).toBeLessThan(35_000);
    });

    it.each([
      ['free', {}, 'free'],
      ['free', { complexity: 'high' }, 'free'],
      ['hobby', {}, 'low'],
      ['custom', { complexity: 'low' }, 'low'],
      ['custom', { complexity: 'high' }, 'high'],
    ] as const)(
      'on the plan %s with %j uses a model of class %s',
      async (plan, more, modelClass) => {
        await start({ plan });
        const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page({ llm: OUTPUT }));
        await extract({ url: URL, schema: PRICE_SCHEMA, ...more });
        expect(tasks[0]?.llm?.modelClass).toBe(modelClass);
      },
    );

    it.each([
      ['all of it null', { price: null, tags: [] }],
      ['nothing in it', {}],
      ['null', null],
    ])('costs no credit when the page has none of the data: %s', async (_, json) => {
      await api.fakeFetcher('scrape', () => page({ llm: { ...OUTPUT, json } }));
      const answer = await extract({ url: URL, schema: PRICE_SCHEMA });
      expect(answer.body).toMatchObject({ data: json });
      expect(answer.headers.get('x-credits-consumed')).toBe('0');
      // The model cost money all the same.
      expect(api.recorded).toMatchObject([{ credits: 0, costMicroUsd: 168 }]);
    });

    it('returns no data for a blank page, free of charge', async () => {
      await api.fakeFetcher('scrape', () => page({ partialReason: 'empty' }));
      expect((await extract({ url: URL, schema: PRICE_SCHEMA })).body).toMatchObject({
        data: null,
        partial_reason: 'empty',
        metadata: { model: null, costUsd: 0 },
      });
      expect(api.recorded).toEqual([]);
    });

    it.each([
      ['llm_failed', 503, 'The model did not answer: it is tired'],
      ['llm_timeout', 503, 'The model did not answer: it is tired'],
      [
        'llm_budget',
        422,
        'The model budget of one request does not cover this content: it is tired',
      ],
      ['llm_quota', 429, 'it is tired'],
      ['llm_invalid', 422, "The model's output did not match `schema`: it is tired"],
      [
        'llm_schema',
        422,
        '`schema` it is tired, so no model was called and nothing is charged. Simplify it: fewer sub-schemas and fewer references.',
      ],
    ] as const)(
      '%s fails without a charge, and its cost is recorded',
      async (problem, status, error) => {
        const message = 'it is tired';
        await api.fakeFetcher('scrape', () => page({ llm: { problem, message, usage: USAGE } }));
        const answer = await extract({ url: URL, schema: PRICE_SCHEMA });
        expect([answer.status, answer.body]).toMatchObject([
          status,
          { error, reason: problem, metadata: { model: 'low-model', costUsd: 0.000168 } },
        ]);
        expect(answer.headers.get('x-credits-consumed')).toBeNull();
        expect(api.recorded).toMatchObject([
          { operation: 'extract', credits: 0, costMicroUsd: 168 },
        ]);
      },
    );

    it.each([
      [{ llmBaseUrl: undefined }, 'Set LLM_BASE_URL.'],
      [{ llmModelHigh: '' }, 'Set LLM_MODEL_HIGH.'],
      [{ llmBaseUrl: undefined, llmModelHigh: '' }, 'Set LLM_BASE_URL and LLM_MODEL_HIGH.'],
    ])(
      'without a model (%j) names the missing settings before anything is fetched',
      async (settings, text) => {
        await start({ settings });
        const tasks = await api.fakeFetcher('scrape', () => page());
        const answer = await extract({ url: URL, schema: PRICE_SCHEMA, complexity: 'high' });
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, null]);
        expect(answer.body).toEqual({ error: expect.stringContaining(text) });
        expect([tasks, api.recorded]).toEqual([[], []]);
      },
    );

    it.each([{ url: URL }, { urls: [URL] }, { html: '<p>x</p>' }, { markdown: 'x' }])(
      'without a model fails before the schema is read: %j',
      async (source) => {
        await start({ settings: { llmBaseUrl: undefined } });
        const answer = await extract({ ...source, schema: {} });
        expect([answer.status, answer.body]).toEqual([
          503,
          { error: expect.stringContaining('No model configured') },
        ]);
      },
    );

    it('passes on a field named constructor', async () => {
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page({ llm: OUTPUT }));
      const schema = { type: 'object', properties: { constructor: { type: 'string' } } };
      await extract({ url: URL, schema });
      expect(tasks[0]?.llm?.json?.schema).toEqual(schema);
    });
  });

  describe('of content in the request', () => {
    /** A fake converter that reads its source. */
    const fakeFetcher = async (reply: object) => {
      const sources: string[] = [];
      const tasks = await api.fakeFetcher<ConvertTask>('convert', async ({ source }) => {
        const text = await api.blobs.read(source.key, undefined, 100_000_000);
        sources.push(text.toString());
        return converted(reply);
      });
      return { sources, tasks };
    };

    it('reads a listing from HTML, fetches nothing, and keeps no copy', async () => {
      const fetches = await api.fakeFetcher('scrape', () => page());
      const { sources, tasks } = await fakeFetcher({ listing: LISTING });
      const html = '<h1>Crème brûlée</h1>';
      const answer = await extract({ html });
      expect([answer.status, answer.body]).toEqual([200, { url: null, data: LISTING }]);
      expect(sources).toEqual([html]);
      expect(tasks).toMatchObject([
        {
          tenantId: api.tenantId,
          source: { kind: 'html', url: null },
          listing: true,
          llm: null,
          chunks: false,
        },
      ]);
      expect(tasks[0]?.source.key).toBe(`uploads/${api.tenantId}/${tasks[0]?.requestId}.html`);
      expect([fetches, api.recorded]).toEqual([[], []]);
      await until(async () => (await api.blobKeys()).length === 0, { what: 'no blob is left' });
    });

    it('accepts any URL as the base, a private one too', async () => {
      const { tasks } = await fakeFetcher({ listing: null });
      const url = 'http://10.0.0.1/menu';
      expect((await extract({ html: '<p>x</p>', url })).body).toMatchObject({ url, data: null });
      expect(tasks[0]?.source.url).toBe(url);
    });

    it.each([
      [{ markdown: '# M' }, 'markdown', '# M'],
      [{ html: '<p>h</p>' }, 'html', '<p>h</p>'],
      [{ html: '<p>h</p>', markdown: '# M' }, 'html', '<p>h</p>'],
      [{ html: '<p>h</p>', markdown: '# M', schema: PRICE_SCHEMA }, 'markdown', '# M'],
      [{ html: '<p>h</p>', schema: PRICE_SCHEMA }, 'html', '<p>h</p>'],
    ])('of %j reads the %s', async (body, kind, text) => {
      const { sources, tasks } = await fakeFetcher({ listing: LISTING, llm: OUTPUT });
      expect((await extract(body)).status).toBe(200);
      expect([tasks[0]?.source.kind, sources]).toEqual([kind, [text]]);
      expect(tasks[0]?.listing).toBe(!('schema' in body));
      expect(tasks[0]?.llm === null).toBe(!('schema' in body));
    });

    it('charges a schema as for a page', async () => {
      const { tasks } = await fakeFetcher({ llm: OUTPUT, truncatedBy: 'html_bytes' });
      const answer = await extract({ markdown: '# M', schema: PRICE_SCHEMA });
      expect(answer.body).toMatchObject({
        url: null,
        data: OUTPUT.json,
        metadata: { model: 'low-model' },
        partial_reason: 'html_bytes',
      });
      expect(api.recorded).toMatchObject([
        { operation: 'extract', credits: 1, costMicroUsd: 168, chargeId: tasks[0]?.requestId },
      ]);
    });

    it('reports the problem free of charge, and keeps no copy', async () => {
      await api.fakeFetcher('convert', () => ({
        kind: 'failed',
        problem: 'timeout',
        message: 'Too slow',
      }));
      const answer = await extract({ html: '<p>x</p>' });
      expect([answer.status, answer.body]).toEqual([
        422,
        { ok: false, error: 'Too slow', reason: 'timeout' },
      ]);
      expect(api.recorded).toEqual([]);
      await until(async () => (await api.blobKeys()).length === 0, { what: 'no blob is left' });
    });

    it('keeps no copy when no fetcher converts it', async () => {
      await start({ settings: { scrapeTimeoutMs: 50 } });
      const answer = await extract({ html: '<p>x</p>' });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      await until(async () => (await api.blobKeys()).length === 0, { what: 'no blob is left' });
    });
  });

  it('reports the attempts for a page that could not be fetched, free of charge', async () => {
    await api.fakeFetcher('scrape', () => failedScrape());
    const answer = await extract({ url: URL, schema: PRICE_SCHEMA });
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        ok: false,
        error: 'Fetch failed: HTTP 404',
        url: URL,
        cascade: { level: 1, attempts: [] },
        unblock: { attempts: [] },
      },
    ]);
    expect(api.recorded).toEqual([]);
  });

  it('needs a key before its body is read', async () => {
    const response = await fetch(`${api.url}/v1/extract`, { method: 'POST', body: '{' });
    expect(response.status).toBe(401);
  });
});
