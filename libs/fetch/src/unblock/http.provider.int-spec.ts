import { Deadline } from '@app/contracts';
import { BlockedUrlError, EgressGuard, HttpClient } from '@app/egress';
import {
  startFakeUnblockProvider,
  startLeakCheck,
  type FakeUnblockProvider,
  type LeakCheck,
} from '@app/testing';
import { fetchRequest, loopbackGuard } from '../../test/fetch-request.js';
import { parseHttpProvider } from './http-provider-setting.js';
import { HttpProvider } from './http.provider.js';

const PAGE = 'http://93.184.216.34/page?a=1&b=ü';
const KEY = 'SECRET-KEY-1';
/** Far more than a busy machine adds, and far less than what would be waited for wrongly. */
const FAR_TOO_LATE_MS = 45_000;

describe.each(['get', 'post'] as const)('an HTTP unblock provider asked by %s', (kind) => {
  let leaks: LeakCheck;
  let fake: FakeUnblockProvider;
  let http: HttpClient;
  beforeEach(async () => {
    leaks = startLeakCheck();
    fake = await startFakeUnblockProvider({ key: KEY, slowMs: 200 });
    http = new HttpClient({
      guard: EgressGuard.forEndpoint(fake.postUrl),
      userAgent: 'Test/1',
      connectTimeoutMs: 60_000,
      headersTimeoutMs: 60_000,
    });
  });
  afterEach(async () => {
    await http.close();
    await fake.close();
    await leaks.assertClean();
  });
  const create = (overrides: Readonly<Record<string, unknown>> = {}) =>
    new HttpProvider({
      setting: parseHttpProvider(fake.settingText(kind, overrides)),
      http,
      guard: new EgressGuard(),
    });

  it('returns the page, sending the address and the country', async () => {
    const result = await create().fetch(fetchRequest(PAGE, { options: { country: 'DE' } }));
    expect(result).toMatchObject({
      ok: true,
      page: { url: new URL(PAGE).href, statusCode: 200, isRendered: false, isCut: false },
    });
    const [sent] = fake.requests;
    const sentFields =
      kind === 'get'
        ? new URL(sent?.path ?? '', 'http://x').searchParams
        : new Map(Object.entries(JSON.parse(sent?.body ?? '') as Record<string, unknown>));
    expect([sentFields.get('url'), sentFields.get('country')]).toEqual([new URL(PAGE).href, 'DE']);
  });

  it.each([
    ['401', 'provider_error'],
    ['402', 'provider_error'],
    ['403', 'provider_error'],
    ['404', kind === 'get' ? 'http_error' : 'provider_error'],
    ['408', 'timeout'],
    ['429', 'provider_error'],
    ['500', 'provider_error'],
    ['503', 'provider_error'],
    ['504', 'timeout'],
    ['redirect', 'provider_error'],
    ['hang', 'timeout'],
    ['hang_body', 'timeout'],
    ['reset', 'provider_error'],
    ['not_http', 'provider_error'],
    ['empty', 'provider_error'],
    ['truncated', 'provider_error'],
    ['echo_key', 'provider_error'],
    ...(kind === 'post'
      ? ([
          ['garbage_json', 'provider_error'],
          ['html_error', 'provider_error'],
          ['wrong_type', 'provider_error'],
          ['huge', 'provider_error'],
        ] as const)
      : []),
  ] as const)('names the failure %s as %s and never shows the key', async (mode, errorClass) => {
    fake.mode = mode;
    // Only a provider that never responds uses it up; the others end by themselves, long before.
    const deadline = Deadline.after(mode.startsWith('hang') ? 2_000 : 60_000);
    const startedAt = performance.now();
    const result = await create().fetch(fetchRequest(PAGE, { deadline }));
    expect(result).toMatchObject({ ok: false, failure: { errorClass } });
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(performance.now() - startedAt).toBeLessThan(FAR_TOO_LATE_MS);
    expect(fake.requests).toHaveLength(1);
  });

  it('waits for a slow one, and not longer than its own time', async () => {
    fake.mode = 'slow';
    expect(await create().fetch(fetchRequest(PAGE))).toMatchObject({ ok: true });
    fake.mode = 'hang';
    const startedAt = performance.now();
    const deadline = Deadline.after(60_000);
    const result = await create({ timeoutMs: 1_000 }).fetch(fetchRequest(PAGE, { deadline }));
    expect(result).toMatchObject({ ok: false, failure: { errorClass: 'timeout' } });
    expect(performance.now() - startedAt).toBeLessThan(FAR_TOO_LATE_MS);
  });

  it('ends at once with the signal', async () => {
    fake.mode = 'hang';
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(100);
    const deadline = Deadline.after(60_000);
    const result = await create().fetch(fetchRequest(PAGE, { deadline, signal }));
    expect(result).toMatchObject({ ok: false, failure: { errorClass: 'timeout' } });
    expect(performance.now() - startedAt).toBeLessThan(FAR_TOO_LATE_MS);
  });

  it('cuts a page at the cap and reports it', async () => {
    const result = await create().fetch(fetchRequest(PAGE, { maxBytes: 50 }));
    expect(result).toMatchObject({ ok: true, page: { isCut: true, bytes: 50 } });
  });

  it('returns the bot wall that the provider did not pass', async () => {
    fake.mode = 'blocked';
    const result = await create().fetch(fetchRequest(PAGE));
    const statusCode = kind === 'get' ? 200 : 403;
    expect(result).toMatchObject({ ok: true, page: { statusCode } });
  });

  it.each(['http://10.0.0.1/', 'http://127.0.0.1/', 'http://169.254.169.254/', 'http://[::1]/'])(
    'never receives the private address %s',
    async (url) => {
      await expect(create().fetch(fetchRequest(url))).rejects.toBeInstanceOf(BlockedUrlError);
      expect(fake.requests).toHaveLength(0);
    },
  );

  it('never receives a name that leads inside, nor one that leads nowhere', async () => {
    const { guard } = loopbackGuard([], ['inside.example']);
    const setting = parseHttpProvider(fake.settingText(kind));
    const provider = new HttpProvider({ setting, http, guard });
    const inside = provider.fetch(fetchRequest('http://inside.example/'));
    await expect(inside).rejects.toBeInstanceOf(BlockedUrlError);
    const nowhere = await provider.fetch(fetchRequest('http://nowhere.example/'));
    expect(nowhere).toMatchObject({ ok: false, failure: { errorClass: 'network' } });
    expect(fake.requests).toHaveLength(0);
  });

  it.each([
    ['cookies', { cookies: 'sid=1' }],
    ['credentials', { headers: { authorization: 'Bearer t' } }],
    ['a header of its own', { headers: { 'x-api-key': '1' } }],
  ])('receives no request for a page that depends on %s', async (_case, options) => {
    const request = fetchRequest(PAGE, { options });
    expect(create().refuses(request)).toMatchObject({ failure: { errorClass: 'provider_error' } });
    expect(await create().fetch(request)).toMatchObject({ ok: false });
    expect(fake.requests).toHaveLength(0);
  });

  it("does not receive the caller's harmless headers either", async () => {
    const options = { headers: { 'accept-language': 'xx-YY', 'user-agent': 'Mine/1' } };
    expect(await create().fetch(fetchRequest(PAGE, { options }))).toMatchObject({ ok: true });
    expect(JSON.stringify(fake.requests)).not.toMatch(/xx-YY|Mine\/1/);
  });

  it('receives headers and cookies where the setting allows it', async () => {
    const body = { url: '{url}', cookies: '{cookies}', headers: '{headers}' };
    const setting = { forwardHeaders: true, ...(kind === 'post' ? { body } : {}) };
    const options = { cookies: 'sid=1', headers: { 'x-own': 'two' } };
    const provider = create(setting);
    expect(await provider.fetch(fetchRequest(PAGE, { options }))).toMatchObject({ ok: true });
    const [sent] = fake.requests;
    if (kind === 'get') expect(sent?.headers).toMatchObject({ cookie: 'sid=1', 'x-own': 'two' });
    else
      expect(JSON.parse(sent?.body ?? '')).toMatchObject({
        cookies: 'sid=1',
        headers: { 'x-own': 'two' },
      });
  });

  it('distinguishes its refused endpoint from a refused target', async () => {
    const strict = new HttpClient({ guard: new EgressGuard(), userAgent: 'Test/1' });
    const setting = parseHttpProvider(fake.settingText(kind));
    const provider = new HttpProvider({ setting, http: strict, guard: new EgressGuard() });
    const result = await provider.fetch(fetchRequest(PAGE));
    expect(result).toMatchObject({ ok: false, failure: { errorClass: 'provider_error' } });
    expect(JSON.stringify(result)).not.toContain(KEY);
    await strict.close();
  });
});

describe('a final address from a provider', () => {
  const solution = (finalUrl: string) => ({
    solution: { url: finalUrl, status: 200, response: '<p>x</p>' },
  });
  async function ask(finalUrl: string, onRedirect?: (target: URL) => Promise<void>) {
    const body = Buffer.from(JSON.stringify(solution(finalUrl)));
    const http = {
      fetch: () =>
        Promise.resolve({
          url: 'https://api.example/v1',
          status: 200,
          headers: {},
          body: new Uint8Array(body),
          truncated: false,
          truncation: null,
          redirects: [],
          timings: { dnsMs: 0, connectMs: 0, tlsMs: 0, ttfbMs: 0, downloadMs: 0 },
          remoteAddress: '',
          reused: false,
        }),
    } as unknown as Pick<HttpClient, 'fetch'>;
    const setting = parseHttpProvider(
      JSON.stringify({
        name: 'one',
        url: 'https://api.example/v1',
        body: { url: '{url}' },
        html: '/solution/response',
        finalUrl: '/solution/url',
        priceMicroUsd: 1,
      }),
    );
    const provider = new HttpProvider({ setting, http, guard: new EgressGuard() });
    return provider.fetch(fetchRequest(PAGE, onRedirect ? { onRedirect } : {}));
  }

  it('becomes the address of the page, once the redirect callback agrees', async () => {
    const asked: string[] = [];
    const onRedirect = (target: URL) => {
      asked.push(target.href);
      return Promise.resolve();
    };
    const result = await ask('http://93.184.216.34/moved', onRedirect);
    expect(result).toMatchObject({ ok: true, page: { url: 'http://93.184.216.34/moved' } });
    expect(asked).toEqual(['http://93.184.216.34/moved']);
    const forbidden = new Error('robots');
    await expect(ask('http://93.184.216.34/moved', () => Promise.reject(forbidden))).rejects.toBe(
      forbidden,
    );
  });

  it.each(['http://127.0.0.1/', 'file:///etc/passwd', 'not an address'])(
    'is a failure of the provider when it is %s',
    async (finalUrl) => {
      expect(await ask(finalUrl)).toMatchObject({
        ok: false,
        failure: { errorClass: 'provider_error' },
      });
    },
  );
});
