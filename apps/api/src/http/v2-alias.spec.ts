import { request } from 'node:http';
import { startTestApi, type StartedApi } from '../../test/started-api.js';
import { withoutV2Alias } from './create-http.js';

describe('the alias of /v2', () => {
  it.each([
    ['/firecrawl/v2/scrape', '/v2/scrape'],
    ['/firecrawl/v2', '/v2'],
    ['/firecrawl/v2/', '/v2/'],
    ['/firecrawl/v2?x=1', '/v2?x=1'],
    ['/firecrawl/v2/a?next=/firecrawl/v2/b', '/v2/a?next=/firecrawl/v2/b'],
    ['/firecrawl/V2/scrape', '/V2/scrape'],
    ['/%66irecrawl/%76%32/scrape', '/%76%32/scrape'],
    ['/firecrawl//v2/scrape', '//v2/scrape'],
    ['//firecrawl/v2/scrape', '//v2/scrape'],
    ['http://host/firecrawl/v2/scrape', 'http://host/v2/scrape'],
    ['HTTP://u@host:1/firecrawl/v2/scrape', 'HTTP://u@host:1/v2/scrape'],
    ['/firecrawl/v2/firecrawl/v2/scrape', '/v2/firecrawl/v2/scrape'],
    ['/firecrawl/v2/../v1/keys', '/v2/../v1/keys'],
  ])('reads %s as %s', (target, expected) => {
    expect(withoutV2Alias(target)).toBe(expected);
  });

  it.each([
    '/v2/scrape',
    '/firecrawl',
    '/firecrawl/v1/scrape',
    '/firecrawl/v20/scrape',
    '/firecrawl/v2x',
    '/firecrawls/v2/scrape',
    '/Firecrawl/v2/scrape',
    '/x/firecrawl/v2/scrape',
    '/firecrawl%2fv2/scrape',
    '/firecrawl;a/v2/scrape',
    '/%zzfirecrawl/v2/scrape',
    '/firecrawl/%zz/scrape',
    '*',
    '',
    '/?a=/firecrawl/v2/scrape',
  ])('leaves %j as it is', (target) => {
    expect(withoutV2Alias(target)).toBe(target);
  });

  it('takes time linear in the target', () => {
    const long = '/'.repeat(60_000);
    expect(withoutV2Alias(`${long}firecrawl/v2/x`)).toBe(`${long.slice(1)}/v2/x`);
    expect(withoutV2Alias(`/${'firecrawl'.repeat(9_000)}`)).toHaveLength(81_001);
  });

  describe('served', () => {
    let api: StartedApi;
    afterEach(() => api.stop());

    /** As it is, without what a client would make of it. */
    const raw = (method: string, target: string, key: string | null = api.key) =>
      new Promise<{ status: number; body: unknown; headers: unknown }>((resolve, reject) => {
        const { hostname, port } = new URL(api.url);
        const headers = key === null ? {} : { 'x-api-key': key };
        const sent = request({ hostname, port, method, path: target, headers }, (response) => {
          response.toArray().then((chunks) => {
            const body = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as unknown;
            resolve({ status: response.statusCode ?? 0, body, headers: response.headers });
          }, reject);
        });
        sent.on('error', reject).end();
      });

    it.each([
      ['GET', '/v2/nothing'],
      ['GET', '/v2/team/credit-usage'],
      ['PATCH', '/v2/monitor/1'],
      ['PUT', '/v2/scrape'],
      ['GET', '/v2/%zz'],
      ['GET', '//v2/scrape'],
      ['GET', '/V2/scrape'],
      ['POST', '/v2/scrape'],
    ])('answers %s %s the same under both names, with and without a key', async (method, path) => {
      api = await startTestApi();
      for (const key of [api.key, 'wrong', null]) {
        const own = await raw(method, path, key);
        const alias = await raw(method, path.replace(/^\//, '/firecrawl/'), key);
        const alsoAbsolute = await raw(method, `http://x.example/firecrawl${path}`, key);
        expect([alias.status, alias.body]).toEqual([own.status, own.body]);
        expect(own.body).toMatchObject({ success: false });
        expect([alsoAbsolute.status, alsoAbsolute.body]).toEqual([own.status, own.body]);
      }
    });

    it('counts in the same window, under the same route label', async () => {
      api = await startTestApi();
      await raw('POST', '/firecrawl/v2/scrape');
      await raw('POST', '/firecrawl/v2/%73crape');
      await raw('GET', '/firecrawl/v2/a-path-of-its-own');
      const text = await api.metrics.registry.metrics();
      const routes = [...text.matchAll(/http_requests_total\{[^}]*route="([^"]+)"/g)].map(
        ([, route]) => route,
      );
      expect([...new Set(routes)].sort()).toEqual(['/v2/scrape', 'other']);
      expect(api.counted).toHaveLength(3);
    });
  });
});
