import { NO_USAGE, type ScrapeTask } from '@app/contracts';
import {
  failedScrape,
  FILE,
  LISTING,
  FAKE_PAGE_URL as URL,
  PRICE_SCHEMA,
  served as page,
  USAGE,
} from '../../test/fake-replies.js';
import { presentUse } from '../models/model-request.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../test/started-api.js';

describe('the listing of POST /v1/scrape', () => {
  let api: StartedApi;

  const start = async (options: StartOptions = {}) => {
    await api?.stop();
    api = await startTestApi(options);
  };
  beforeEach(() => start());
  afterEach(() => api.stop());

  const scrape = (body: object) => api.client.scrape({ url: URL, ...body });

  it('reports the status of the site when the page could not be fetched, and none otherwise', async () => {
    const replies = [
      failedScrape({ statusCode: 404 }),
      failedScrape({ problem: 'Fetch failed: network' }),
    ];
    await api.fakeFetcher('scrape', () => replies.shift());
    expect(await scrape({})).toMatchObject({ status: 422, body: { ok: false, statusCode: 404 } });
    const { status, body } = await scrape({});
    expect(status).toBe(422);
    expect(body).not.toHaveProperty('statusCode');
  });

  it('names the use that the site does not allow', async () => {
    const refusedUse = { aiTrain: false, sources: ['robots.txt'] };
    const problem = 'Fetch failed: the site does not allow ai-train';
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () =>
      failedScrape({ problem, refusedUse }),
    );
    expect(await scrape({ respectUse: 'ai-train' })).toMatchObject({
      status: 422,
      body: { ok: false, error: problem, contentUse: refusedUse },
    });
    expect(tasks[0]?.respectUse).toBe('ai-train');
    expect(await scrape({ respectUse: 'reading' })).toMatchObject({
      status: 400,
      body: { error: '`respectUse` must be one of search, ai-input, ai-train' },
    });
  });

  describe('the listing', () => {
    it('is included by default, with its layer and score in the metadata', async () => {
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page({ listing: LISTING }));
      const answer = await scrape({});
      expect(answer.body).toMatchObject({
        ok: true,
        markdown: '# A',
        listing: { name: LISTING.name, _completeness: 0.5 },
        metadata: { title: 'A', extractionMethod: 'json-ld', confidence: 0.5 },
      });
      expect(answer.body).not.toHaveProperty('formats');
      expect(answer.body).not.toHaveProperty('listing._provenance');
      expect(tasks).toMatchObject([{ listing: true, llm: null, chunks: false }]);
    });

    it('includes its provenance on request', async () => {
      await api.fakeFetcher('scrape', () => page({ listing: LISTING }));
      const { body } = await scrape({ listingProvenance: true });
      expect(body).toHaveProperty('listing', LISTING);
    });

    it('is null when the page shows no business', async () => {
      await api.fakeFetcher('scrape', () => page({ listing: null }));
      const { body } = await scrape({});
      expect(body).toHaveProperty('listing', null);
      expect(body).not.toHaveProperty('metadata.extractionMethod');
    });

    it('is absent when it is disabled', async () => {
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page());
      expect((await scrape({ extractListing: false })).body).not.toHaveProperty('listing');
      expect(tasks[0]?.listing).toBe(false);
    });
  });

  describe('the product', () => {
    it.each([
      [
        'one',
        { name: 'Lamp', _confidence: 1, _extraction_method: 'text', _provenance: {} } as const,
      ],
      ['none', null],
    ])('is under formats where the page is about %s', async (_, product) => {
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page({ product }));
      const { body } = await scrape({ formats: ['product'] });
      expect(body).toMatchObject({ formats: { product } });
      expect(tasks[0]?.formats).toEqual(['product']);
    });
  });

  describe('parts of the Markdown', () => {
    const PASSAGE = {
      text: 'A',
      headings: [],
      start: 0,
      end: 1,
      score: 1,
      url: `${URL}#:~:text=A`,
    };
    const CUT = { tokens: 100, leftOutTokens: 5, leftOut: ['B'] };

    it('are passages under formats, and what was left out beside the text', async () => {
      const parts = { passages: [PASSAGE], markdownCut: CUT };
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page(parts));
      const question = { type: 'passages', query: 'what is a?' };
      const alone = await scrape({ formats: [question] });
      expect(alone.body).toMatchObject({ formats: { passages: [PASSAGE] } });
      expect(alone.body).not.toHaveProperty('markdown');
      const both = await scrape({
        formats: ['markdown', { ...question, max: 50 }],
        maxTokens: 100,
      });
      expect(both.body).toMatchObject({ markdown: '# A', markdownCut: CUT });
      expect(tasks).toMatchObject([
        { formats: [], passages: { query: 'what is a?', max: 5 } },
        { formats: ['markdown'], passages: { max: 50 }, maxTokens: 100 },
      ]);
    });

    it.each<[object, RegExp]>([
      [{ formats: [{ type: 'passages' }] }, /^`formats`: passages need a `query`/],
      [{ formats: [{ type: 'passages', query: ' ' }] }, /need a `query`/],
      [{ formats: [{ type: 'passages', query: 'x'.repeat(501) }] }, /up to 500 characters/],
      [{ formats: [{ type: 'passages', query: 'a\0' }] }, /need a `query`/],
      [{ formats: [{ type: 'passages', query: 'a', max: 0 }] }, /`max` of passages .* 1 to 50$/],
      [{ formats: [{ type: 'passages', query: 'a', max: 51 }] }, /`max` of passages/],
      [{ formats: [{ type: 'passages', query: 'a', limit: 5 }] }, /have no field `limit`$/],
      [{ formats: [{ type: 'passages', query: 'a', rerank: 1 }] }, /`rerank` .* true or false$/],
      [{ formats: [{ type: 'markdown' }] }, /needs the `type` "passages"/],
      [{ formats: [5] }, /must hold names, or an object/],
      [{ formats: [['markdown']] }, /must hold names, or an object/],
      [{ formats: ['passages'] }, /unsupported value; supported values are markdown/],
      [{ maxTokens: 99 }, /`maxTokens` must be .*100/],
      [{ maxTokens: 1_000_001 }, /`maxTokens` must be/],
    ])('that are not understood are refused: %j', async (body, error) => {
      expect(await scrape(body)).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(error) },
      });
    });
  });

  describe('with a model', () => {
    it('puts JSON, summary and branding under formats, and the cost into the metadata', async () => {
      const llm = { json: { price: 1 }, summary: 'A page.', usage: USAGE };
      const branding = { logo: 'http://a.example/l.svg' };
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page({ llm, branding }));
      const answer = await scrape({
        formats: ['json', 'summary', 'branding'],
        schema: PRICE_SCHEMA,
      });
      expect(answer.body).toMatchObject({
        formats: { json: { price: 1 }, summary: 'A page.', branding },
        metadata: {
          llm: { model: 'low-model', costUsd: 0.000168, inputTokens: 1_000, outputTokens: 100 },
        },
      });
      expect(answer.body).not.toHaveProperty('markdown');
      expect(answer.body).not.toHaveProperty('partial');
      expect(tasks[0]?.llm).toEqual({
        modelClass: 'low',
        json: { schema: PRICE_SCHEMA },
        summary: true,
      });
      expect(api.recorded).toMatchObject([{ operation: 'scrape', credits: 1, costMicroUsd: 168 }]);
    });

    it.each([
      ['free', { formats: ['json'] }, 'free'],
      ['free', { formats: ['json'], schema: PRICE_SCHEMA }, 'free'],
      ['hobby', { formats: ['json'] }, 'top'],
      ['hobby', { formats: ['json', 'summary'] }, 'top'],
      ['hobby', { formats: ['json'], schema: PRICE_SCHEMA }, 'low'],
      ['hobby', { formats: ['json'], jsonSchema: PRICE_SCHEMA }, 'low'],
      ['hobby', { formats: ['json'], schema: PRICE_SCHEMA, jsonSchema: PRICE_SCHEMA }, 'low'],
      ['hobby', { formats: ['summary'] }, 'low'],
      ['hobby', { formats: ['markdown', 'branding'] }, undefined],
      ['hobby', { formats: ['markdown'], schema: PRICE_SCHEMA }, undefined],
      ['hobby', { formats: ['json'], schema: null }, 'top'],
    ] as const)('on the plan %s with %j uses the class %s', async (plan, body, modelClass) => {
      await start({ plan });
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () =>
        page({ llm: { usage: USAGE } }),
      );
      await scrape(body);
      expect(tasks[0]?.llm?.modelClass).toBe(modelClass);
    });

    it('ranks passages where that is asked for, and charges what it costs beside a copy', async () => {
      await start({ settings: { scrapeTimeoutMs: 10_000, llmTimeoutMs: 20_000 } });
      const usage = { ...USAGE, costMicroUsd: 7 };
      const copy = { cacheAgeMs: 5, llm: { usage }, passages: [] };
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page(copy));
      const startedAt = Date.now();
      const entry = { type: 'passages', query: 'a', rerank: true };
      const { body } = await scrape({ formats: [entry] });
      expect(body).toMatchObject({ formats: { passages: [] }, metadata: { llm: {} } });
      expect(tasks[0]).toMatchObject({ llm: null, passages: { rerank: 'low' } });
      expect(Number(tasks[0]?.deadlineAtMs) - startedAt).toBeGreaterThanOrEqual(30_000);
      expect(api.recorded).toMatchObject([{ credits: 1, costMicroUsd: 7 }]);
    });

    it('adds the time of the model', async () => {
      await start({ settings: { scrapeTimeoutMs: 10_000, llmTimeoutMs: 20_000 } });
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => page());
      const startedAt = Date.now();
      await scrape({ formats: ['summary'], waitFor: 1_000 });
      await scrape({});
      const [withModel, without] = tasks.map(({ deadlineAtMs }) => deadlineAtMs);
      expect(Number(withModel) - startedAt).toBeGreaterThanOrEqual(31_000);
      expect(Number(without) - Date.now()).toBeLessThan(20_000);
    });

    it.each(['llm_failed', 'llm_timeout', 'llm_budget', 'llm_invalid'])(
      'that ends in %s still returns the page, and reports it',
      async (problem) => {
        const llm = { problem, message: 'why', usage: USAGE };
        await api.fakeFetcher('scrape', () =>
          page({ llm, fallback: { from: 'plain', to: 'headless' } }),
        );
        const answer = await scrape({ formats: ['markdown', 'json'], schema: PRICE_SCHEMA });
        expect(answer).toMatchObject({
          status: 200,
          body: {
            markdown: '# A',
            formats: { markdown: '# A', json: null },
            partial: true,
            partial_reason: problem,
          },
        });
        // Never both (specification: Scrape result).
        expect(answer.body).not.toHaveProperty('fallback');
        expect(api.recorded).toMatchObject([{ credits: 1, costMicroUsd: 168 }]);
      },
    );

    it('rejects a schema that cannot be compiled, and charges nothing', async () => {
      const message = 'takes more than 2000 ms of CPU time to compile';
      const llm = { problem: 'llm_schema', message, usage: NO_USAGE };
      await api.fakeFetcher('scrape', () => page({ llm }));
      const answer = await scrape({ formats: ['markdown', 'json'], schema: PRICE_SCHEMA });
      expect(answer).toMatchObject({
        status: 422,
        body: {
          error: expect.stringMatching(/^`schema` takes more than 2000 ms .* Simplify it/),
          reason: 'llm_schema',
        },
      });
      expect(answer.headers.get('x-credits-consumed')).toBeNull();
      expect(api.recorded).toEqual([]);
    });

    it('reports a partial page before a failed model', async () => {
      const llm = { problem: 'llm_failed', usage: USAGE };
      await api.fakeFetcher('scrape', () => page({ llm, partialReason: 'timeout' }));
      expect((await scrape({ formats: ['json'] })).body).toMatchObject({
        partial_reason: 'timeout',
      });
    });

    it('that was shown a blank page costs no credit', async () => {
      await api.fakeFetcher('scrape', () =>
        page({ partialReason: 'empty', llm: { usage: USAGE } }),
      );
      const answer = await scrape({ formats: ['summary'] });
      expect(answer.headers.get('x-credits-consumed')).toBe('0');
      expect(api.recorded).toMatchObject([{ credits: 0, costMicroUsd: 168 }]);
    });

    it.each([
      [{ formats: ['json'] }, 'Set LLM_BASE_URL and LLM_MODEL_TOP.'],
      [{ formats: ['json'], schema: PRICE_SCHEMA }, 'Set LLM_BASE_URL.'],
      [{ formats: ['summary'] }, 'Set LLM_BASE_URL.'],
      // The schema is not checked at all.
      [{ formats: ['json'], schema: {} }, 'Set LLM_BASE_URL.'],
      [{ formats: ['summary'], jsonSchema: {} }, 'Set LLM_BASE_URL.'],
    ])('without a configured one fails before anything is fetched: %j', async (body, text) => {
      await start({ settings: { llmBaseUrl: undefined, llmModelTop: '' } });
      const tasks = await api.fakeFetcher('scrape', () => page());
      const answer = await scrape(body);
      expect([answer.status, answer.body]).toEqual([503, { error: expect.stringContaining(text) }]);
      expect(answer.headers.get('retry-after')).toBeNull();
      expect([tasks, api.recorded]).toEqual([[], []]);
    });

    it('is not needed for anything else', async () => {
      await start({ settings: { llmBaseUrl: undefined } });
      await api.fakeFetcher('scrape', () => page({ branding: {} }));
      expect((await scrape({ formats: ['markdown', 'branding'] })).status).toBe(200);
    });

    it.each([
      [
        'two schemas',
        { schema: PRICE_SCHEMA, jsonSchema: { type: 'object' } },
        '`schema` and `jsonSchema` are two names',
      ],
      ['a schema of the wrong type', { schema: 'x' }, '`schema` must be an object'],
      ['a list', { jsonSchema: [] }, '`jsonSchema` must be an object'],
      ['a remote part', { schema: { $ref: 'http://b.example/s' } }, '`schema` '],
      [
        'a wrong schema without JSON',
        { formats: ['links'], schema: { $ref: 'http://b.example/s' } },
        '`schema` ',
      ],
    ])('refuses %s', async (_, body, error) => {
      const answer = await scrape({ formats: ['json'], ...body });
      expect(answer.status).toBe(400);
      expect((answer.body as { error: string }).error).toContain(error);
    });
  });

  describe('of a document file', () => {
    it('returns the five fields of a PDF', async () => {
      await api.fakeFetcher('scrape', () => page({ file: FILE, listing: null }));
      const answer = await scrape({});
      expect([answer.status, answer.body]).toEqual([
        200,
        { url: URL, ok: true, isPdf: true, markdown: '# Report', text: 'Report' },
      ]);
      expect(api.recorded).toMatchObject([{ credits: 1 }]);
    });

    it('names another kind, and says how it was fetched', async () => {
      await api.fakeFetcher('scrape', () => page({ file: { ...FILE, format: 'docx' } }));
      const { body } = await scrape({});
      expect(body).toMatchObject({ isPdf: false, format: 'docx', statusCode: 200 });
      expect(body).toMatchObject({ cascade: { level: 1 }, metadata: { fetchMethod: 'plain' } });
    });

    it('adds the requested outputs, and the limit that cut the file', async () => {
      const llm = { json: { price: 1 }, usage: USAGE };
      await api.fakeFetcher('scrape', () => page({ file: { ...FILE, truncatedBy: 'pages' }, llm }));
      expect((await scrape({ formats: ['links', 'json'], schema: PRICE_SCHEMA })).body).toEqual({
        url: URL,
        ok: true,
        isPdf: true,
        markdown: '# Report',
        text: 'Report',
        formats: { links: ['http://b.example/'], json: { price: 1 } },
        metadata: { llm: presentUse(USAGE) },
        partial: true,
        partial_reason: 'pages',
      });
    });

    it('that no model could read is not charged, but the model cost is recorded', async () => {
      await api.fakeFetcher('scrape', () => failedScrape({ file: 'no_text', usage: USAGE }));
      expect((await scrape({})).status).toBe(422);
      expect(api.recorded).toMatchObject([{ operation: 'scrape', credits: 0, costMicroUsd: 168 }]);
    });

    it.each([
      ['encrypted', 422, { ok: false, error: 'Could not extract text from file / document' }],
      ['docx_unavailable', 415, { error: 'DOCX parsing not available' }],
    ])('that is %s reports it with the attempts', async (file, status, body) => {
      await api.fakeFetcher('scrape', () => failedScrape({ problem: 'Why', file }));
      const answer = await scrape({});
      expect([answer.status, answer.body]).toEqual([
        status,
        {
          ...body,
          url: URL,
          cascade: { level: 1, attempts: [] },
          unblock: { attempts: [] },
          reason: file,
          message: 'Why',
        },
      ]);
      expect(api.recorded).toEqual([]);
    });
  });
});
