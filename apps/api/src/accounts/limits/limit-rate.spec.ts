import { served } from '../../../test/fake-replies.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../../test/started-api.js';

const FULL = { admitted: 0, remaining: 0, waitMs: 1_500 };
const ID = '018f0000-0000-7000-8000-00000000000f';

describe('the rate limit at the edge', () => {
  let api: StartedApi;
  const start = async (options: StartOptions) => {
    api = await startTestApi(options);
  };
  afterEach(() => api.stop());

  const send = async (path: string, init: RequestInit & { key?: string } = {}) => {
    const { key = api.key, headers, ...rest } = init;
    const response = await fetch(api.url + path, {
      ...rest,
      headers: { ...(key === '' ? {} : { 'x-api-key': key }), ...headers },
    });
    const standing = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'].map((name) =>
      response.headers.get(name),
    );
    return { status: response.status, standing, text: await response.text() };
  };
  const json = { 'content-type': 'application/json' };

  it('reports the window on every response to a call with a key', async () => {
    await start({ plan: 'hobby', window: { remaining: 41 } });
    await api.fakeFetcher('scrape', () => served());
    const post = (body: string, headers: Record<string, string> = json) => ({
      ...{ method: 'POST', body, headers },
    });
    const scrape = JSON.stringify({ url: 'http://127.0.0.1:4000/' });
    const sent: readonly [number, string, (RequestInit & { key?: string })?][] = [
      [200, '/v1/scrape', post(scrape)],
      [400, '/v1/scrape', post('{')],
      [400, '/v1/scrape', post('{}')],
      [415, '/v1/scrape', post('x', { 'content-type': 'text/plain' })],
      [404, '/v1/nothing'],
      [404, '/v1'],
    ];
    for (const [status, path, init] of sent) {
      const answer = await send(path, init);
      expect([path, answer.status, ...answer.standing]).toEqual([path, status, '60', '41', null]);
    }
  });

  it('rejects with the exact error body, before the request body is read', async () => {
    await start({ plan: 'free', window: FULL });
    const tasks = await api.fakeFetcher('scrape', () => served());
    const answer = await send('/v1/scrape', { method: 'POST', body: '{', headers: json });
    expect(answer.status).toBe(429);
    expect(answer.standing).toEqual(['10', '0', '60']);
    expect(answer.text).toBe(
      '{"error":"Rate limit exceeded","limit":10,"tier":"free","retryAfterSeconds":60}',
    );
    expect(tasks).toEqual([]);
    const large = await api.head('POST', '/v1/scrape', { ...json, 'content-length': '99999' });
    expect(large.status).toBe(429);
  });

  it.each(['/v1/jobs', '/v1/nothing', '/V1/jobs', `/v1/jobs/${ID}`])(
    'counts every path: %s',
    async (path) => {
      await start({ plan: 'free', window: FULL });
      expect((await send(path)).status).toBe(429);
      expect((await send(path, { method: 'HEAD' })).status).toBe(429);
    },
  );

  it('counts the polling of a job separately', async () => {
    await start({ plan: 'free', window: FULL });
    const polled = await send(`/v1/jobs/${ID}`);
    expect(JSON.parse(polled.text)).toMatchObject({ limit: 60, tier: 'free' });
    expect(polled.standing).toEqual(['60', '0', '60']);
    await send(`/v1/crawl/${ID}/events?cursor=1`);
    await send(`/v1/crawl/${ID}/`, { method: 'HEAD' });
    for (const path of ['/v1/data/deletions', '/v2/crawl', '/v2/batch/scrape'])
      await send(`${path}/${ID}`);
    const polls = Array.from({ length: 6 }, () => [api.tenantId, 'polls', 60, 1]);
    expect(api.counted).toEqual(polls);
    for (const path of [`/v1/crawl/${ID}`, `/v2/crawl/${ID}`])
      await send(path, { method: 'DELETE' });
    for (const path of ['results', 'urls', 'search']) await send(`/v1/crawl/${ID}/${path}`);
    const calls = Array.from({ length: 5 }, () => [api.tenantId, 'calls', 10, 1]);
    expect(api.counted).toEqual([...polls, ...calls]);
  });

  it('counts nothing without a tenant, and reports the limit of the Free plan', async () => {
    await start({ plan: 'scale', window: FULL });
    const anonymous: readonly [number, string, string][] = [
      [401, '/v1/jobs', ''],
      [401, '/v1/jobs', 'trawl_live_unknown'],
      [401, '/v1/nothing', ''],
      [404, '/nothing', ''],
      [200, '/openapi.json', ''],
      [200, '/health/live', ''],
      [400, '/%zz', ''],
      // A key on a route that needs none is ignored.
      [200, '/openapi.json', api.key],
    ];
    for (const [status, path, key] of anonymous) {
      const answer = await send(path, { key });
      expect([path, answer.status, ...answer.standing]).toEqual([path, status, '10', '10', null]);
    }
    expect(api.counted).toEqual([]);
  });

  it('is documented on every response of every operation', async () => {
    await start({});
    const { paths, components } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, { headers: object }> }>>;
      components: { headers: object };
    };
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    expect(operations.length).toBeGreaterThan(20);
    const standing = ['X-RateLimit-Limit', 'X-RateLimit-Remaining'];
    const namesOf = (headers: object): string[] =>
      Object.keys(headers).filter((name) => !/^X-(?:Credits|Page|Fetch|Partial)-/.test(name));
    for (const { responses } of operations)
      for (const [status, { headers }] of Object.entries(responses)) {
        const retry = ['429', '503'].includes(status) ? ['Retry-After'] : [];
        expect([status, namesOf(headers)]).toEqual([status, [...standing, ...retry]]);
      }
    expect(namesOf(components.headers)).toEqual([...standing, 'Retry-After']);
  });

  it('rejects every call when the windows cannot be read', async () => {
    await start({ plan: 'pro', window: 'lost' });
    const answer = await send('/v1/jobs');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      503,
      { error: 'Auth backend not configured.' },
    ]);
    // Their tenant cannot be read either.
    expect(answer.standing).toEqual(['10', '0', '5']);
    expect(api.counted).toEqual([]);
  });
});
