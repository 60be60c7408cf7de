import { METHODS, request } from 'node:http';
import { API_ERRORS } from '@app/contracts';
import { startTestApi, type StartedApi } from '../../test/started-api.js';

interface Answered {
  readonly status: number;
  readonly allow: string | undefined;
  readonly text: string;
}

const ID = '018f0000-0000-7000-8000-0000000000aa';
const PUBLIC = ['/', '/openapi.json', '/llms.txt', '/llms-full.txt', '/agent-onboarding'];

describe('a method that a path does not support', () => {
  let api: StartedApi;
  /** The documented methods of each path, in upper case. */
  let documented: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    api = await startTestApi();
    const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    documented = new Map(
      Object.entries(paths).map(([path, item]) => [
        path,
        Object.keys(item).map((method) => method.toUpperCase()),
      ]),
    );
  });
  afterAll(() => api.stop());

  /** Not with fetch, which supports few methods. */
  const send = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = { 'x-api-key': api.key },
    body = '',
  ): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const sent = request(
        new URL(path, api.url),
        { method, headers, agent: false },
        (response) => {
          response.toArray().then(
            (chunks) =>
              resolve({
                status: response.statusCode ?? 0,
                allow: response.headers.allow,
                text: chunks.join(''),
              }),
            reject,
          );
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });

  /** A GET with a price has no HEAD. */
  const allowOf = (methods: readonly string[], path: string): string => {
    const more = methods.includes('GET') && path !== '/v1/scrape' ? ['HEAD'] : [];
    return [...new Set([...methods, ...more, 'OPTIONS'])].sort().join(', ');
  };

  it('is 405 on every path of the document, and Allow lists the documented methods', async () => {
    expect(documented.size).toBeGreaterThan(20);
    for (const [path, taken] of documented) {
      const allow = allowOf(taken, path);
      const target = path.replace(/\{\w+\}/g, ID);
      for (const method of METHODS) {
        if (allow.split(', ').includes(method) || method === 'CONNECT') continue;
        if (method === 'DELETE' && path === '/v2/batch/scrape/{id}') continue;
        const answer = await send(method, target);
        expect([method, path, answer.status, answer.allow]).toEqual([method, path, 405, allow]);
      }
    }
  });

  it('has an error text', async () => {
    const { text } = await send('PUT', `/v1/jobs/${ID}`);
    const told = API_ERRORS.method_not_allowed.text
      .replace('{path}', '/v1/jobs/{id}')
      .replace('{methods}', 'DELETE, GET, HEAD, OPTIONS');
    expect(JSON.parse(text)).toEqual({ error: told, hint: expect.any(String) });
  });

  it.each(PUBLIC)('is 405 on %s too', async (path) => {
    expect(await send('POST', path, {})).toMatchObject({
      status: 405,
      allow: 'GET, HEAD, OPTIONS',
    });
  });

  it('needs a key first', async () => {
    expect((await send('PUT', '/v1/jobs', {})).status).toBe(401);
    expect((await send('OPTIONS', '/v1/jobs', {})).status).toBe(401);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['of no known type', { 'content-type': 'text/plain' }, 'x'],
    ['that is broken', { 'content-type': 'application/json' }, '{'],
    ['that is a form', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
  ])('is rejected before a body %s', async (_, type, body) => {
    const headers = { 'x-api-key': api.key, ...type };
    expect((await send('POST', '/v1/jobs', headers, body)).status).toBe(405);
  });

  it('is a 404 on an unknown path', async () => {
    for (const method of ['GET', 'PUT', 'OPTIONS', 'PROPFIND'])
      expect((await send(method, '/v1/nothing')).status).toBe(404);
  });

  it('does not include OPTIONS, which lists the methods', async () => {
    for (const [path, taken] of documented) {
      const answer = await send('OPTIONS', path.replace(/\{\w+\}/g, ID));
      expect([path, answer]).toEqual([
        path,
        { status: 204, allow: allowOf(taken, path), text: '' },
      ]);
    }
  });

  it('does not include HEAD where there is GET', async () => {
    expect(await send('HEAD', '/v1/pricing')).toMatchObject({ status: 200, text: '' });
    expect((await send('HEAD', '/v1/scrape')).status).toBe(405);
  });

  it('is detected on another spelling of the path', async () => {
    for (const path of ['/v1/jobs/', '/%76%31/jobs', `/v1/jobs/${ID}?x=1`])
      expect((await send('PATCH', path)).status).toBe(405);
  });
});
