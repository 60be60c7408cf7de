import { API_ERRORS, type QueueName, type ScrapeTask } from '@app/contracts';
import { until } from '@app/testing';
import {
  failedScrape,
  FILE,
  LISTING,
  OUTPUT,
  PRICE_SCHEMA,
  served,
} from '../../../test/fake-replies.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../../test/started-api.js';

const URL = 'http://a.example/';
const QUEUES = ['scrape', 'map', 'brand', 'enrich', 'screenshot', 'convert'] as const;
const MAPPED = { kind: 'mapped', links: [URL], source: 'sitemap', timedOut: false, cuts: [] };
const IMAGE = {
  ...{ kind: 'image', url: URL, widthPx: 1, heightPx: 1, isClipped: false, latencyMs: 1 },
  image: { base64: '' },
};
const unpaid = (balance: number) => ({
  error: `Not enough credits: this request needs 1, ${balance} are left. New credits are granted on the 1st of the month (UTC); POST /v1/billing/checkout changes the plan.`,
  balance,
  required: 1,
});

describe('a call that costs credits', () => {
  let api: StartedApi;

  const start = async (options: StartOptions) => {
    api = await startTestApi(options);
  };
  afterEach(() => api.stop());

  const post = (path: string, body: unknown, signal?: AbortSignal) =>
    api.client.call('POST', `/v1/${path}`, body, signal);
  const fakeFetcher = (queue: QueueName, reply: object | (() => unknown)) =>
    api.fakeFetcher(queue, typeof reply === 'function' ? (reply as () => unknown) : () => reply);
  const tasksOfAll = async () => Promise.all(QUEUES.map((queue) => fakeFetcher(queue, {})));
  const countOf = async (
    metric: 'creditsCharged' | 'creditsRefunded' | 'creditsDenied',
  ): Promise<Record<string, number>> => {
    const { values } = await api.metrics[metric].get();
    const counted = values.filter(({ value }) => value > 0);
    return Object.fromEntries(
      counted.map(({ labels, value }) => [Object.values(labels).join(), value]),
    );
  };
  const creditHeaders = (headers: Headers) =>
    ['x-credits-consumed', 'x-credits-remaining'].map((name) => headers.get(name));

  it.each<[string, object]>([
    ['scrape', { url: URL }],
    ['map', { url: URL }],
    ['brand', { domain: URL }],
    ['enrich', { domain: URL }],
    ['enrich/website', { domain: URL }],
    ['screenshot', { url: URL }],
    ['parse', { url: URL }],
    ['extract', { url: URL, schema: PRICE_SCHEMA }],
    ['extract', { html: '<p>x</p>', schema: PRICE_SCHEMA }],
    ['extract', { urls: [URL, `${URL}2`], schema: PRICE_SCHEMA }],
    ['batch', { urls: [URL, `${URL}2`] }],
  ])('is refused with 402 before anything is fetched: %s %j', async (path, body) => {
    await start({ plan: 'free', credits: 0 });
    const tasks = await tasksOfAll();
    const answer = await post(path, body);
    expect([answer.status, answer.body]).toEqual([402, unpaid(0)]);
    expect(creditHeaders(answer.headers)).toEqual([null, null]);
    expect([tasks.flat(), api.recorded, api.reserved]).toEqual([[], [], []]);
    expect((await countOf('creditsDenied'))['balance']).toBeGreaterThan(0);
  });

  it('is refused when it uploads a document, which is deleted', async () => {
    await start({ plan: 'free', credits: 0 });
    const tasks = await tasksOfAll();
    const form = new FormData();
    form.append('file', new Blob(['%PDF']), 'a.pdf');
    const headers = { 'x-api-key': api.key };
    const answer = await fetch(`${api.url}/v1/parse`, { method: 'POST', headers, body: form });
    expect([answer.status, await answer.json()]).toEqual([402, unpaid(0)]);
    expect(tasks.flat()).toEqual([]);
    await until(async () => (await api.blobKeys()).length === 0, { what: 'no blob is left' });
  });

  it.each<[string, object]>([
    ['scrape', { url: 'nope' }],
    ['scrape', { url: 'http://10.0.0.1/' }],
    ['map', {}],
    ['batch', { urls: ['nope'] }],
    ['extract', { schema: PRICE_SCHEMA }],
  ])('is checked before its credits are: %s %j', async (path, body) => {
    await start({ plan: 'free', credits: 0 });
    expect((await post(path, body)).status).toBe(400);
  });

  it.each<[string, object]>([
    ['scrape', { url: URL }],
    ['screenshot', { url: URL }],
    ['batch', { urls: [URL] }],
  ])('does not start when credits cannot be read: %s', async (path, body) => {
    await start({ plan: 'free', credits: 'lost' });
    const tasks = await tasksOfAll();
    const answer = await post(path, body);
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: API_ERRORS.credits_unavailable.text },
    ]);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(tasks.flat()).toEqual([]);
    expect(await countOf('creditsDenied')).toEqual({ unavailable: 1 });
  });

  it.each<[string, object, QueueName, object]>([
    ['scrape', { url: URL }, 'scrape', served()],
    ['map', { url: URL }, 'map', MAPPED],
    ['screenshot', { url: URL }, 'screenshot', IMAGE],
    ['parse', { url: URL }, 'scrape', served({ file: FILE })],
    ['extract', { url: URL, schema: PRICE_SCHEMA }, 'scrape', served({ llm: OUTPUT })],
    ['extract', { urls: [URL], schema: PRICE_SCHEMA }, 'scrape', served({ llm: OUTPUT })],
  ])('reports its cost and the balance: %s %j', async (path, body, queue, reply) => {
    await start({ plan: 'free', credits: 5 });
    await fakeFetcher(queue, reply);
    const answer = await post(path, body);
    expect([answer.status, ...creditHeaders(answer.headers)]).toEqual([200, '1', '4']);
    expect(api.recorded).toMatchObject([{ operation: path, credits: 1 }]);
    expect(await countOf('creditsCharged')).toEqual({ [path]: 1 });
    expect([api.credits.reservations.size, await countOf('creditsRefunded')]).toEqual([0, {}]);
  });

  it.each([['statement'], ['answer']] as const)(
    'is charged once when the first %s of its settlement is lost',
    async (lost) => {
      await start({ plan: 'free', credits: 5 });
      await fakeFetcher('scrape', served());
      api.credits.lost.push(lost);
      const answer = await post('scrape', { url: URL });
      expect([answer.status, ...creditHeaders(answer.headers)]).toEqual([200, '1', '4']);
      expect([api.credits.remaining, api.credits.reservations.size]).toEqual([4, 0]);
    },
  );

  it('withholds its result when the charge cannot be confirmed, and keeps its reservation', async () => {
    await start({ plan: 'free', credits: 5 });
    await fakeFetcher('scrape', served());
    api.credits.lost.push('statement', 'statement');
    const answer = await post('scrape', { url: URL });
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: API_ERRORS.credits_unsettled.text },
    ]);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect([api.recorded, await countOf('creditsCharged')]).toEqual([[], {}]);
    expect([api.credits.remaining, api.credits.reservations.size]).toEqual([4, 1]);
  });

  it('reports no balance and reserves nothing on an unlimited plan', async () => {
    await start({ plan: 'custom', credits: 'lost' });
    await fakeFetcher('scrape', served());
    const answer = await post('scrape', { url: URL });
    expect([answer.status, ...creditHeaders(answer.headers)]).toEqual([200, '1', null]);
    expect(api.recorded).toMatchObject([{ credits: 1 }]);
  });

  it('continues with overage on a paid plan', async () => {
    await start({ plan: 'hobby', credits: 0 });
    await fakeFetcher('scrape', served());
    const answer = await post('scrape', { url: URL });
    expect([answer.status, ...creditHeaders(answer.headers)]).toEqual([200, '1', '0']);
  });

  it('is free when it returns no data', async () => {
    await start({ plan: 'free', credits: 1 });
    await fakeFetcher('scrape', served({ partialReason: 'empty' }));
    const answer = await post('scrape', { url: URL });
    expect([answer.status, ...creditHeaders(answer.headers)]).toEqual([200, '0', '1']);
    expect([api.credits.remaining, api.recorded]).toEqual([1, []]);
    expect(await countOf('creditsRefunded')).toEqual({ no_data: 1 });
  });

  it('needs no credits for a listing', async () => {
    await start({ plan: 'free', credits: 'lost' });
    await fakeFetcher('scrape', served({ listing: LISTING }));
    const answer = await post('extract', { url: URL });
    expect([answer.status, ...creditHeaders(answer.headers)]).toEqual([200, '0', null]);
  });

  it.each<[string, object, QueueName, object, number]>([
    ['scrape', { url: URL }, 'scrape', failedScrape(), 422],
    ['map', { url: URL }, 'map', { kind: 'failed', reason: 'timeout', problem: 'slow' }, 504],
    ['brand', { domain: URL }, 'brand', { kind: 'failed', problem: 'no' }, 400],
    ['enrich', { domain: URL }, 'enrich', { kind: 'failed', problem: 'no' }, 422],
    ['screenshot', { url: URL }, 'screenshot', { kind: 'failed', problem: 'no' }, 422],
    ['parse', { url: URL }, 'scrape', served(), 422],
    ['extract', { url: URL, schema: PRICE_SCHEMA }, 'scrape', failedScrape(), 422],
    ['scrape', { url: URL }, 'scrape', { kind: 'nonsense' }, 500],
  ])('that fails releases its reservation: %s %j', async (path, body, queue, reply, status) => {
    await start({ plan: 'free', credits: 1 });
    await fakeFetcher(queue, reply);
    const answer = await post(path, body);
    expect([answer.status, ...creditHeaders(answer.headers)]).toEqual([status, null, null]);
    expect([api.credits.remaining, api.credits.reservations.size, api.recorded]).toEqual([
      1,
      0,
      [],
    ]);
    expect(await countOf('creditsRefunded')).toEqual({ failed: 1 });
  });

  it('releases its reservation when the client disconnects', async () => {
    await start({ plan: 'free', credits: 1 });
    const isReleased = Promise.withResolvers<void>();
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', async () => {
      await isReleased.promise;
      return served();
    });
    const hangUp = new AbortController();
    const answer = post('scrape', { url: URL, formats: ['links'] }, hangUp.signal);
    await until(() => tasks.length === 1, { what: 'the task' });
    expect(api.credits.remaining).toBe(0);
    hangUp.abort();
    await expect(answer).rejects.toThrow();
    await until(() => api.credits.remaining === 1, { what: 'the credit' });
    isReleased.resolve();
    expect(api.recorded).toEqual([]);
    expect(await countOf('creditsRefunded')).toEqual({ client_gone: 1 });
  });

  it('of many pages reads those that the credits cover, and reports the others', async () => {
    await start({ plan: 'free', credits: 2 });
    const tasks = await api.fakeFetcher<ScrapeTask>('scrape', ({ url }) =>
      served({ url, llm: OUTPUT }),
    );
    const urls = [1, 2, 3, 4].map((n) => `${URL}${n}`);
    const batch = await post('batch', { urls });
    expect([batch.status, batch.body]).toMatchObject([
      200,
      {
        results: [
          { ok: true },
          { ok: true },
          { ok: false, url: urls[2], code: 'payment_required', ...unpaid(0) },
          { ok: false, url: urls[3], code: 'payment_required', ...unpaid(0) },
        ],
        summary: { total: 4, ok: 2, failed: 2 },
        creditsUsed: 2,
      },
    ]);
    expect([tasks.length, api.recorded.length, api.credits.reservations.size]).toEqual([2, 2, 0]);
  });

  it('of many URLs extracts from those that the credits cover', async () => {
    await start({ plan: 'free', credits: 1 });
    await api.fakeFetcher<ScrapeTask>('scrape', ({ url }) => served({ url, llm: OUTPUT }));
    const answer = await post('extract', { urls: [URL, `${URL}2`], schema: PRICE_SCHEMA });
    expect([answer.status, ...creditHeaders(answer.headers)]).toEqual([200, '1', '0']);
    expect(answer.body).toMatchObject({ summary: { total: 2, ok: 1, failed: 1 } });
    const { results } = answer.body as { results: { ok: boolean; error?: string }[] };
    expect(results.find(({ ok }) => !ok)?.error).toBe(unpaid(0).error);
  });
});
