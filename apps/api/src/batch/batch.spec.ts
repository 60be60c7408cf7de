import { setTimeout as pause } from 'node:timers/promises';
import { PLAN_LIMITS, PLANS, type ScrapeTask } from '@app/contracts';
import { until } from '@app/testing';
import { failedScrape, OUTPUT, PRICE_SCHEMA, served as page } from '../../test/fake-replies.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../test/started-api.js';

interface Item {
  readonly index: number;
  readonly url: string;
  readonly ok: boolean;
  readonly error?: string;
  readonly code?: string;
}
interface Answer {
  readonly results: readonly Item[];
  readonly summary: object;
  readonly creditsUsed: number;
}

describe('POST /v1/batch', () => {
  let api: StartedApi;

  const start = async (options: StartOptions = {}) => {
    await api?.stop();
    api = await startTestApi(options);
  };
  beforeEach(() => start());
  afterEach(() => api.stop());

  const batch = (body: unknown, signal?: AbortSignal) =>
    api.client.call('POST', '/v1/batch', body, signal);
  const answerOf = async (body: unknown) => {
    const answer = await batch(body);
    expect(answer.status).toBe(200);
    return answer.body as Answer;
  };
  const urlOf = (n: number) => `http://a.example/${n}`;
  const some = (count: number) => Array.from({ length: count }, (_, n) => urlOf(n));
  const pageOf = ({ url }: ScrapeTask) => page({ url, sourceUrl: url });

  it('returns each result as a scrape does, in order, whether or not others fail', async () => {
    await api.fakeFetcher<ScrapeTask>('scrape', (task) => {
      if (task.url === urlOf(1)) return failedScrape();
      if (task.url === urlOf(2)) return { kind: 'blocked', url: 'http://10.0.0.1/' };
      if (task.url === urlOf(3)) return { kind: 'nonsense' };
      return pageOf(task);
    });
    const alone = await api.client.scrape({ url: urlOf(0) });
    const body = await answerOf({ urls: some(5) });
    expect(body).toMatchObject({
      results: [
        { index: 0, ...(alone.body as object) },
        {
          index: 1,
          url: urlOf(1),
          ok: false,
          error: 'Fetch failed: HTTP 404',
          code: 'fetch_failed',
        },
        {
          index: 2,
          url: urlOf(2),
          ok: false,
          error: `Blocked URL: ${urlOf(2)}`,
          code: 'blocked_url',
        },
        { index: 3, url: urlOf(3), ok: false, error: 'Internal server error', code: 'internal' },
        { index: 4, url: urlOf(4), ok: true },
      ],
      summary: { total: 5, ok: 2, failed: 3 },
      creditsUsed: 2,
    });
    expect(body.results[0]).toEqual({ index: 0, ...(alone.body as object) });
    expect(body.results[1]).toHaveProperty('cascade');
  });

  it.each(PLANS)('runs as many pages at a time as the plan %s has workers', async (plan) => {
    await start({ plan });
    const { batchWorkers } = PLAN_LIMITS[plan];
    const isFull = Promise.withResolvers<void>();
    let open = 0;
    let most = 0;
    await api.fakeFetcher<ScrapeTask>('scrape', async (task) => {
      most = Math.max(most, ++open);
      if (open === batchWorkers) isFull.resolve();
      await isFull.promise;
      // Wait until no more arrive: a superfluous worker would show up here.
      await pause(20);
      open--;
      return pageOf(task);
    });
    const { summary } = await answerOf({ urls: some(50) });
    expect([most, summary]).toEqual([batchWorkers, { total: 50, ok: 50, failed: 0 }]);
  });

  it('returns a late result at its index', async () => {
    await api.fakeFetcher<ScrapeTask>('scrape', async (task) => {
      await pause(task.url === urlOf(0) ? 100 : 0);
      return pageOf(task);
    });
    const { results } = await answerOf({ urls: some(30) });
    expect(results.map(({ index, url }) => [index, url])).toEqual(
      some(30).map((url, index) => [index, url]),
    );
  });

  it('sends an item as soon as those before it are sent', async () => {
    const last = Promise.withResolvers<void>();
    await api.fakeFetcher<ScrapeTask>('scrape', async (task) => {
      if (task.url === urlOf(2)) await last.promise;
      return pageOf(task);
    });
    const response = await post({ urls: some(3) });
    let text = '';
    const reader = textOf(response);
    while (!text.includes('"index":1')) text += (await reader.next()).value;
    expect(text).not.toContain('"index":2');
    last.resolve();
    for await (const piece of reader) text += piece;
    expect((JSON.parse(text) as Answer).results).toHaveLength(3);
  });

  it('sends each item when it is done as NDJSON, and the summary last', async () => {
    const first = Promise.withResolvers<void>();
    await api.fakeFetcher<ScrapeTask>('scrape', async (task) => {
      if (task.url === urlOf(0)) await first.promise;
      return pageOf(task);
    });
    const response = await post(
      { urls: [urlOf(0), 'nope', urlOf(2)] },
      { accept: 'application/x-ndjson' },
    );
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    let text = '';
    const reader = textOf(response);
    while (!text.includes('"index":2')) text += (await reader.next()).value;
    first.resolve();
    for await (const piece of reader) text += piece;
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { index: 1, url: 'nope', ok: false, code: 'invalid_url' },
      { index: 2, url: urlOf(2), ok: true },
      { index: 0, url: urlOf(0), ok: true },
      { summary: { total: 3, ok: 2, failed: 1 }, creditsUsed: 2 },
    ]);
  });

  it('fetches and charges a duplicate URL once and returns it at each index', async () => {
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', pageOf);
    const urls = ['http://A.example:80/x', urlOf(1), 'http://a.example/x', 'http://a.example/x'];
    const { results, summary, creditsUsed } = await answerOf({ urls });
    expect(tasks.map(({ url }) => url).toSorted()).toEqual([urls[0], urls[1]].toSorted());
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    const [first, , third, fourth] = results;
    expect([third, fourth]).toEqual([
      { ...first, index: 2 },
      { ...first, index: 3 },
    ]);
    expect([summary, creditsUsed]).toEqual([{ total: 4, ok: 4, failed: 0 }, 2]);
    expect(api.recorded).toHaveLength(2);
    expect(new Set(api.recorded.map(({ chargeId }) => chargeId)).size).toBe(2);
  });

  it('treats URLs that differ by fragment or tracking parameter as different', async () => {
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', pageOf);
    const urls = [`${urlOf(0)}#/a`, `${urlOf(0)}#/b`, `${urlOf(0)}?utm_source=x`];
    await answerOf({ urls });
    expect(tasks.map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
  });

  it('charges nothing for a blank page, and records the cost of each', async () => {
    await api.fakeFetcher<ScrapeTask>('scrape', ({ url }) =>
      page({ url, ...(url === urlOf(1) ? { partialReason: 'empty' } : {}) }),
    );
    const { creditsUsed } = await answerOf({ urls: some(3) });
    expect(creditsUsed).toBe(2);
    expect(api.recorded).toMatchObject([
      { tenantId: api.tenantId, operation: 'scrape', credits: 1 },
      { tenantId: api.tenantId, operation: 'scrape', credits: 1 },
    ]);
  });

  it('returns an error at the index of an invalid URL, free of charge', async () => {
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', pageOf);
    const urls = [
      'nope',
      urlOf(1),
      'http://10.0.0.1/',
      7,
      null,
      `http://a.example/${'x'.repeat(2_048)}`,
    ];
    const { results, summary, creditsUsed } = await answerOf({ urls });
    expect(results).toMatchObject([
      { index: 0, url: 'nope', ok: false, error: 'Invalid URL', code: 'invalid_url' },
      { index: 1, url: urlOf(1), ok: true },
      { index: 2, url: 'http://10.0.0.1/', ok: false, code: 'blocked_url' },
      { index: 3, url: '7', ok: false, code: 'invalid_url' },
      { index: 4, url: 'null', ok: false, code: 'invalid_url' },
      { index: 5, ok: false, code: 'invalid_url' },
    ]);
    expect(results[2]?.error).toBe('Blocked URL: http://10.0.0.1/');
    expect([summary, creditsUsed]).toEqual([{ total: 6, ok: 1, failed: 5 }, 1]);
    expect(tasks).toHaveLength(1);
  });

  it('accepts a URL of 2,048 characters, and rejects one of 2,049', async () => {
    await api.fakeFetcher<ScrapeTask>('scrape', pageOf);
    const long = urlOf(0).padEnd(2_048, 'x');
    const { results } = await answerOf({ urls: [long, `${long}x`] });
    expect(results).toMatchObject([
      { ok: true, url: long },
      { ok: false, url: long, code: 'invalid_url' },
    ]);
  });

  it('takes 100 addresses', async () => {
    await api.fakeFetcher<ScrapeTask>('scrape', pageOf);
    expect(await answerOf({ urls: some(100) })).toMatchObject({
      summary: { total: 100, ok: 100, failed: 0 },
      creditsUsed: 100,
    });
  });

  it('passes on every option of a scrape', async () => {
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', ({ url }) =>
      page({ url, llm: OUTPUT }),
    );
    await answerOf({
      urls: some(2),
      formats: ['json', 'links'],
      schema: PRICE_SCHEMA,
      onlyMainContent: true,
      headers: { 'X-One': '1' },
      waitFor: 5,
      extractListing: false,
      maxAge: 7,
      actions: [{ type: 'wait', ms: 1 }],
    });
    expect(tasks).toHaveLength(2);
    for (const task of tasks) {
      expect(task).toMatchObject({
        tenantId: api.tenantId,
        formats: ['json', 'links'],
        listing: false,
        llm: { json: { schema: PRICE_SCHEMA } },
        content: { onlyMainContent: true },
        fetch: { headers: { 'x-one': '1' }, waitForMs: 5, actions: [{ type: 'wait', ms: 1 }] },
        maxAgeMs: 7,
      });
    }
  });

  it('starts no page after its timeout, and reports it at each index', async () => {
    await start({ plan: 'free', settings: { batchTimeoutMs: 30_000 } });
    const isLate = Promise.withResolvers<void>();
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', async (task) => {
      await isLate.promise;
      return pageOf(task);
    });
    const answer = answerOf({ urls: some(6) });
    await until(() => tasks.length === 2, { what: 'both workers busy' });
    const lateMs = performance.now() + 30_001;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(lateMs);
    isLate.resolve();
    const { results, summary } = await answer.finally(() => clock.mockRestore());
    expect(tasks).toHaveLength(2);
    expect(results.map(({ code }) => code ?? 'ok')).toEqual([
      'ok',
      'ok',
      ...Array.from({ length: 4 }, () => 'batch_timeout'),
    ]);
    expect(summary).toEqual({ total: 6, ok: 2, failed: 4 });
  });

  it('starts no page after the client disconnected', async () => {
    await start({ plan: 'free' });
    const answered = Promise.withResolvers<void>();
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', async (task) => {
      await answered.promise;
      return pageOf(task);
    });
    const hangUp = new AbortController();
    const gone = batch({ urls: some(20) }, hangUp.signal).catch((error: unknown) => error);
    await until(() => tasks.length === 2, { what: 'both workers busy' });
    hangUp.abort();
    await gone;
    await until(async () => {
      const open = await new Promise((resolve) =>
        api.server.getConnections((_, count) => resolve(count)),
      );
      return open === 0;
    });
    answered.resolve();
    // The next request uses the fetcher that this batch waited for.
    expect(await answerOf({ urls: [urlOf(50)] })).toMatchObject({ summary: { ok: 1 } });
    expect(tasks).toHaveLength(3);
  });

  it('is documented with both of its responses', async () => {
    const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
      paths: Record<string, { post: { responses: object } }>;
    };
    expect(Object.keys(paths['/v1/batch']?.post.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '202', '400', '503']),
    );
  });

  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${api.url}/v1/batch`, {
      method: 'POST',
      headers: { 'x-api-key': api.key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
});

async function* textOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    yield decoder.decode(chunk as Uint8Array, { stream: true });
  }
}
