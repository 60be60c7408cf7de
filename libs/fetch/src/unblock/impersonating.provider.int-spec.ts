import { BlockedUrlError, Dialler, FilteringProxy } from '@app/egress';
import { SiteServer, startLeakCheck, type LeakCheck, type Serve } from '@app/testing';
import { fetchRequest, loopbackGuard } from '../../test/fetch-request.js';
import {
  OTHER,
  PATIENT,
  fetchedPageOf,
  startBench,
  bodyText,
  type Bench,
} from '../../test/impersonation-bench.js';
import { createImpersonatingProvider } from './impersonating.provider.js';

describe('the impersonating provider', () => {
  let leaks: LeakCheck;
  let bench: Bench | null = null;
  const use = async (serve: Serve) => (bench = await startBench(serve));
  beforeEach(() => (leaks = startLeakCheck()));
  afterEach(async () => {
    await bench?.close();
    bench = null;
    await leaks.assertClean();
  });

  it('returns a page with its address, status, headers and bytes', async () => {
    const { provider, site } = await use(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html', 'x-two': ['a', 'b'] });
      response.end('<p>héllo</p>');
    });
    const page = fetchedPageOf(await provider.fetch(fetchRequest(site.url('/page'))));
    expect(page).toMatchObject({
      url: site.url('/page'),
      statusCode: 200,
      contentType: 'text/html',
      isCut: false,
      isRendered: false,
      redirects: [],
      bytes: 13,
    });
    expect(page.headers['x-two']).toBe('a, b');
    expect(page.body.buffer.byteLength).toBe(13);
  });

  it.each([403, 404, 429, 500, 503])(
    'brings the error page of status %d as a page',
    async (status) => {
      const { provider, site } = await use(({ response }) => {
        response.writeHead(status).end('gate');
      });
      const result = await provider.fetch(fetchRequest(site.url()));
      expect(fetchedPageOf(result).statusCode).toBe(status);
      expect(bodyText(result)).toBe('gate');
    },
  );

  it('requests the language of the country and opens a session of that country', async () => {
    const { provider, site, opened } = await use(({ response }) => void response.end('ok'));
    await provider.fetch(fetchRequest(site.url(), { options: { country: 'DE' } }));
    const [sent] = site.requests('/');
    expect(sent?.headers['accept-language']).toMatch(/^de-DE,de;q=0\.9/);
    expect(sent?.headers['accept-language']).not.toContain('*');
    expect(opened).toMatchObject([{ country: 'DE' }]);
  });

  it('uses a sound client again and one that failed never', async () => {
    const { provider, site, opened } = await use(({ url, response, socket }) => {
      if (url.pathname === '/reset') socket.resetAndDestroy();
      else response.end('ok');
    });
    for (let i = 0; i < 3; i++) await provider.fetch(fetchRequest(site.url()));
    expect(opened).toHaveLength(1);
    await provider.fetch(fetchRequest(site.url('/reset')));
    await provider.fetch(fetchRequest(site.url()));
    expect(opened).toHaveLength(2);
  });

  describe('on redirects', () => {
    it('follows them one by one, reports each, and keeps cookies for this request only', async () => {
      const { provider, site } = await use(({ url, response }) => {
        if (url.pathname !== '/start') return void response.end('end');
        response
          .writeHead(302, { location: '/end', 'set-cookie': ['a=2', 'b=3; Path=/end'] })
          .end();
      });
      const targets: string[] = [];
      const onRedirect = (target: URL) => {
        targets.push(target.pathname);
        return Promise.resolve();
      };
      const options = { cookies: 'a=1; mine=x' };
      const page = fetchedPageOf(
        await provider.fetch(fetchRequest(site.url('/start'), { onRedirect, options })),
      );
      expect(page.redirects).toEqual([{ url: site.url('/start'), statusCode: 302 }]);
      expect(targets).toEqual(['/end']);
      expect(site.requests('/start')[0]?.headers['cookie']).toBe('a=1; mine=x');
      expect(site.requests('/end')[0]?.headers['cookie']).toBe('a=2; mine=x; b=3');
      await provider.fetch(fetchRequest(site.url('/end')));
      expect(site.requests('/end')[1]?.headers['cookie']).toBeUndefined();
    });

    it("sends the caller's headers and cookies to no other origin, nor after a return", async () => {
      const { provider, site } = await use(({ url, request, response }) => {
        const isHome = request.headers['host']?.startsWith('127.') ?? false;
        if (url.pathname === '/back') return void response.end('end');
        const host = isHome ? OTHER : '127.0.0.1';
        const path = isHome ? '/away' : '/back';
        response
          .writeHead(307, { location: `http://${host}:${url.port || site.port}${path}` })
          .end();
      });
      const options = { cookies: 'sid=1', headers: { authorization: 'Bearer t', 'x-own': '1' } };
      const result = await provider.fetch(fetchRequest(site.url('/start'), { options }));
      expect(fetchedPageOf(result).url).toBe(site.url('/back'));
      expect(site.requests('/start')[0]?.headers).toMatchObject({
        cookie: 'sid=1',
        authorization: 'Bearer t',
        'x-own': '1',
      });
      for (const path of ['/away', '/back']) {
        const headers = site.requests(path)[0]?.headers ?? {};
        expect(Object.keys(headers)).toContain('user-agent');
        expect(Object.keys(headers)).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/cookie|authorization|x-own/)]),
        );
      }
    });

    it.each([
      ['to a private address', 'http://10.0.0.1/'],
      ['to a metadata address', 'http://169.254.169.254/latest/'],
      ['to loopback by another port', 'http://127.0.0.1:2/'],
      ['to another scheme', 'file:///etc/passwd'],
    ])('throws the refusal of a hop %s', async (_case, location) => {
      const { provider, site } = await use(({ response }) => {
        response.writeHead(302, { location }).end();
      });
      await expect(provider.fetch(fetchRequest(site.url()))).rejects.toBeInstanceOf(
        BlockedUrlError,
      );
    });

    it('ends with the error of the redirect callback', async () => {
      const { provider, site } = await use(({ response }) => {
        response.writeHead(302, { location: '/end' }).end();
      });
      const forbidden = new Error('robots');
      const onRedirect = () => Promise.reject(forbidden);
      await expect(provider.fetch(fetchRequest(site.url(), { onRedirect }))).rejects.toBe(
        forbidden,
      );
      expect(site.count('/end')).toBe(0);
    });

    it('ends after ten, and at once in a loop', async () => {
      const { provider, site } = await use(({ url, response }) => {
        const next =
          url.pathname === '/circle' ? '/circle' : `/n${Number(url.pathname.slice(2)) + 1}`;
        response.writeHead(302, { location: next }).end();
      });
      const failed = { ok: false, failure: { errorClass: 'http_error' } };
      expect(await provider.fetch(fetchRequest(site.url('/n0')))).toMatchObject(failed);
      expect(site.requests().length).toBe(11);
      expect(await provider.fetch(fetchRequest(site.url('/circle')))).toMatchObject(failed);
      expect(site.count('/circle')).toBe(1);
    });

    it('follows a bounce that ends once its cookie is set', async () => {
      const { provider, site } = await use(({ request, response }) => {
        if (request.headers['cookie'] === 'seen=1') return void response.end('in');
        response.writeHead(302, { location: '/', 'set-cookie': 'seen=1' }).end();
      });
      expect(bodyText(await provider.fetch(fetchRequest(site.url())))).toBe('in');
    });

    it('reads a Location that is not escaped as UTF-8', async () => {
      const { provider, site } = await use(({ url, response }) => {
        if (url.pathname !== '/') return void response.end('ok');
        response.writeHead(301, { location: Buffer.from('/café').toString('latin1') }).end();
      });
      expect(fetchedPageOf(await provider.fetch(fetchRequest(site.url()))).url).toBe(
        site.url('/caf%C3%A9'),
      );
    });
  });

  it('reports the cookies of the response one by one', async () => {
    const lines = ['a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT', 'b=2'];
    const { provider, site } = await use(({ url, response }) => {
      if (url.pathname === '/set') response.setHeader('set-cookie', lines);
      response.end('ok');
    });
    const set = await provider.fetch(fetchRequest(site.url('/set')));
    expect(fetchedPageOf(set).setCookies).toEqual(lines);
    expect(fetchedPageOf(await provider.fetch(fetchRequest(site.url()))).setCookies).toBe(
      undefined,
    );
  });

  it('sends a conditional request and reports that the cached copy is still valid', async () => {
    const { provider, site } = await use(({ request, response }) => {
      response.writeHead(request.headers['if-none-match'] === '"v1"' ? 304 : 200).end();
    });
    const validators = { etag: '"v1"' };
    const result = await provider.fetch(fetchRequest(site.url(), { validators }));
    expect(result).toEqual({ ok: true, notModified: true });
  });

  it.each([
    ['a port without a listener', '127.0.0.1'],
    ['a name that does not resolve', 'nowhere.example'],
  ])('names %s', async (_case, host) => {
    const { provider, closedPort } = await use(({ response }) => void response.end());
    const result = await provider.fetch(fetchRequest(`http://${host}:${closedPort}/`));
    expect(result).toMatchObject({ ok: false, failure: { errorClass: 'network' } });
  });

  it('refuses a private target before anything is sent', async () => {
    const { provider, opened } = await use(({ response }) => void response.end());
    const asked = provider.fetch(fetchRequest('http://192.168.1.1/'));
    await expect(asked).rejects.toBeInstanceOf(BlockedUrlError);
    expect(opened).toHaveLength(0);
  });

  it('throws the error of the proxy for a name that leads inside', async () => {
    const site = await SiteServer.start(({ response }) => void response.end());
    const { guard } = loopbackGuard([], ['inside.example']);
    const proxy = new FilteringProxy({ guard, dialler: new Dialler({ guard }), limits: PATIENT });
    await proxy.start();
    const provider = createImpersonatingProvider({ guard, proxyPorts: proxy });
    for (const scheme of ['http', 'https']) {
      const asked = provider?.fetch(fetchRequest(`${scheme}://inside.example/`));
      await expect(asked).rejects.toBeInstanceOf(BlockedUrlError);
    }
    expect(site.requests()).toHaveLength(0);
    await provider?.close();
    await proxy.close();
    await site.close();
  });
});

describe('without the native module', () => {
  it('there is no provider, and the reason is reported', () => {
    const reasons: string[] = [];
    const provider = createImpersonatingProvider({
      guard: loopbackGuard([]).guard,
      proxyPorts: { openSession: () => Promise.reject(new Error('unused')) },
      load: () => {
        throw new Error('\nno native bindings\n\nlong advice');
      },
      onUnavailable: (reason) => reasons.push(reason),
    });
    expect(provider).toBeNull();
    expect(reasons).toEqual(['the impersonating client cannot be loaded: no native bindings']);
  });

  it('a proxy without free sessions is a failure and no exception', async () => {
    const provider = createImpersonatingProvider({
      guard: loopbackGuard([]).guard,
      proxyPorts: { openSession: () => Promise.reject(new Error('too many')) },
    });
    const result = await provider?.fetch(fetchRequest('http://93.184.216.34/'));
    expect(result).toMatchObject({ ok: false, failure: { errorClass: 'provider_error' } });
  });
});
