import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ScrapeTask } from '@app/contracts';
import { until } from '@app/testing';
import {
  failedScrape,
  LISTING,
  OUTPUT,
  FAKE_PAGE_URL as URL,
  PRICE_SCHEMA,
  served as page,
  USAGE,
} from '../../test/fake-replies.js';
import { startTestApi, type StartedApi } from '../../test/started-api.js';

describe('POST /v1/extract of many URLs', () => {
  let api: StartedApi;
  beforeEach(async () => {
    api = await startTestApi();
  });
  afterEach(() => api.stop());

  const extract = (body: unknown) => api.client.call('POST', '/v1/extract', body);
  const urlOf = (n: number) => `http://a.example/${n}`;
  const some = (count: number) => Array.from({ length: count }, (_, n) => urlOf(n));
  const disconnected = () =>
    until(async () => {
      const open = await new Promise((resolve) =>
        api.server.getConnections((_, count) => resolve(count)),
      );
      return open === 0;
    });

  it('returns each result in order, whether or not others fail', async () => {
    await api.fakeFetcher<ScrapeTask>('scrape', ({ url }) => {
      if (url === urlOf(0)) return page({ url, listing: LISTING });
      if (url === urlOf(1)) return failedScrape();
      if (url === urlOf(2)) return { kind: 'blocked', url: 'http://10.0.0.1/' };
      return page({ url, listing: null });
    });
    const answer = await extract({ urls: some(4) });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        results: [
          { url: urlOf(0), ok: true, data: LISTING },
          { url: urlOf(1), ok: false, error: 'Fetch failed: HTTP 404' },
          { url: urlOf(2), ok: false, error: `Blocked URL: ${urlOf(2)}` },
          { url: urlOf(3), ok: true, data: null, reason: 'no_listing' },
        ],
        summary: { total: 4, ok: 2, failed: 2 },
      },
    ]);
  });

  it('reads five at a time, a hundred in all', async () => {
    const isFull = Promise.withResolvers<void>();
    let open = 0;
    let most = 0;
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', async ({ url }) => {
      most = Math.max(most, ++open);
      if (open === 5) isFull.resolve();
      await isFull.promise;
      // Wait until no more arrive: a sixth would show up here.
      await pause(2);
      open--;
      return page({ url, listing: LISTING });
    });
    const answer = await extract({ urls: some(100) });
    expect(answer.body).toMatchObject({ summary: { total: 100, ok: 100, failed: 0 } });
    expect((answer.body as { results: { url: string }[] }).results.map(({ url }) => url)).toEqual(
      some(100),
    );
    expect([most, tasks.length]).toEqual([5, 100]);
  });

  it('reads and charges a duplicate URL once, and returns it twice', async () => {
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', ({ url }) =>
      page({ url, llm: OUTPUT }),
    );
    const urls = [URL, 'http://A.example', urlOf(1), URL];
    const answer = await extract({ urls, schema: PRICE_SCHEMA });
    const { results } = answer.body as { results: { url: string }[] };
    expect(results.map(({ url }) => url)).toEqual(urls);
    expect(results).toMatchObject(urls.map(() => ({ ok: true, data: OUTPUT.json })));
    expect(tasks).toHaveLength(2);
    expect(answer.headers.get('x-credits-consumed')).toBe('2');
    expect(api.recorded.map(({ credits, costMicroUsd }) => [credits, costMicroUsd])).toEqual([
      [1, 168],
      [1, 168],
    ]);
  });

  it('says what is left when every URL has ended', async () => {
    await api.stop();
    api = await startTestApi({ credits: 20 });
    await api.fakeFetcher<ScrapeTask>('scrape', async ({ url }) => {
      if (url === urlOf(0)) return page({ url, llm: OUTPUT });
      await until(() => api.recorded.length === 1, { what: 'the charge of the first' });
      return failedScrape();
    });
    const answer = await extract({ urls: some(3), schema: PRICE_SCHEMA });
    expect(answer.headers.get('x-credits-remaining')).toBe('19');
  });

  it('returns cost and quotes of each, but no copies of the schema', async () => {
    await api.fakeFetcher<ScrapeTask>('scrape', ({ url }) =>
      url === URL
        ? page({ llm: OUTPUT })
        : page({ llm: { problem: 'llm_failed', message: 'it is tired', usage: USAGE } }),
    );
    const answer = await extract({ urls: [URL, urlOf(1)], schema: PRICE_SCHEMA });
    expect(answer.body).toEqual({
      results: [
        {
          url: URL,
          ok: true,
          data: OUTPUT.json,
          metadata: expect.objectContaining({ model: 'low-model', costUsd: 0.000168 }),
          _provenance: OUTPUT.quotes,
        },
        { url: urlOf(1), ok: false, error: 'The model did not answer: it is tired' },
      ],
      summary: { total: 2, ok: 1, failed: 1 },
    });
    expect(api.recorded.map(({ credits }) => credits).sort()).toEqual([0, 1]);
  });

  it('rejects the request when one URL is not fetchable, and lists those', async () => {
    const tasks = await api.fakeFetcher('scrape', () => page());
    const bad = [
      'nope',
      'ftp://a.example/',
      'http://127.0.0.1/',
      `http://a.example/${'x'.repeat(2_100)}`,
    ];
    const answer = await extract({ urls: [URL, ...bad, 7, ''] });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: '6 of `urls` are not fetchable URLs. Nothing was fetched.',
      invalidUrls: [...bad.slice(0, 3), bad[3]?.slice(0, 2_048), '7', ''],
    });
    expect(tasks).toEqual([]);
  });

  it('records the model usage although the client disconnected', async () => {
    const isGone = Promise.withResolvers<void>();
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', async ({ url }) => {
      await isGone.promise;
      return page({ url, llm: { ...OUTPUT, usage: { ...USAGE, costMicroUsd: 77 } } });
    });
    api.recorded.length = 0;
    const hangUp = new AbortController();
    const body = { url: URL, schema: PRICE_SCHEMA };
    const answer = api.client.call('POST', '/v1/extract', body, hangUp.signal);
    await until(() => tasks.length === 1, { what: 'the task' });
    hangUp.abort();
    await expect(answer).rejects.toThrow();
    await disconnected();
    isGone.resolve();
    await until(() => api.recorded.length === 1, { what: 'the charge' });
    expect(api.recorded[0]).toMatchObject({ operation: 'extract', credits: 0, costMicroUsd: 77 });
  });

  it('stops when the client disconnects', async () => {
    const isGone = Promise.withResolvers<void>();
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', async ({ url }) => {
      await isGone.promise;
      return page({ url, listing: LISTING });
    });
    const hangUp = new AbortController();
    const answer = api.client.call('POST', '/v1/extract', { urls: some(100) }, hangUp.signal);
    await until(() => tasks.length >= 5, { what: 'the first five' });
    hangUp.abort();
    await expect(answer).rejects.toThrow();
    await disconnected();
    isGone.resolve();
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(tasks.length).toBeLessThanOrEqual(10);
  });
});
