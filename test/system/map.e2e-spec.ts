import { gzipSync } from 'node:zlib';
import {
  fileOf,
  SiteServer,
  sitemapIndexOf,
  urlsetOf,
  type FixtureSite,
  type OwnPage,
} from '@app/testing';
import { MODES } from './deployment.js';
import { bareSite, homepage, MapRun } from './map-run.js';
import { share } from './shared-cluster.js';

describe.each(MODES)('POST /v1/map, %s', (mode) => {
  let run: MapRun;

  beforeAll(async () => {
    run = new MapRun(await share(mode));
  });
  afterAll(() => run?.service.stop());
  afterEach(() => run?.closeSites());

  describe('with a sitemap', () => {
    it('lists its pages in order, each once, those of other hosts left out', async () => {
      const site = await run.open();
      site.serve({
        '/sitemap.xml': fileOf(
          urlsetOf([
            site.url('/b'),
            site.url('/a'),
            site.url('/a#part'),
            site.url('/a?utm_source=x'),
            site.url('/c?y=2&x=1'),
            site.url('/c?x=1&y=2'),
            'https://elsewhere.example/x',
            '/relative',
          ]),
        ),
      });
      const answer = await run.ask({ url: site.url('/some/page#x') });
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          url: site.url('/some/page#x'),
          links: [site.url('/b'), site.url('/a'), site.url('/c?y=2&x=1'), site.url('/relative')],
          total: 4,
          source: 'sitemap',
        },
      ]);
      expect(answer.headers.get('x-credits-consumed')).toBe('1');
      expect(site.count('/')).toBe(0);
    });

    it.each([
      ['gzip by its first bytes', { 'content-type': 'text/plain' }],
      ['gzip as Content-Encoding', { 'content-type': 'text/xml', 'content-encoding': 'gzip' }],
    ])('reads %s', async (_name, headers) => {
      const site = await run.open();
      const file = gzipSync(urlsetOf([site.url('/packed')]));
      site.serve({ '/sitemap.xml': fileOf(file, headers) });
      expect((await run.map({ url: site.url() })).links).toEqual([site.url('/packed')]);
    });

    it('reads the sitemaps of robots.txt first, on any host', async () => {
      const site = await run.open();
      const other = await run.open({ '/maps.txt': fileOf(site.url('/from-elsewhere')) });
      const lines = ['/own.xml', other.url('/maps.txt')].map((line) => `Sitemap: ${line}\n`);
      site.serve({
        '/robots.txt': fileOf(lines.join(''), { 'content-type': 'text/plain' }),
        '/own.xml': fileOf(urlsetOf([site.url('/declared')])),
        '/sitemap.xml': fileOf(urlsetOf([site.url('/usual'), site.url('/declared')])),
        '/sitemap_index.xml': fileOf(urlsetOf([site.url('/unusual')])),
      });
      expect(await run.map({ url: site.url() })).toEqual({
        url: site.url('/'),
        links: ['/declared', '/from-elsewhere', '/usual', '/unusual'].map((path) => site.url(path)),
        total: 4,
        source: 'sitemap',
      });
    });

    it('merges 15 children of an index and does not request the 16th', async () => {
      const site = await run.open();
      const names = Array.from({ length: 17 }, (_, n) => `/child-${n}.xml`);
      for (const name of names) {
        site.serve({
          [name]: fileOf(urlsetOf([site.url(`/page-of${name}`), site.url('/shared')])),
        });
      }
      const index = sitemapIndexOf([...names, ...names].map((name) => site.url(name)));
      site.serve({ '/sitemap_index.xml': fileOf(index) });
      const body = await run.map({ url: site.url() });
      expect(names.map((name) => site.count(name))).toEqual([...Array<number>(15).fill(1), 0, 0]);
      expect(body).toMatchObject({ total: 16, source: 'sitemap', cuts: ['children'] });
      const pages = names.slice(0, 15).map((name) => site.url(`/page-of${name}`));
      expect(body.links).toEqual([pages[0], site.url('/shared'), ...pages.slice(1)]);
      expect(site.peakInFlight).toBeLessThanOrEqual(4);
    });

    it('searches all children before it limits, in any case of letters', async () => {
      const site = await run.open();
      const children = ['/a.xml', '/b.xml', '/c.xml'];
      children.forEach((name, child) => {
        const pages = Array.from({ length: 300 }, (_, n) => site.url(`/page/${child}/${n}`));
        site.serve({ [name]: fileOf(urlsetOf([...pages, site.url(`/Pricing/${child}`)])) });
      });
      site.serve({
        '/sitemap.xml': fileOf(sitemapIndexOf(children.map((name) => site.url(name)))),
      });
      const search = 'pRICING';
      const all = await run.map({ url: site.url(), search });
      expect(all.links).toEqual([0, 1, 2].map((child) => site.url(`/Pricing/${child}`)));
      expect(all).not.toHaveProperty('cuts');
      const two = await run.map({ url: site.url(), search, limit: 2 });
      expect([two.links, two.total, two.cuts]).toEqual([all.links.slice(0, 2), 2, ['limit']]);
    });

    it('ends where indexes form loops, or are nested too deep', async () => {
      const site = await run.open();
      site.serve({
        '/sitemap.xml': fileOf(sitemapIndexOf([site.url('/sitemap.xml'), site.url('/1.xml')])),
        '/1.xml': fileOf(sitemapIndexOf([site.url('/sitemap.xml'), site.url('/2.xml')])),
        '/2.xml': fileOf(sitemapIndexOf([site.url('/1.xml'), site.url('/3.xml')])),
        '/3.xml': fileOf(
          `${urlsetOf([site.url('/deep')])}`.replace(
            '</urlset>',
            `<sitemap><loc>${site.url('/4.xml')}</loc></sitemap></urlset>`,
          ),
        ),
        '/4.xml': fileOf(urlsetOf([site.url('/deeper')])),
      });
      const body = await run.map({ url: site.url() });
      expect([body.links, body.cuts]).toEqual([[site.url('/deep')], ['depth']]);
      expect([site.count('/sitemap.xml'), site.count('/4.xml')]).toEqual([1, 0]);
    });

    it('reports the missing part when a child cannot be fetched', async () => {
      const site = await run.open();
      const children = ['/good.xml', '/gone.xml', '/broken.xml', '/page.html'];
      site.serve({
        '/sitemap.xml': fileOf(sitemapIndexOf(children.map((name) => site.url(name)))),
        '/good.xml': fileOf(urlsetOf([site.url('/good')])),
        '/broken.xml': ({ response }) => void response.writeHead(500).end(),
        '/page.html': homepage('no sitemap'),
      });
      const body = await run.map({ url: site.url() });
      expect(body).toMatchObject({ links: [site.url('/good')], cuts: ['unread'] });
    });

    it('follows redirects of a sitemap, on the site and off it', async () => {
      const site = await run.open();
      const other = await run.open({ '/moved.xml': fileOf(urlsetOf([site.url('/moved')])) });
      site.serve({
        '/sitemap.xml': ({ response }) =>
          void response.writeHead(301, { location: other.url('/moved.xml') }).end(),
      });
      expect((await run.map({ url: site.url() })).links).toEqual([site.url('/moved')]);
    });

    it('does not request files that robots.txt forbids', async () => {
      const site = await run.open();
      site.serve({
        '/robots.txt': fileOf('User-agent: *\nDisallow: /sitemap\nDisallow: /$\n', {}),
        '/sitemap.xml': fileOf(urlsetOf([site.url('/a')])),
      });
      const answer = await run.ask({ url: site.url() });
      expect([answer.status, answer.body]).toEqual([
        502,
        {
          ok: false,
          error: 'map_fetch_failed',
          message: 'Fetch failed: robots.txt forbids this page',
        },
      ]);
      expect([site.count('/'), site.count('/sitemap.xml')]).toEqual([0, 0]);
    });
  });

  describe('without a sitemap', () => {
    const links =
      '<a href="/in">in</a><a href="in?a=1#x">again</a><a href="/in?a=1">once</a><a href="https://elsewhere.example/">out</a><a href="mailto:a@b.example">mail</a>';

    it.each([
      ['there is none', {}],
      ['it is empty', { '/sitemap.xml': fileOf(urlsetOf([])) }],
      ['it lists another site', { '/sitemap.xml': fileOf(urlsetOf(['https://b.example/'])) }],
      [
        'a page is in its place',
        { '/sitemap.xml': homepage('not found'), '/sitemap_index.xml': homepage('') },
      ],
    ] as const)('takes the internal links of the homepage when %s', async (_name, pages) => {
      const site = await run.open({ '/': homepage(links), ...pages });
      expect(await run.map({ url: site.url('/any/page') })).toEqual({
        url: site.url('/any/page'),
        links: [site.url('/in'), site.url('/in?a=1')],
        total: 2,
        source: 'crawl',
      });
    });

    it('searches and limits them, too', async () => {
      const site = await run.open({ '/': homepage(links) });
      const found = await run.map({ url: site.url(), search: 'A=1' });
      expect([found.links, found.source]).toEqual([[site.url('/in?a=1')], 'crawl']);
      const one = await run.map({ url: site.url(), limit: 1 });
      expect([one.links, one.cuts]).toEqual([[site.url('/in')], ['limit']]);
    });

    it('has no links where the homepage has none, and is free', async () => {
      const site = await run.open({ '/': homepage('') });
      const { id, client } = await run.tenantOn('pro');
      const answer = await run.ask({ url: site.url() }, client);
      expect([answer.status, answer.body]).toEqual([
        200,
        { url: site.url('/'), links: [], total: 0, source: 'none' },
      ]);
      expect(answer.headers.get('x-credits-consumed')).toBe('0');
      expect(await run.chargesOf(id)).toEqual([]);
    });
  });

  describe('of a page below a path', () => {
    it('lists its pages although the root of the host has nothing', async () => {
      const site = await run.open({
        '/project/': homepage('<a href="guide">g</a><a href="/">h</a>'),
      });
      const { id, client } = await run.tenantOn('pro');
      const answer = await run.ask({ url: site.url('/project/') }, client);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          url: site.url('/project/'),
          links: [site.url('/project/guide'), site.url('/')],
          total: 2,
          source: 'crawl',
        },
      ]);
      expect(await run.chargesOf(id)).toEqual([{ operation: 'map', credits: 1 }]);
    });

    it('begins with the sitemap of its folder', async () => {
      const site = await run.open({ '/project/': homepage('') });
      site.serve({
        '/project/sitemap.xml': fileOf(urlsetOf([site.url('/project/1')])),
        '/sitemap.xml': fileOf(urlsetOf([site.url('/1')])),
      });
      const body = await run.map({ url: site.url('/project/index.html') });
      expect([body.links, body.source]).toEqual([
        [site.url('/project/1'), site.url('/1')],
        'sitemap',
      ]);
      expect([site.count('/project/'), site.count('/')]).toEqual([0, 0]);
    });

    it('reads it where robots.txt forbids the root', async () => {
      const site = await run.open({ '/project/': homepage('<a href="guide">guide</a>') });
      const rules = 'User-agent: *\nDisallow: /sitemap\nDisallow: /$\nDisallow: /project/sitemap\n';
      site.serve({ '/robots.txt': fileOf(rules, {}) });
      const body = await run.map({ url: site.url('/project/') });
      expect(body).toMatchObject({ links: [site.url('/project/guide')], source: 'crawl' });
      expect([site.count('/'), site.count('/project/sitemap.xml')]).toEqual([0, 0]);
    });
  });

  describe('credits and plans', () => {
    it('cost one credit, once, and none when a search has no match', async () => {
      const site = await run.open();
      site.serve({ '/sitemap.xml': fileOf(urlsetOf([site.url('/a')])) });
      const { id, client } = await run.tenantOn('hobby');
      expect((await run.ask({ url: site.url(), search: 'nowhere' }, client)).body).toMatchObject({
        links: [],
        source: 'sitemap',
      });
      expect(await run.chargesOf(id)).toEqual([]);
      await run.map({ url: site.url() }, client);
      expect(await run.chargesOf(id)).toEqual([{ operation: 'map', credits: 1 }]);
    });

    it('return 100 links unless more are requested, up to the limit of the plan', async () => {
      const site = await run.open();
      const pages = Array.from({ length: 6_000 }, (_, n) => site.url(`/page/${n}`));
      site.serve({ '/sitemap.xml': fileOf(urlsetOf(pages)) });
      const [free, hobby] = [await run.tenantOn('free'), await run.tenantOn('hobby')];
      const totals = [
        await run.map({ url: site.url(), limit: null, search: null }),
        await run.map({ url: site.url(), limit: 6_000 }),
        await run.map({ url: site.url(), limit: 101 }, free.client),
        await run.map({ url: site.url(), limit: 6_000 }, hobby.client),
      ].map(({ total, links, cuts }) => [total, links.length, cuts]);
      expect(totals).toEqual([
        [100, 100, ['limit']],
        [6_000, 6_000, undefined],
        [100, 100, ['limit']],
        [5_000, 5_000, ['limit']],
      ]);
    });
  });

  it.each([
    [{}, '`url` is required'],
    [{ url: 'nope' }, 'Invalid URL'],
    [{ url: 'http://a.example/', limit: 0 }, '`limit` must be at least 1'],
    [{ url: 'http://a.example/', limit: '5' }, '`limit` must be a whole number'],
    [{ url: 'http://a.example/', search: 5 }, '`search` must be a string'],
    [{ url: 'http://a.example/', depth: 2 }, 'Unknown field `depth`'],
  ])('refuses %j', async (body, error) => {
    const answer = await run.ask(body);
    expect(answer.status).toBe(400);
    expect((answer.body as { error: string }).error).toContain(error);
  });

  it('of a homepage that scripts make has the links that only a browser sees', async () => {
    const shell =
      '<!doctype html><html><head><title>Shell</title></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/app.js"></script></body></html>';
    const script = `document.getElementById('root').innerHTML = '<main><h1>Made</h1><p>${'Words that only a browser sees. '.repeat(20)}</p><a href="/made-1">1</a><a href="/made-2">2</a></main>';`;
    const site = await run.open({
      '/': shell,
      '/app.js': fileOf(script, { 'content-type': 'text/javascript' }),
    });
    expect(await run.map({ url: site.url() })).toEqual({
      url: site.url('/'),
      links: [site.url('/made-1'), site.url('/made-2')],
      total: 2,
      source: 'crawl',
    });
  });

  describe('of a site that does not answer', () => {
    it.each([
      ['errors', { '/': (({ response }) => void response.writeHead(500).end('no')) as OwnPage }],
      ['a missing homepage', {}],
    ])('of which there are only %s ends in 502, for nothing', async (_name, pages) => {
      const site = await run.open(pages);
      const { id, client } = await run.tenantOn('pro');
      const answer = await run.ask({ url: site.url() }, client);
      expect([answer.status, answer.body]).toEqual([
        502,
        { ok: false, error: 'map_fetch_failed', message: expect.stringContaining('Fetch failed') },
      ]);
      expect(answer.headers.get('x-credits-consumed')).toBeNull();
      expect(await run.chargesOf(id)).toEqual([]);
    });

    it('is 502 without a listener', async () => {
      const site = await bareSite();
      const url = site.url();
      await site.close();
      expect((await run.ask({ url })).status).toBe(502);
    });
  });

  describe('addresses that may not be fetched', () => {
    let canary: SiteServer;
    beforeAll(async () => {
      canary = await SiteServer.start(
        ({ response }) => void response.writeHead(200).end('<urlset/>'),
        { host: '127.0.0.2' },
      );
    });
    afterAll(() => canary?.close());
    beforeEach(() => canary.reset());

    const privates = (): string[] => [
      canary.url('/sitemap.xml'),
      'http://169.254.169.254/latest/meta-data/',
      `http://[::ffff:127.0.0.2]:${canary.port}/`,
      'file:///etc/passwd',
    ];

    it.each([
      [
        'a line of robots.txt',
        (_site: FixtureSite, text: string) => ({ '/robots.txt': fileOf(`Sitemap: ${text}\n`, {}) }),
      ],
      [
        'a child of an index',
        (site: FixtureSite, text: string) => ({
          '/sitemap_index.xml': fileOf(sitemapIndexOf([text, site.url('/ok.xml')])),
        }),
      ],
      [
        'a redirect of a sitemap',
        (site: FixtureSite, text: string) => ({
          '/sitemap_index.xml': fileOf(sitemapIndexOf([site.url('/moved.xml')])),
          '/moved.xml': (({ response }) =>
            void response.writeHead(302, { location: text }).end()) as OwnPage,
        }),
      ],
    ])('are never asked, though %s names them', async (_name, pagesFor) => {
      for (const text of privates()) {
        const site = await run.open();
        site.serve({ '/sitemap.xml': fileOf(urlsetOf([site.url('/a')])), ...pagesFor(site, text) });
        expect((await run.map({ url: site.url() })).links).toEqual([site.url('/a')]);
      }
      expect([canary.totalRequests, canary.openSockets]).toEqual([0, 0]);
    });

    it('are never asked, though the homepage redirects to them', async () => {
      const site = await run.open({ '/docs/': homepage('<a href="in">in</a>') });
      const location = canary.url('/');
      site.serve({ '/': ({ response }) => void response.writeHead(302, { location }).end() });
      const { links } = await run.map({ url: site.url('/docs/') });
      expect([links, canary.openSockets]).toEqual([[site.url('/docs/in')], 0]);
    });

    it('are refused when they are the site', async () => {
      for (const url of [canary.url(), 'http://169.254.169.254/']) {
        const answer = await run.ask({ url });
        expect([answer.status, answer.body]).toEqual([
          400,
          { ok: false, error: `Blocked URL: ${url}`, hint: expect.any(String) },
        ]);
      }
      expect(canary.openSockets).toBe(0);
    });
  });
});
