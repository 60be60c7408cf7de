import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from '@app/testing';
import { startTestApi, type StartedApi } from '../../test/started-api.js';

describe('the HTTP server', () => {
  let api: StartedApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.stop());

  it('waits half a minute for the headers of a request, and longer for a large upload', () => {
    const { headersTimeout, requestTimeout } = api.server;
    expect([headersTimeout, requestTimeout]).toEqual([30_000, 150_000]);
  });

  it.each([
    ['/v1/extract', 413, 33_554_433],
    ['/v1/scrape', 413, 1_048_577],
    ['/v1/batch', 413, 1_048_577],
    ['/v1/crawl', 413, 8_388_609],
  ])('%s returns %i to %i bytes before they are sent', async (path, status, length) => {
    const answer = await api.head('POST', path, {
      'content-type': 'application/json',
      'content-length': String(length),
    });
    expect(answer).toEqual({
      status,
      body: {
        error: `Request body too large: the limit is ${length - 1} bytes`,
        hint: expect.any(String),
      },
    });
  });
});

describe('the headers of a response', () => {
  /** Those that a cache may keep for everyone, or a feed reader for a minute. */
  const CACHED = /^\/(openapi\.json|llms\.txt|llms-full\.txt|agent-onboarding.*|skill\.md|)$/i;

  it('let no cache keep it and no page load or frame anything, on every path but the public files', async () => {
    const api = await startTestApi();
    const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(documented.length).toBeGreaterThan(40);
    const unknown = [
      ['GET', '/v1/nothing'],
      ['GET', '/%zz'],
      ['POST', '/v1/scrape/x'],
    ] as const;
    for (const [method, path] of [...documented, ...unknown])
      for (const key of ['', api.key]) {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const body = ['GET', 'DELETE', 'HEAD'].includes(method) ? undefined : '[]';
        const answer = await fetch(api.url + path, { method, headers, body: body ?? null });
        await answer.body?.cancel();
        const kept = answer.headers.get('cache-control');
        if (!CACHED.test(path)) expect([path, kept]).toEqual([path, 'private, no-store']);
        const policy = answer.headers.get('content-security-policy');
        expect([path, policy]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
        expect(answer.headers.has('strict-transport-security')).toBe(false);
      }
    await api.stop();
  });

  it('tell browsers to use https alone where clients reach the API by it', async () => {
    const api = await startTestApi({ settings: { publicUrl: 'https://api.example.com' } });
    const { headers } = await fetch(`${api.url}/v1/usage`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    await api.stop();
  });
});

describe('a connection between two requests', () => {
  it('is not used by clients after 5 s, and kept for the load balancers that use it for 60', async () => {
    const api = await startTestApi();
    const response = await fetch(`${api.url}/health/live`);
    expect(response.headers.get('keep-alive')).toBe('timeout=5');
    const { keepAliveTimeout, keepAliveTimeoutBuffer } = api.server;
    expect(keepAliveTimeout + keepAliveTimeoutBuffer).toBe(65_000);
    await api.stop();
  });
});

describe('the HTTP server while it closes', () => {
  it('serves a request on a connection that was open before', async () => {
    const api = await startTestApi();
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    await Promise.all([once(api.server, 'connection'), once(socket, 'connect')]);
    const closed = api.close();
    await until(() => !api.server.listening, { what: 'a server that does not listen' });
    socket.write('GET /health/live HTTP/1.1\r\nhost: trawl\r\n\r\n');
    const response = (await socket.toArray()).join('');
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(response).toMatch(/\r\nconnection: close\r\n/i);
    await closed;
    await api.stop();
  });
});
