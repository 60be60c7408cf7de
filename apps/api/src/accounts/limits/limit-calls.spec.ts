import { until } from '@app/testing';
import { served } from '../../../test/fake-replies.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../../test/started-api.js';

const URL_BODY = { url: 'http://127.0.0.1:4000/' };
/** Each with a valid body, or one that is rejected after its slot was taken. */
const WAITING: readonly (readonly [string, object])[] = [
  ['/v1/scrape', URL_BODY],
  ['/v1/batch', { urls: ['http://127.0.0.1:4000/'] }],
  ['/v1/batch', { urls: [], async: false }],
  ['/v1/map', URL_BODY],
  ['/v1/enrich', {}],
  ['/v1/enrich/website', {}],
  ['/v1/brand', {}],
  ['/v1/screenshot', {}],
  ['/v1/extract', {}],
  ['/v1/parse', URL_BODY],
  ['/v2/scrape', URL_BODY],
  ['/v2/scrape', { ...URL_BODY, async: true }],
  ['/v2/search', {}],
  ['/v2/map', URL_BODY],
  ['/v2/parse', {}],
  ['/v1/search', {}],
  ['/v1/scrapers/maps', {}],
  ['/v1/scrapers/reviews', {}],
  ['/v1/scrapers/listings', {}],
  ['/v1/scrapers/directory', {}],
  ['/v1/preview', {}],
  ['/v1/chat', {}],
  ['/v1/pull', {}],
  ['/v1/webhooks/test', {}],
];

describe('concurrent calls of a tenant', () => {
  let api: StartedApi;
  let letGo: () => void;
  const start = async (options: StartOptions) => {
    api = await startTestApi(options);
  };
  /** Scrapes wait until the test releases them. */
  const holdScrapes = async (): Promise<unknown[]> => {
    const gate = Promise.withResolvers<void>();
    letGo = () => gate.resolve();
    return api.fakeFetcher('scrape', async () => {
      await gate.promise;
      return served();
    });
  };
  afterEach(() => api.stop());

  const send = async (path: string, body: object = URL_BODY, init: RequestInit = {}) => {
    const headers = { 'x-api-key': api.key, 'content-type': 'application/json', ...init.headers };
    const sent = { method: 'POST', body: JSON.stringify(body), ...init, headers };
    const response = await fetch(api.url + path, sent);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('are limited by the plan; the next one gets the exact error body', async () => {
    await start({ plan: 'free' });
    const tasks = await holdScrapes();
    const both = [send('/v1/scrape'), send('/v1/scrape')];
    await until(() => tasks.length === 2, { what: 'two scrapes' });
    const refused = await send('/v1/map');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.text).toBe(
      '{"error":"Rate limit exceeded: 2 concurrent requests on this plan. Retry after one of your running requests completes.","limit":2,"tier":"free","retryAfterSeconds":1}',
    );
    // It does not count in the rate window.
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('2');
    expect(api.counted.reduce((sum, one) => sum + Number(one[3]), 0)).toBe(2);
    letGo();
    for (const { status } of await Promise.all(both)) expect(status).toBe(200);
    expect([api.limits.held.size, tasks.length]).toEqual([0, 2]);
  });

  it('release their slot before the response is sent', async () => {
    await start({ plan: 'free', agreed: { concurrentRequests: 1 } });
    await api.fakeFetcher('scrape', () => served());
    for (let n = 0; n < 10; n++) {
      expect((await send('/v1/scrape')).status).toBe(200);
      expect(api.limits.held.size).toBe(0);
    }
    expect((await send('/v1/scrape', {})).status).toBe(400);
    expect([api.limits.held.size, api.limits.requestedSlots]).toEqual([0, 11]);
  });

  it('are limited by the agreement, whatever the plan says', async () => {
    await start({ plan: 'custom', agreed: { concurrentRequests: 1 } });
    const tasks = await holdScrapes();
    const first = send('/v1/scrape');
    await until(() => tasks.length === 1, { what: 'a scrape' });
    expect(JSON.parse((await send('/v1/scrape')).text)).toMatchObject({ limit: 1, tier: 'custom' });
    letGo();
    expect((await first).status).toBe(200);
  });

  it('are unlimited without a plan limit or agreement, and query nothing', async () => {
    await start({ plan: 'custom' });
    const tasks = await holdScrapes();
    const all = Array.from({ length: 60 }, () => send('/v1/scrape'));
    await until(() => tasks.length === 60, { what: 'all scrapes' });
    letGo();
    for (const { status } of await Promise.all(all)) expect(status).toBe(200);
    expect(api.limits.requestedSlots).toBe(0);
  });

  it.each(WAITING)('count on POST %s with %j', async (path, body) => {
    await start({ plan: 'pro', agreed: { concurrentRequests: 1 } });
    api.limits.held.add('another');
    expect((await send(path, body)).status).toBe(429);
    expect(api.limits.requestedSlots).toBe(1);
  });

  it('count on GET /v1/scrape, whose response waits for a page, too', async () => {
    await start({ plan: 'pro', agreed: { concurrentRequests: 1 } });
    api.limits.held.add('another');
    const answer = await send(
      '/v1/scrape?url=http://127.0.0.1:4000/',
      {},
      { method: 'GET', body: undefined },
    );
    expect([answer.status, api.limits.requestedSlots]).toEqual([429, 1]);
  });

  it.each<[string, string, object | undefined]>([
    ['POST', '/v1/batch', { urls: [], async: true }],
    ['POST', '/v1/crawl', {}],
    ['POST', '/v2/crawl', {}],
    ['POST', '/v2/batch/scrape', {}],
    ['PUT', '/v1/scrape', {}],
    ['GET', '/v1/nothing', undefined],
    ['GET', '/openapi.json', undefined],
  ])('do not count on %s %s with %j', async (method, path, body) => {
    await start({ plan: 'free' });
    const answer = await send(path, {}, { method, body: body && JSON.stringify(body) });
    expect(answer.status).not.toBe(429);
    expect(api.limits.requestedSlots).toBe(0);
  });

  it('do not count without a key, nor when the rate limit is exceeded', async () => {
    await start({ plan: 'free', window: { admitted: 0, remaining: 0 } });
    expect((await send('/v1/scrape')).status).toBe(429);
    expect((await send('/v1/scrape', URL_BODY, { headers: { 'x-api-key': '' } })).status).toBe(401);
    expect(api.limits.requestedSlots).toBe(0);
  });

  it('release their slot when the client disconnects', async () => {
    await start({ plan: 'free' });
    const tasks = await holdScrapes();
    const hangUp = new AbortController();
    const gone = send('/v1/scrape', URL_BODY, { signal: hangUp.signal }).catch(() => 'gone');
    await until(() => tasks.length === 1, { what: 'a scrape' });
    expect(api.limits.held.size).toBe(1);
    hangUp.abort();
    expect(await gone).toBe('gone');
    await until(() => api.limits.held.size === 0, { what: 'a free slot' });
    letGo();
  });

  it('keep their slot until the work ends if the client disconnects and an Idempotency-Key keeps the response', async () => {
    await start({ plan: 'free', claimId: '018f0000-0000-7000-8000-0000000000aa' });
    const tasks = await holdScrapes();
    const hangUp = new AbortController();
    const headers = { 'idempotency-key': 'k' };
    const init = { signal: hangUp.signal, headers };
    const gone = send('/v1/scrape', URL_BODY, init).catch(() => 'gone');
    await until(() => tasks.length === 1, { what: 'a scrape' });
    hangUp.abort();
    await gone;
    // Sent later, and answered: so the server has noticed by now that the client disconnected.
    await send('/v1/map', {});
    expect(api.limits.held.size).toBe(1);
    letGo();
    await until(() => api.limits.held.size === 0, { what: 'the end of the work' });
  });

  it.each(['application/json', 'application/x-ndjson'])(
    'keep their slot during a batch until its last line, as %s',
    async (accept) => {
      await start({ plan: 'free' });
      const tasks = await holdScrapes();
      const body = JSON.stringify({ urls: ['http://127.0.0.1:4000/a', 'http://127.0.0.1:4000/b'] });
      const headers = { 'x-api-key': api.key, 'content-type': 'application/json', accept };
      // Lines begin with the first page: until then there is not even a status.
      const answer = fetch(`${api.url}/v1/batch`, { method: 'POST', body, headers });
      await until(() => tasks.length === 2, { what: 'both pages' });
      expect(api.limits.held.size).toBe(1);
      letGo();
      const response = await answer;
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(api.limits.held.size).toBe(0);
      expect(text).toContain('"ok":2');
    },
  );

  it('release their slot when the reader of a batch disconnects', async () => {
    await start({ plan: 'free' });
    const tasks = await holdScrapes();
    const hangUp = new AbortController();
    const response = await fetch(`${api.url}/v1/batch`, {
      method: 'POST',
      body: JSON.stringify({ urls: ['http://127.0.0.1:4000/a'] }),
      headers: { 'x-api-key': api.key, 'content-type': 'application/json' },
      signal: hangUp.signal,
    });
    await until(() => tasks.length === 1, { what: 'the page' });
    expect([response.status, api.limits.held.size]).toEqual([200, 1]);
    hangUp.abort();
    await until(() => api.limits.held.size === 0, { what: 'a free slot' });
    letGo();
  });

  it('return an error to a client that is still sending its form', async () => {
    await start({ plan: 'free', agreed: { concurrentRequests: 1 } });
    api.limits.held.add('another');
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(4 * 1024 * 1024)]), 'a.txt');
    const sent = { method: 'POST', body: form, headers: { 'x-api-key': api.key } };
    const response = await fetch(`${api.url}/v1/parse`, sent);
    expect([response.status, await response.json()]).toEqual([
      429,
      expect.objectContaining({ limit: 1 }),
    ]);
  });

  it('fail when the slots cannot be read, and succeed when they cannot be released', async () => {
    await start({ plan: 'free' });
    const tasks = await holdScrapes();
    const first = send('/v1/scrape');
    await until(() => tasks.length === 1, { what: 'a scrape' });
    api.limits.areSlotsLost = true;
    const refused = await send('/v1/scrape');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused.text).toBe('{"error":"Auth backend not configured."}');
    letGo();
    expect((await first).status).toBe(200);
  });

  it('are documented on the routes that wait, and nowhere else', async () => {
    await start({});
    const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
    };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) =>
          responses['429']?.description.includes('concurrent requests on this plan'),
        )
        .map(([method]) => `${method} ${path}`),
    );
    const others = ['get /v1/scrape', 'put /v1/profiles/{name}'];
    const waiting = new Set([...others, ...WAITING.map(([path]) => `post ${path}`)]);
    expect(documented.sort()).toEqual([...waiting].sort());
  });
});
