import { until } from '@app/testing';
import type { WatchedPage, WatchRequest } from '../fetch-rung.js';
import { pageRequest, type PageRequestOptions } from '../../test/local-pages.js';
import { isFullRun } from '../../../../test/setup/full-run.js';
import { renderSuite } from '../../test/render-suite.js';
import { openTestPool } from '../../test/test-pool.js';
import { HeadlessRung } from '../rungs/headless.rung.js';

const TEXT = 'some text of the page that is long enough to be more than a shell. '.repeat(5);
const PATHS = ['jQuery.fn.jquery', 'Shopify', 'React.version', 'count', 'late.found', 'a.b.c.d'];

/** Time for a machine that others keep busy: three getters that never return have a sixth of it each. */
const GLOBALS_MS = 9_000;

const images = (count: number): string =>
  Array.from({ length: count }, (_, n) => `<img src="/i/${n}">`).join('');
const scripts = (count: number): string =>
  Array.from({ length: count }, (_, n) => `<script async src="/s/${n}.js"></script>`).join('');

/** Tampers with the globals that our queries use, and keeps the originals for itself. */
const TAMPERING = `
  Object.prototype.hasOwnProperty = () => true; String.prototype.slice = () => ({ evil: 1 });
  JSON.stringify = () => 'evil'; Object.keys = () => ['evil']; Array.prototype[Symbol.iterator] = null;
  Object.defineProperty(Array.prototype, 0, { set() { throw 1 }, get() { return 'evil' } });
  Object.prototype.toJSON = () => 'evil'; Function.prototype.toString = () => 'evil';`;

const HOSTILE = `
  jQuery = { fn: { jquery: '3.7.1' } };
  Object.defineProperty(window, 'thrower', { get() { throw new Error('mine') } });
  thrown = { get deep() { throw new Error('mine') } };
  looper = { get version() { for (;;); } };
  Object.defineProperty(window, 'rootLooper', { get() { for (;;); } });
  proxied = new Proxy({}, { get: () => proxied, has: () => { throw 1 }, getOwnPropertyDescriptor: () => { throw 1 } });
  stuck = new Proxy({}, { get() { for (;;); } });
  revoked = (({ proxy, revoke }) => (revoke(), proxy))(Proxy.revocable({}, {}));
  huge = { text: 'x'.repeat(20000000) };
  asking = { get version() { for (;;) alert('still there?'); } };
  after = { version: '9' };`;

describe('a watched page', () => {
  const suite = renderSuite({
    '/plain': `<p>${TEXT}</p>`,
    '/globals': `<p>${TEXT}</p><div id=Shopify></div><script>
      jQuery = function () {}; jQuery.fn = { jquery: '3.7.1' };
      var React = { version: '18.2.0' }; count = 42; flag = true; nothing = null; undef = undefined;
      a = { b: { c: { d: { e: 1 } } } }; setTimeout(() => { late = { found: 'yes' } }, 60);
    </script>`,
    '/long': `<p>${TEXT}</p><script>exact = 'x'.repeat(2000); long = 'y'.repeat(2001)</script>`,
    '/many-globals': `<p>${TEXT}</p><script>for (let n = 0; n < 600; n++) window['g' + n] = n</script>`,
    '/tampering': `<p>${TEXT}</p><script>jQuery = { fn: { jquery: '3.7.1' } };${TAMPERING}</script>`,
    '/hostile': `<p>${TEXT}</p><script>${HOSTILE}</script>`,
    '/crashing': `<p>${TEXT}</p><script>known = 1; crasher = { get version() { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); } }</script>`,
    '/leaving': `<p>${TEXT}</p><script>leaver = { get version() { location = '/plain'; return '1' } }</script>`,
    '/busy': `<p>${TEXT}</p><script>setTimeout(() => { for (;;); }, 30)</script>`,
    '/kinds': `<p>${TEXT}</p><img src="/i/picture"><script src="/s/script.js"></script><link rel=stylesheet href="/s/style.css"><script>fetch('/s/fetched.js').then((a) => a.text()).then((t) => document.body.append(t))</script><iframe src="/s/frame.html"></iframe>`,
    '/hop': ({ response }) => void response.writeHead(302, { location: '/plain' }).end(),
    '/forty-scripts': `<p>${TEXT}</p>${scripts(40)}`,
    '/four-hundred': `<p>${TEXT}</p>${images(200)}${scripts(200)}`,
    '/asks-on': `<p>${TEXT}</p><script>let n = 0; setInterval(() => fetch('/s/poll' + n++), 5)</script>`,
    '/goes-on': `<p>${TEXT}</p><script>setTimeout(() => { location = '/plain' }, 30)</script>`,
    '/elsewhere': ({ url, response }) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<p>${TEXT}</p><iframe src="http://localhost:${url.port}/frame-of-many"></iframe><script src="/last.js"></script>`,
      );
    },
    '/frame-of-many': `<p>framed</p>${scripts(20)}`,
    // The page is at rest once its frame has had its share.
    '/last.js': async ({ response }) => {
      await until(() => suite.site.totalRequests >= 10);
      response.end();
    },
    '/long-address': `<p>${TEXT}</p><script src="/s/x.js?${'q'.repeat(3000)}"></script>`,
    '/cookies': ({ response }) => {
      response.setHeader('set-cookie', ['sid=abc; Expires=Wed, 21 Oct 2099 07:28:00 GMT', 'b=2']);
      response.setHeader('content-type', 'text/html');
      response.end(`<p>${TEXT}</p><script>document.cookie = '_ga=GA1.2.3'</script>`);
    },
    '/cookies-and-route': ({ response }) => {
      response.setHeader('set-cookie', 'own=1');
      response.setHeader('content-type', 'text/html');
      response.end(`<p>${TEXT}</p><script>history.replaceState(null, '', '/route#part')</script>`);
    },
    '/stays': ({ url, response }) => {
      response.setHeader('set-cookie', 'own=1');
      response.setHeader('content-type', 'text/html');
      const away = `http://localhost:${url.port}/no-content`;
      response.end(
        `<p>${TEXT}</p><script>onload = () => setTimeout(() => { location = '${away}' })</script>`,
      );
    },
    '/no-content': ({ response }) =>
      void response.writeHead(204, { 'set-cookie': 'own=theirs' }).end(),
    '/text': ({ response }) => {
      response.setHeader('content-type', 'text/plain');
      response.end('no markup');
    },
  });

  async function watch(
    path: string,
    watched: Partial<WatchRequest> = {},
    more: Pick<PageRequestOptions, 'deadlineMs' | 'cookies' | 'waitForMs'> = {},
  ): Promise<WatchedPage & { readonly html: string }> {
    const page = await suite.render(path, {
      ...more,
      render: {
        watch: { globalPaths: PATHS, globalsMs: GLOBALS_MS, maxRequests: 300, ...watched },
      },
    });
    if (!page.watched) throw new Error('it was not watched');
    return { ...page.watched, html: page.html };
  }
  const pathsOf = ({ requests }: WatchedPage): string[] =>
    requests.map((url) => new URL(url).pathname);

  it('reports nothing unless the caller requests it', async () => {
    expect((await suite.render('/globals')).watched).toBe(undefined);
  });

  it('reports which globals exist once it has settled, and the text of those that have one', async () => {
    const paths = [...PATHS, 'flag', 'nothing', 'undef', 'missing.deep', 'jQuery.missing.deep'];
    const { globals, isCapped } = await watch('/globals', { globalPaths: paths });
    expect(globals).toEqual({
      'jQuery.fn.jquery': '3.7.1',
      'React.version': '18.2.0',
      count: '42',
      'late.found': 'yes',
      'a.b.c.d': '',
      flag: '',
    });
    expect(Object.keys(globals)[0]).toBe('jQuery.fn.jquery');
    expect(isCapped).toBe(false);
  });

  it('cuts texts at 2,000 characters, and globals at one more than a scan reads', async () => {
    const { globals } = await watch('/long', { globalPaths: ['exact', 'long'] });
    expect([globals['exact']?.length, globals['long']?.length]).toEqual([2_000, 2_000]);
    const globalPaths = Array.from({ length: 600 }, (_, n) => `g${n}`);
    const many = await watch('/many-globals', { globalPaths });
    expect(Object.keys(many.globals).length).toBeGreaterThan(0);
    expect(Object.keys(many.globals).length).toBeLessThanOrEqual(501);
  });

  it('is read as ever, and invents no globals, when it has replaced everything', async () => {
    const { globals, html } = await watch('/tampering');
    expect(globals['jQuery.fn.jquery']).toBe('3.7.1');
    expect(Object.values(globals)).not.toContain('evil');
    expect(html).toContain('long enough');
  });

  it('cannot hold the reader with getters that throw, loop or ask, nor with proxies', async () => {
    const globalPaths = [
      'thrower',
      'thrown.deep',
      'looper.version',
      'rootLooper',
      'proxied.a.b.c',
      'stuck.version',
      'revoked.version',
      'huge.text',
      'jQuery.fn.jquery',
      'after.version',
    ];
    const { globals, html, isUnresponsive } = await watch('/hostile', { globalPaths });
    expect(globals).toEqual({
      'proxied.a.b.c': '',
      'huge.text': 'x'.repeat(2_000),
      'jQuery.fn.jquery': '3.7.1',
      'after.version': '9',
    });
    expect(html).toContain('long enough');
    expect(isUnresponsive).toBe(false);
  });

  it.each([
    ['asks the user for ever', '/hostile', 'asking.version', {}],
    ['goes elsewhere', '/leaving', 'leaver.version', { 'leaver.version': '1' }],
  ])('keeps what was read of it when a getter %s', async (_what, path, global, globals) => {
    const page = await watch(path, { globalPaths: [global] });
    expect(page.globals).toEqual(globals);
    expect(page.html).toContain('long enough');
  });

  it('keeps the values read so far when a getter uses up all memory', async () => {
    const globalPaths = ['known', 'crasher.version'];
    const page = await watch('/crashing', { globalPaths });
    expect(page.globals).toEqual({ known: '1' });
    expect(page.html).toContain('long enough');
  });

  it('with a thread that is never free is read within its deadline', async () => {
    const page = await suite.renderInTime('/busy', 4_000, {
      render: { watch: { globalPaths: PATHS, maxRequests: 300 } },
    });
    expect(page.html).toContain('long enough');
    expect(page.watched).toMatchObject({ globals: {} });
  });

  it('reports its requests in order, of any kind', async () => {
    const page = await watch('/kinds');
    expect(pathsOf(page)[0]).toBe('/kinds');
    expect(pathsOf(page)).toEqual(
      expect.arrayContaining([
        '/i/picture',
        '/s/script.js',
        '/s/style.css',
        '/s/fetched.js',
        '/s/frame.html',
      ]),
    );
    expect(pathsOf(await watch('/hop'))).toEqual(['/hop', '/plain']);
  });

  it.each([
    [41, false],
    [40, true],
  ])('with 41 requests and %i allowed is capped: %s', async (maxRequests, isCapped) => {
    const page = await watch('/forty-scripts', { maxRequests });
    expect(page.isCapped).toBe(isCapped);
    expect(page.requests).toHaveLength(maxRequests);
    const loaded = Array.from({ length: 40 }, (_, n) => suite.site.count(`/s/${n}.js`));
    expect(loaded.reduce((sum, one) => sum + one, 0)).toBe(maxRequests - 1);
  });

  it('that asks on loads no more than it may', async () => {
    const watched = { globalPaths: PATHS, maxRequests: 5 };
    const page = await suite.renderInTime('/asks-on', 4_000, { render: { watch: watched } });
    expect(page.watched?.requests).toHaveLength(5);
    expect(page.watched?.isCapped).toBe(true);
    expect(page.html).toContain('long enough');
  });

  if (isFullRun)
    it('with four hundred parts loads no more than it may', async () => {
      const page = await watch('/four-hundred', { maxRequests: 300 }, { deadlineMs: 60_000 });
      expect(page.requests).toHaveLength(300);
      expect(page.isCapped).toBe(true);
      expect(page.html).toContain('long enough');
    });

  it('that has had all its requests stays where it is', async () => {
    // Time for it to try.
    const page = await watch('/goes-on', { maxRequests: 1 }, { waitForMs: 1_000 });
    expect(page).toMatchObject({ isCapped: true, html: expect.stringContaining('long enough') });
    expect(suite.site.count('/plain')).toBe(0);
  });

  it('counts requests of its frames of other sites', async () => {
    const page = await watch('/elsewhere', { maxRequests: 10 });
    expect(page.requests).toHaveLength(10);
    expect(page.isCapped).toBe(true);
  });

  it('cuts an address at one more than a scan reads', async () => {
    const { requests } = await watch('/long-address');
    expect(requests[1]).toHaveLength(2_001);
  });

  it('reports the cookies that responses and scripts set, and none of the request', async () => {
    const page = await watch('/cookies', {}, { cookies: 'mine=1; b=1' });
    expect(page.cookies).toEqual({ sid: 'abc', b: '2', _ga: 'GA1.2.3' });
  });

  it('reports the Set-Cookie headers one by one, watched or not', async () => {
    const { setCookies } = await suite.render('/cookies');
    expect(setCookies).toEqual(['sid=abc; Expires=Wed, 21 Oct 2099 07:28:00 GMT', 'b=2']);
    expect((await suite.render('/plain')).setCookies).toBe(undefined);
    const { setCookies: own, url } = await suite.render('/cookies-and-route');
    expect([own, new URL(url).pathname]).toEqual([['own=1'], '/route']);
  });

  it('reports no Set-Cookie header of an address that the page only asked for', async () => {
    // Time for it to ask.
    const { setCookies, url } = await suite.render('/stays', { waitForMs: 1_000 });
    expect(suite.site.count('/no-content')).toBe(1);
    expect([setCookies, new URL(url).pathname]).toEqual([undefined, '/stays']);
  });

  it('that is no markup has no globals', async () => {
    const page = await watch('/text');
    expect(page).toMatchObject({ html: 'no markup', globals: {}, isCapped: false });
    expect(pathsOf(page)).toEqual(['/text']);
  });
});

describe('a watched page of the browser pool', () => {
  it('counts requests of its frames of other sites', async () => {
    const asked: string[] = [];
    const all = Promise.withResolvers<void>();
    await using test = await openTestPool({}, async (url, _request, response) => {
      if (asked.push(url.pathname) === 10) all.resolve();
      response.setHeader(
        'content-type',
        url.pathname.endsWith('.js') ? 'text/javascript' : 'text/html',
      );
      if (url.pathname === '/')
        response.end(
          `<p>${TEXT}</p><iframe src="http://b.example/frame"></iframe><script src="/last.js"></script>`,
        );
      else if (url.pathname === '/frame') response.end(`<p>framed</p>${scripts(20)}`);
      else {
        // The page is at rest once its frame has had its share.
        if (url.pathname === '/last.js') await all.promise;
        response.end('1');
      }
    });
    const watch: WatchRequest = { globalPaths: [], maxRequests: 10 };
    const result = await new HeadlessRung({ pages: test.pool }).fetch(
      pageRequest('http://a.example/', { render: { watch } }),
    );
    if (!result.ok || !('page' in result)) throw new Error('it failed');
    expect(result.page.watched?.isCapped).toBe(true);
    expect(result.page.watched?.requests).toHaveLength(10);
    expect(asked.length).toBeLessThanOrEqual(10);
  });
});
