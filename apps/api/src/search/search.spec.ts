import { MAX_TASK_BYTES } from '@app/broker';
import type { ScrapeTask } from '@app/contracts';
import type { CitedAnswerTask, FoundPage, SearchTask, WebSearchTask } from '@app/search';
import { until } from '@app/testing';
import { served, USAGE } from '../../test/fake-replies.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../test/started-api.js';
import type { SearchResult } from './search.dto.js';

const found = (count: number): readonly FoundPage[] =>
  Array.from({ length: count }, (_, at) => ({
    url: `https://a.example/${at + 1}`,
    title: `Title ${at + 1}`,
    snippet: `Snippet ${at + 1}`,
  }));

describe('POST /v1/search', () => {
  let api: StartedApi;
  const start = async (options: StartOptions = {}): Promise<void> => {
    api = await startTestApi({ plan: 'pro', ...options });
  };
  afterEach(() => api.stop());

  /** Fakes the fetchers' part: these results, and an answer. */
  const searches = (results: readonly FoundPage[], answer: string | null = null) =>
    api.fakeFetcher<SearchTask>('search', (task) =>
      task.kind === 'web'
        ? { kind: 'found', source: 'serp_provider', results, attempts: [] }
        : { kind: 'answered', answer, usage: USAGE },
    );
  const post = (body: object) => api.client.call('POST', '/v1/search', { query: 'q', ...body });
  const resultOf = async (body: object): Promise<SearchResult> => {
    const answer = await post(body);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.anything()]);
    return answer.body as SearchResult;
  };

  it('clamps the limit by the plan', async () => {
    await start();
    const tasks = await searches(found(3));
    await resultOf({ limit: 5_000 });
    await resultOf({});
    expect(tasks.map((task) => task.kind === 'web' && task.limit)).toEqual([100, 10]);
  });

  it('reserves by the limit and charges by ten results begun', async () => {
    await start({ credits: 20 });
    await searches(found(11));
    const answer = await post({ limit: 100 });
    expect(answer.headers.get('x-credits-consumed')).toBe('4');
    expect(answer.headers.get('x-credits-remaining')).toBe('16');
  });

  it('is refused with 402 when the credits do not cover its limit', async () => {
    await start({ plan: 'free', credits: 1 });
    expect((await post({})).status).toBe(403);
    await api.stop();
    await start({ credits: 'lost' });
    expect((await post({})).status).toBe(503);
  });

  it('answers 503 that only the operator can end when no backend is configured', async () => {
    await start();
    await api.fakeFetcher('search', () => ({ kind: 'failed', attempts: [], retryAfterMs: null }));
    const answer = await post({});
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, null]);
    expect(answer.body).toMatchObject({
      error: 'search_unavailable',
      source: null,
      message: expect.stringContaining('SEARCH_SEARXNG_URL'),
    });
  });

  it('answers 422 without a retry when every backend refuses the query', async () => {
    await start();
    const attempt = { source: 'serp_provider', ok: false, latencyMs: 0 };
    const attempts = [{ ...attempt, errorClass: 'http_error', problem: 'HTTP 400' }];
    const reply = { kind: 'failed', attempts, retryAfterMs: null, isOfQuery: true };
    await api.fakeFetcher('search', () => reply);
    const answer = await post({});
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([422, null]);
    expect(answer.body).toMatchObject({
      error: expect.stringContaining('refuse this query'),
      attempts: [{ provider: 'serp_provider' }],
    });
    expect(api.recorded).toEqual([]);
  });

  it('tells an agent to retry only if a backend may complete later', async () => {
    await start();
    const errorOf = async (reply: object): Promise<unknown> => {
      await api.fakeFetcher('search', () => reply);
      const headers = { 'x-api-key': api.key, 'content-type': 'application/json' };
      const answer = await fetch(`${api.url}/v1/search`, {
        ...{ method: 'POST', body: '{"query":"q"}' },
        headers: { ...headers, 'x-error-format': 'agent' },
      });
      return ((await answer.json()) as { error: unknown }).error;
    };
    expect(await errorOf({ kind: 'failed', attempts: [], retryAfterMs: null })).toMatchObject({
      code: 'search_unavailable',
      message: expect.stringMatching(/^No search backend is configured: .*SEARCH_SERP/),
      suggested_fix: expect.stringMatching(/^Do not retry: .*docs\/search\.md/),
    });
    await api.stop();
    await start();
    const attempt = { source: 'serp_provider', ok: false, latencyMs: 0 };
    const failed = { ...attempt, errorClass: 'timeout', problem: null };
    expect(
      await errorOf({ kind: 'failed', attempts: [failed], retryAfterMs: 1_000 }),
    ).toMatchObject({
      code: 'search_unavailable',
      message: 'No search backend completed. Nothing was charged.',
      suggested_fix: expect.stringMatching(/Retry-After, then send the same request again/),
    });
  });

  it('says when the first backend is tried again', async () => {
    await start();
    const attempt = {
      ...{ source: 'serp_provider', ok: false, latencyMs: 0 },
      ...{ errorClass: 'provider_error', problem: 'left out' },
    };
    await api.fakeFetcher('search', () => ({
      ...{ kind: 'failed', attempts: [attempt], retryAfterMs: 12_345 },
    }));
    const answer = await post({});
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '13']);
    expect(answer.text).not.toContain('left out');
  });

  describe('with scrapeResults', () => {
    it('works on as many pages at a time as the plan has workers, in one deadline', async () => {
      await start();
      await searches(found(30));
      let running = 0;
      let most = 0;
      const gate = Promise.withResolvers<void>();
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', async ({ url }) => {
        running++;
        most = Math.max(most, running);
        await gate.promise;
        running--;
        return served({ url, markdown: `# ${url}` });
      });
      const result = resultOf({ limit: 30, scrapeResults: true, maxAge: 5_000, country: 'de' });
      await until(() => running === 10, { what: 'ten pages in work' });
      gate.resolve();
      const { results } = await result;
      expect(most).toBe(10);
      expect(results.map(({ url, markdown }) => markdown === `# ${url}`)).toEqual(
        results.map(() => true),
      );
      expect(tasks).toHaveLength(30);
      expect(new Set(tasks.map(({ deadlineAtMs }) => deadlineAtMs)).size).toBe(1);
      expect(new Set(tasks.map(({ requestId }) => requestId)).size).toBe(30);
      expect(tasks[0]).toMatchObject({ maxAgeMs: 5_000, ignoreRobotsTxt: false, llm: null });
    });

    it('has the Markdown of each page cut to the tokens that are wanted', async () => {
      await start();
      await searches(found(1));
      const markdownCut = { tokens: 100, leftOutTokens: 900, leftOut: ['Prices'] };
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () =>
        served({ markdown: '# A', markdownCut }),
      );
      const { results } = await resultOf({ scrapeResults: true, maxTokens: 100 });
      expect(results).toMatchObject([{ markdown: '# A', markdownCut }]);
      expect(tasks[0]?.maxTokens).toBe(100);
    });

    it('bounds the Markdown of one response, and keeps the results', async () => {
      await start();
      await searches(found(10));
      await api.fakeFetcher('scrape', () => served({ markdown: 'x'.repeat(1_000_000) }));
      const { results } = await resultOf({ scrapeResults: true });
      expect(results).toHaveLength(10);
      expect(results.filter(({ markdown }) => markdown !== null)).toHaveLength(8);
    });

    it('has null for pages without a text', async () => {
      await start();
      await searches(found(3));
      await api.fakeFetcher<ScrapeTask>('scrape', ({ url }) =>
        url.endsWith('1')
          ? served({ partialReason: 'empty', markdown: '' })
          : url.endsWith('2')
            ? { kind: 'blocked', url }
            : served({ markdown: undefined, file: { format: 'pdf', markdown: '# F', text: 'F' } }),
      );
      const { results } = await resultOf({ scrapeResults: true });
      expect(results.map(({ markdown }) => markdown)).toEqual([null, null, '# F']);
    });
  });

  describe('with include_answer', () => {
    it('hands the top five results to a model, and records its cost', async () => {
      await start();
      const tasks = await searches(found(8), 'It is so [1].');
      expect(await resultOf({ include_answer: true })).toMatchObject({ answer: 'It is so [1].' });
      const task = tasks.find((one): one is CitedAnswerTask => one.kind === 'answer');
      expect(task?.sources.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
      expect(task?.sources[0]).toMatchObject({ title: 'Title 1', text: 'Snippet 1' });
      expect(api.recorded).toContainEqual(
        expect.objectContaining({ operation: 'search', costMicroUsd: USAGE.costMicroUsd }),
      );
    });

    it('fits any pages into a task', async () => {
      await start();
      const tasks = await searches(found(5), 'It is so [1].');
      await api.fakeFetcher('scrape', () => served({ markdown: '\u0001é"\n'.repeat(500_000) }));
      await resultOf({ include_answer: true, scrapeResults: true });
      const task = tasks.find(({ kind }) => kind === 'answer');
      const bytes = Buffer.byteLength(JSON.stringify(task));
      expect(bytes).toBeGreaterThan(30_000);
      expect(bytes).toBeLessThan(MAX_TASK_BYTES);
    });

    it.each<[string, object]>([
      ['no model', { kind: 'answered', answer: null, usage: USAGE }],
      ['an unexpected reply', { kind: 'failed', attempts: [], retryAfterMs: null }],
    ])('has none with %s, and never fails', async (_what, reply) => {
      await start();
      await api.fakeFetcher<SearchTask>('search', ({ kind }) =>
        kind === 'web'
          ? { kind: 'found', source: 'serp_provider', results: found(1), attempts: [] }
          : reply,
      );
      expect(await resultOf({ include_answer: true })).not.toHaveProperty('answer');
    });

    it('requests none when nothing was found', async () => {
      await start();
      const tasks = await searches([]);
      expect(await resultOf({ include_answer: true })).toMatchObject({ error: 'no_results' });
      expect(tasks.map(({ kind }) => kind)).toEqual(['web']);
    });
  });

  it('sends the search as a task of its own, with the fields of the request', async () => {
    await start();
    const tasks = await searches(found(1));
    await resultOf({ country: 'AT', tbs: 'qdr:y', excludeDomains: ['x.example'] });
    expect(tasks).toEqual([
      {
        ...{ kind: 'web', query: 'q -site:x.example', limit: 10, country: 'at', period: 'y' },
        ...{ includeDomains: [], excludeDomains: ['x.example'], plan: 'pro' },
        ...{ requestId: expect.any(String), tenantId: api.tenantId },
        deadlineAtMs: expect.any(Number),
      } satisfies Partial<Record<keyof WebSearchTask, unknown>>,
    ]);
  });
});
