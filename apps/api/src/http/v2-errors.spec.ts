import { ApiError } from '@app/contracts';
import { startTestApi, type StartedApi, type StartOptions } from '../../test/started-api.js';
import { apiVersionOf } from './api-version.js';
import { presentApiError } from './api-error.filter.js';

const KEY_REQUIRED = 'API key required. Pass via x-api-key header.';
const v2 = (error: string, code: string, details: object | null = null) => ({
  success: false,
  ...{ error, code, details },
});

/** The format of every other route, where a hint follows the text. */
const own = (error: string) => ({ error, hint: expect.stringMatching(/./) as unknown });

describe('errors under /v2', () => {
  let api: StartedApi;
  afterEach(() => api.stop());
  const start = async (options: StartOptions = {}): Promise<void> => {
    api = await startTestApi(options);
  };
  const send = async (path: string, { key = api.key as string | null, ...init }: Sent = {}) => {
    const headers = {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...init.headers,
    };
    const answer = await fetch(`${api.url}${path}`, { ...init, headers });
    const text = await answer.text();
    return [answer.status, JSON.parse(text) as unknown, answer.headers] as const;
  };
  interface Sent extends RequestInit {
    readonly key?: string | null;
    readonly headers?: Readonly<Record<string, string>>;
  }

  it.each(['/v2', '/v2/', '/v2/scrapes', '/v2/nothing?x=1', '/V2/scrape', '/v2/a%20b'])(
    'have one format for an unknown route: %s',
    async (path) => {
      await start();
      for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
        const body = method === 'POST' || method === 'PUT' ? '{}' : undefined;
        const [status, told] = await send(path, { method, body });
        expect([method, status, told]).toEqual([method, 404, v2('Not found', 'not_found')]);
      }
    },
  );

  it('have it without a key, and with a wrong one, before routing', async () => {
    await start();
    const [missing, missingBody, headers] = await send('/v2/scrape', { key: null });
    expect([missing, missingBody]).toEqual([401, v2(KEY_REQUIRED, 'unauthorized')]);
    expect(headers.get('x-ratelimit-limit')).toBe('10');
    const wrong = await send('/v2/nothing', { key: 'wrong' });
    expect(wrong.slice(0, 2)).toEqual([401, v2('Invalid or revoked API key.', 'unauthorized')]);
  });

  it('have it when the rate limit is exceeded, with Retry-After', async () => {
    await start({ plan: 'free', window: { admitted: 0, remaining: 0 } });
    const [status, body, headers] = await send('/v2/scrape', { method: 'POST', body: '{}' });
    const details = { limit: 10, tier: 'free', retryAfterSeconds: 60 };
    expect([status, body]).toEqual([429, v2('Rate limit exceeded', 'rate_limited', details)]);
    expect(headers.get('retry-after')).toBe('60');
  });

  it('have it whatever format the request selects', async () => {
    await start();
    const asked = await send('/v2/nothing', { headers: { 'x-error-format': 'agent' } });
    expect(asked.slice(0, 2)).toEqual([404, v2('Not found', 'not_found')]);
  });

  it.each([
    [
      'a target that cannot be decoded',
      '/v2/%zz',
      undefined,
      [400, v2('Invalid URL', 'invalid_url')],
    ],
    ['a body that is not JSON', '/v2/nothing', '{', [400, v2('Invalid JSON body', 'invalid_json')]],
  ])('have it for %s', async (_, path, body, told) => {
    await start();
    const method = body === undefined ? 'GET' : 'POST';
    expect((await send(path, { method, body })).slice(0, 2)).toEqual(told);
  });

  it('leave the format of every other route unchanged', async () => {
    await start();
    for (const path of ['/v1/nothing', '/v20/scrape', '/v3', '/nothing', '/x/v2/scrape'])
      expect((await send(path)).slice(0, 2)).toEqual([404, own('Not found')]);
    const missing = await send('/v1/nothing', { key: null });
    expect(missing.slice(0, 2)).toEqual([401, own(KEY_REQUIRED)]);
    const unreadable = await send('/v1/%zz', { headers: { 'x-error-format': 'agent' } });
    expect(unreadable.slice(0, 2)).toEqual([
      400,
      expect.objectContaining({
        error: expect.objectContaining({ code: 'invalid_url' }) as unknown,
      }),
    ]);
  });

  it('contain the further fields of an error', async () => {
    await start();
    const request = { url: '/v2/scrape', id: 'r', headers: {} };
    const apiError = new ApiError(
      'payment_required',
      { balance: 2, required: 3 },
      { body: { balance: 2, required: 3 } },
    );
    expect(presentApiError(apiError, request)).toEqual(
      v2(apiError.message, 'payment_required', { balance: 2, required: 3 }),
    );
    expect(presentApiError(new ApiError('internal'), request)).toEqual(
      v2('Internal server error', 'internal'),
    );
  });

  it('depend on the path of the target, in any spelling', async () => {
    await start();
    const versions = ['http://a/v2/x', '/v2;a', '//v2/x', '/%76%32/x', '/v1/v2', '/', '/v22'];
    expect(versions.map((url) => apiVersionOf({ url }))).toEqual([
      ...['v2', 'v2', 'v2', 'v2', 'v1', null, null],
    ]);
  });
});
