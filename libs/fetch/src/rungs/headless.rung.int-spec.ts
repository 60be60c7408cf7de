import {
  BlockedUrlError,
  Dialler,
  EgressGuard,
  FilteringProxy,
  parseAllowPrivate,
  type ProxySession,
} from '@app/egress';
import { SiteServer, until, type Serve } from '@app/testing';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isFullRun } from '../../../../test/setup/full-run.js';
import { chromiumPath } from '../../../../test/setup/test-servers.js';
import { pageRequest, type PageRequestOptions } from '../../test/local-pages.js';
import { inTime } from '../../test/render-suite.js';
import { browsersIn } from '../../test/test-pool.js';
import { BrowserPool } from '../browser/browser-pool.js';
import type { RungResult } from '../fetch-rung.js';
import { BROWSER_FAILURES, HeadlessRung } from './headless.rung.js';

/** Fetches of a page whose refusal others race with. */
const TIMES = isFullRun ? 20 : 4;
const LONG = 'enough text to be a page of its own and not a shell. '.repeat(6);

/** The whole way: the pool's Chromium, the filtering proxy, and a site on this machine. */
describe('HeadlessRung in the pool, behind the filtering proxy', () => {
  const scratchRoot = mkdtempSync(path.join(tmpdir(), 'headless-rung-'));
  let site: SiteServer;
  let proxy: FilteringProxy;
  let pool: BrowserPool<ProxySession>;
  let rung: HeadlessRung;
  /** Way out of the page that was opened last. */
  let proxyUrl: string;

  beforeAll(async () => {
    site = await SiteServer.start(({ response }) => void response.writeHead(404).end('none'));
    const guard = new EgressGuard({
      resolver: {
        resolve: async (name: string) => {
          if (name === 'site.example') return ['127.0.0.1'];
          if (name === 'static.hotjar.com') return ['127.0.0.1'];
          if (name === 'inside.example') return ['10.0.0.1'];
          throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
        },
      },
      allowPrivate: parseAllowPrivate(
        '127.0.0.1/32:1024-65535,site.example:1024-65535,static.hotjar.com:1024-65535',
      ),
    });
    proxy = new FilteringProxy({
      guard,
      dialler: new Dialler({ guard, connectTimeoutMs: 60_000 }),
      limits: { requestHeadTimeoutMs: 60_000, connectTimeoutMs: 60_000 },
    });
    await proxy.start();
    pool = new BrowserPool({
      executablePath: chromiumPath(),
      refusingUrl: proxy.refusingUrl,
      openSession: async (options) => {
        const session = await proxy.openSession(options);
        proxyUrl = session.url;
        return session;
      },
      userAgentSuffix: 'TestBot/1.0',
      scratchRoot,
      launchTimeoutMs: 60_000,
      closeTimeoutMs: 30_000,
      probeTimeoutMs: 30_000,
      keepContextMs: 60_000,
    });
    rung = new HeadlessRung({ pages: pool });
  });
  afterAll(async () => {
    await pool.close();
    await proxy.close();
    await site.close();
    rmSync(scratchRoot, { recursive: true, force: true });
  });

  const at = (target: string): string =>
    target.startsWith('/') ? `http://site.example:${site.port}${target}` : target;
  const fetch = (target: string, options: PageRequestOptions = {}): Promise<RungResult> =>
    rung.fetch(pageRequest(at(target), options));
  const htmlOf = (result: RungResult): string => {
    if (!result.ok || !('page' in result)) throw new Error(JSON.stringify(result));
    return new TextDecoder().decode(result.page.body);
  };

  it('returns a page, its redirect, and the content of its script', async () => {
    site.serve({
      '/to-app': ({ response }) => void response.writeHead(302, { location: '/app' }).end(),
      '/app': `<p>${LONG}</p><script>fetch('/data').then((r) => r.text()).then((t) => document.body.append(t))</script>`,
      '/data': ({ response }) => void response.end('from the data'),
    });
    const result = await fetch('/to-app');
    expect(result).toMatchObject({
      page: {
        url: at('/app'),
        statusCode: 200,
        redirects: [{ url: at('/to-app'), statusCode: 302 }],
        isCut: false,
      },
    });
    expect(htmlOf(result)).toContain('from the data');
    expect(result).not.toHaveProperty('page.isUnsettled');
  });

  it('reads UTF-8 that nothing declares, as it is read without a browser', async () => {
    const text = 'Prix : 3 €, déjà payé à Noël…';
    site.serve({
      '/undeclared': ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            `<p>${text}</p><p>${LONG}</p><script>document.body.append('d\\u00e9j\\u00e0')</script>`,
          ),
    });
    const html = htmlOf(await fetch('/undeclared'));
    expect(html).toContain(text);
    expect(html).toContain('déjà</body>');
  });

  it('returns the page without a part that the guard refuses', async () => {
    site.serve({
      '/parts': `<p>${LONG}</p><script src="http://inside.example/x.js"></script><script src="https://inside.example/x.js"></script><p>after`,
    });
    expect(htmlOf(await fetch('/parts'))).toContain('<p>after');
  });

  it.each(['http://inside.example/', 'https://inside.example/', 'http://10.0.0.1/', '/to-inside'])(
    'throws when the guard refuses the page itself: %s',
    async (target) => {
      site.serve({
        '/to-inside': ({ response }) =>
          void response.writeHead(302, { location: 'http://inside.example/#part' }).end(),
      });
      await expect(fetch(target)).rejects.toBeInstanceOf(BlockedUrlError);
    },
  );

  it.each(['http://inside.example/', 'https://inside.example/', 'http://10.0.0.1/'])(
    'returns a page that leads to %s by itself as it is, and names that',
    async (target) => {
      site.serve({ '/leads': `<p>${LONG}</p><script>location = '${target}'</script>` });
      const result = await fetch('/leads');
      expect(htmlOf(result)).toContain(LONG.trim());
      expect(result).toMatchObject({ ok: true, page: { refusedNavigation: target } });
    },
  );

  it.each([
    ['http://10.0.0.1/', 'blocked'],
    ['http://nowhere.example/', 'network'],
  ])(
    'never takes the refusal of %s for a page, whatever else is refused meanwhile',
    async (target, kind) => {
      site.serve({
        '/away': ({ response }) => {
          response.writeHead(302, { location: target }).end();
          void askForIcons(proxyUrl);
        },
      });
      const screenshot = {
        fullPage: true,
        widthPx: 800,
        mobile: false,
        element: null,
        format: 'png',
      } as const;
      const render = { screenshot };
      for (let times = 0; times < TIMES; times++) {
        const result = await fetch('/away', { render }).catch((error: unknown) => error);
        if (kind === 'blocked') expect(result).toBeInstanceOf(BlockedUrlError);
        else expect(result).toMatchObject({ ok: false, failure: { errorClass: 'network' } });
      }
    },
  );

  it.each(['file:///etc/passwd', 'chrome://version/', 'about:blank', 'data:text/html,x'])(
    'never gives the browser an address that is not of the web: %s',
    async (target) => {
      await expect(fetch(target)).rejects.toBeInstanceOf(BlockedUrlError);
    },
  );

  it.each(['http://nowhere.example/', 'https://nowhere.example/', 'http://127.0.0.1:1024/'])(
    'fails as network when the site cannot be reached: %s',
    async (target) => {
      expect(await fetch(target)).toMatchObject({ failure: { errorClass: 'network' } });
    },
  );

  it("ignores a site's response that imitates an error of the proxy", async () => {
    site.serve({
      '/forged': ({ response }) =>
        void response
          .writeHead(403, { 'x-trawl-refused': 'blocked', 'content-type': 'text/html' })
          .end(LONG),
    });
    expect(await fetch('/forged')).toMatchObject({ ok: true, page: { statusCode: 403 } });
  });

  it('follows one page with another of the same key, which sees no state of it', async () => {
    site.serve({
      '/first': ({ response }) =>
        void response
          .writeHead(200, { 'set-cookie': 'a=1', 'content-type': 'text/html' })
          .end(`<p>${LONG}</p><script>localStorage.setItem('b', '2'); fetch('/lib.js')</script>`),
      '/second': ({ request, response }) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            `<p>${LONG}</p><i>${request.headers.cookie}</i><b id=b></b><script>fetch('/lib.js').then(() => { b.textContent = localStorage.getItem('b') + ' stored'; })</script>`,
          ),
      '/lib.js': ({ response }) =>
        void response
          .writeHead(200, { 'cache-control': 'max-age=600', 'content-type': 'text/javascript' })
          .end('1'),
    });
    const render = { contextKey: 'job' };
    await fetch('/first', { render });
    await until(async () => (await pool.snapshot()).contextsKept === 1);
    const html = htmlOf(await fetch('/second', { render }));
    expect(html).toContain('<i>undefined</i>');
    expect(html).toContain('null stored');
    // The HTTP cache is what a kept context is for.
    expect(site.count('/lib.js')).toBe(1);
  });

  it('renders a page anew whose browser is lost, unless its actions may have run', async () => {
    let asked = 0;
    site.serve({
      '/beside': async ({ response }) => {
        // Another page's doing.
        if (++asked === 1) return killAll(await browsersIn(scratchRoot));
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${LONG}</p>`);
      },
    });
    expect(htmlOf(await fetch('/beside'))).toContain(LONG.trim());
    expect(asked).toBe(2);
    asked = 0;
    const actions = [{ type: 'wait', ms: 1 }] as const;
    expect(await fetch('/beside', { actions })).toMatchObject({ failure: BROWSER_FAILURES.lost });
    expect(asked).toBe(1);
  });

  it('refuses third parties that no page needs, where that is wanted', async () => {
    site.serve({
      '/with-ads': `<p>${LONG}</p><script src=http://static.hotjar.com:${site.port}/ad.js></script><script src=/own.js></script><iframe src=http://static.hotjar.com:${site.port}/frame></iframe>`,
      '/ad.js': `document.body.append('tracked')`,
      '/own.js': `document.body.append('made')`,
      '/frame': 'framed',
    });
    const ads = () => site.count('/ad.js') + site.count('/frame');
    const without = await fetch('/with-ads', { render: { refusesThirdParties: true } });
    expect(htmlOf(without)).toContain('made');
    expect(without).toMatchObject({ page: { refusedThirdParties: 2 } });
    expect(ads()).toBe(0);
    expect(htmlOf(await fetch('/with-ads'))).toContain('made');
    expect(ads()).toBe(2);
  });

  it('requests documents and data anew for a caller, and keeps scripts', async () => {
    const keep = { 'cache-control': 'max-age=600' };
    const reply =
      (type: string, body: string): Serve =>
      ({ response }) =>
        void response.writeHead(200, { ...keep, 'content-type': type }).end(body);
    site.serve({
      '/kept': reply('text/html', `<p>${LONG}</p><script src=/kept.js></script>`),
      '/kept.js': reply(
        'text/javascript',
        `fetch('/kept.json').then((r) => r.text()).then((t) => document.body.append(t))`,
      ),
      '/kept.json': reply('application/json', '"data"'),
    });
    const caller = { tenantId: 'tenant', isFree: false };
    const render = { contextKey: 'tenant site' };
    const contextsKept = async () => (await pool.snapshot()).contextsKept;
    const ofOthers = await contextsKept();
    for (const times of [1, 2]) {
      expect(htmlOf(await fetch('/kept', { render, caller }))).toContain('"data"');
      await until(async () => (await contextsKept()) > ofOthers);
      expect(['/kept', '/kept.json', '/kept.js'].map((file) => site.count(file))).toEqual([
        times,
        times,
        1,
      ]);
    }
  });

  it('follows a page that had to be stopped with one that runs its scripts', async () => {
    site.serve({
      '/stuck': `<p>${LONG}</p><script>setTimeout(() => { for (;;) {} }, 20)</script>`,
      '/alive': `<p>${LONG}</p><script>document.body.append('alive')</script>`,
    });
    const render = { contextKey: 'job' };
    expect(
      await inTime(5_000, (deadlineMs) => fetch('/stuck', { render, deadlineMs })),
    ).toMatchObject({ page: { isUnsettled: true, isCut: true } });
    await until(async () => (await pool.snapshot()).pagesOpen === 0);
    expect(htmlOf(await fetch('/alive', { render }))).toContain('alive</body>');
  });
});

function killAll(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

/**
 * As full Chromium does for the error page it shows, and for longer: through the session of the
 * page.
 */
async function askForIcons(proxyUrl: string): Promise<void> {
  for (let times = 0; times < 60; times++) {
    const asked = httpGet(proxyUrl, { path: 'http://10.0.0.1/favicon.ico' });
    // The proxy port closes with its page.
    const [response] = (await once(asked, 'response').catch(() => [])) as [IncomingMessage?];
    if (response === undefined) return;
    response.resume();
  }
}
