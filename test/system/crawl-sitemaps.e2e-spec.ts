import { gzipSync } from 'node:zlib';
import { articleHtml, htmlPage, SiteServer, type OwnPage } from '@app/testing';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';
import { watchArrivals } from './watch-arrivals.js';

const page = (path: string, links: readonly string[] = []): OwnPage =>
  htmlPage({
    title: `About ${path}`,
    body: articleHtml(path) + links.map((link) => `<a href="${link}">on</a>`).join(' '),
  });

const send =
  (text: string | Uint8Array, type = 'application/xml', status = 200): OwnPage =>
  ({ response }) =>
    void response.writeHead(status, { 'content-type': type }).end(text);

describe.each(MODES)('sitemaps of a crawl (%s)', (mode) => {
  let service: Service;
  let site: SiteServer;
  beforeAll(async () => {
    service = await share(mode);
  });
  afterAll(() => service?.stop());
  afterEach(() => site?.close());

  /** A site whose home links to /linked; only sitemaps list /listed/1 to /listed/5. */
  async function siteOf(own: Readonly<Record<string, OwnPage>> = {}): Promise<void> {
    site = await SiteServer.start(({ response }) => void response.writeHead(404).end());
    const listed = [1, 2, 3, 4, 5].map((n): [string, OwnPage] => [
      `/listed/${n}`,
      page(`/listed/${n}`),
    ]);
    site.serve({
      '/': page('/', ['/linked']),
      '/linked': page('/linked', ['/deep']),
      '/deep': page('/deep'),
      ...Object.fromEntries(listed),
      ...own,
    });
  }

  const urlset = (...paths: readonly string[]) =>
    `<urlset>${paths.map((path) => `<url><loc>${site.url(path)}</loc></url>`).join('')}</urlset>`;
  const index = (...paths: readonly string[]) =>
    `<sitemapindex>${paths.map((path) => `<sitemap><loc>${site.url(path)}</loc></sitemap>`).join('')}</sitemapindex>`;

  async function crawl(body: object = {}) {
    const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 50, ...body });
    const job = await service.client.waitForEnd(jobId);
    const found = await service.database.query<{
      url: string;
      end: string;
      kind: string;
      depth: number;
    }>(
      {
        name: 'sitemap_spec_ledger',
        text: `SELECT url, coalesce(reason, state) AS end, kind, depth FROM pages WHERE job_id = $1 ORDER BY seq`,
      },
      [jobId],
    );
    const rows = found.map((row) => ({ ...row, path: row.url.replace(site.url(''), '') }));
    const credits = await service.database.query<{ n: number }>(
      {
        name: 'sitemap_spec_credits',
        text: 'SELECT coalesce(sum(credits), 0)::int AS n FROM credit_ledger WHERE reference = $1',
      },
      [jobId],
    );
    expect(credits[0]?.n).toBe(job.pages_scraped);
    const { discovered, ...states } = job.pages;
    expect(Object.values(states).reduce((sum, n) => sum + n, 0)).toBe(discovered);
    const scraped = rows.filter(({ end }) => end === 'scraped').map(({ path }) => path);
    const sitemaps = rows.filter(({ kind }) => kind === 'sitemap');
    return { job, rows, scraped: scraped.sort(), sitemaps };
  }

  it('lead to pages without links to them, beside the links', async () => {
    await siteOf();
    site.serve({ '/sitemap.xml': send(urlset('/listed/1', '/listed/2', '/linked')) });
    const { scraped, sitemaps, rows } = await crawl();
    expect(scraped).toEqual(['/', '/deep', '/linked', '/listed/1', '/listed/2']);
    expect(sitemaps).toMatchObject([{ path: '/sitemap.xml', end: 'sitemap', depth: 0 }]);
    expect(rows.find(({ path }) => path === '/listed/1')).toMatchObject({ depth: 1 });
    expect(site.count('/sitemap_index.xml')).toBe(0);
  });

  it('are left alone with `skip`', async () => {
    await siteOf();
    site.serve({ '/sitemap.xml': send(urlset('/listed/1')) });
    expect(await crawl({ sitemap: 'skip' })).toMatchObject({ scraped: ['/', '/deep', '/linked'] });
    expect(site.count('/sitemap.xml')).toBe(0);
  });

  it('are all that is followed with `only`, beside the start page', async () => {
    await siteOf();
    site.serve({ '/sitemap.xml': send(urlset('/listed/1', '/listed/2')) });
    const { scraped, rows } = await crawl({ sitemap: 'only' });
    expect(scraped).toEqual(['/', '/listed/1', '/listed/2']);
    expect(rows.map(({ path }) => path)).not.toContain('/linked');
  });

  describe('beside other lists of pages', () => {
    const rss = (...paths: readonly string[]) =>
      `<rss><channel>${paths.map((path) => `<item><link>${site.url(path)}</link></item>`).join('')}<item><link>http://10.0.0.1/</link></item><item><link>http://elsewhere.example/</link></item></channel></rss>`;
    const head = '<link rel="alternate" type="application/rss+xml" href="/feed">';

    it('are read with the sources that the request names', async () => {
      await siteOf();
      site.serve({
        '/': htmlPage({ title: 'Home', head, body: articleHtml('/') }),
        '/feed': send(rss('/listed/1', '/linked'), 'application/rss+xml'),
        '/llms.txt': send('# Site\n\n- [Two](/listed/2): a page\n', 'text/plain'),
      });
      expect((await crawl({ maxDepth: 1 })).scraped).toEqual(['/']);
      const { scraped, sitemaps } = await crawl({ maxDepth: 1, sources: ['feeds', 'llms.txt'] });
      expect(scraped).toEqual(['/', '/linked', '/listed/1', '/listed/2']);
      expect(sitemaps.map(({ path }) => path)).toEqual(
        expect.arrayContaining(['/sitemap.xml', '/llms.txt', '/feed']),
      );
      expect((await crawl({ sitemap: 'skip', sources: ['llms.txt'] })).scraped).toEqual([
        '/',
        '/listed/2',
      ]);
    });

    it.each<[string, string, (list: typeof rss) => string]>([
      ['/llms.txt', 'text/plain', () => '# Site\n\n## Docs\n\n- [One](/listed/1)\n'],
      ['/feed', 'application/rss+xml', (list) => list('/listed/1')],
      ['/feed.json', 'application/feed+json', () => JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items: [{ url: '/listed/1' }] })],
      ['/blogs.opml', 'text/x-opml', () => '<opml><body><outline htmlUrl="/listed/1"/><outline xmlUrl="/other.xml"/></body></opml>'],
    ])('are not needed where the start page is a list: %s', async (path, type, textOf) => {
      await siteOf();
      site.serve({ [path]: send(textOf(rss), type), '/other.xml': send(rss('/listed/2')) });
      const { scraped, rows } = await crawl({ url: site.url(path), allowBackwardLinks: true });
      const wanted = path === '/blogs.opml' ? ['/listed/1', '/listed/2'] : ['/listed/1'];
      expect(scraped.filter((one) => one !== path)).toEqual(wanted);
      expect(rows.find((row) => row.path === path && row.kind === 'sitemap')?.end).toBe('sitemap');
    }); // prettier-ignore
  });

  it('are those that robots.txt names, and no others', async () => {
    await siteOf();
    site.serve({
      '/robots.txt': send(
        `User-agent: *\nSitemap: ${site.url('/a.xml')}\nSitemap: ${site.url('/b.txt')}\n`,
        'text/plain',
      ),
      '/a.xml': send(urlset('/listed/1')),
      '/b.txt': send(`${site.url('/listed/2')}\n`, 'text/plain'),
      '/sitemap.xml': send(urlset('/listed/3')),
    });
    const { scraped } = await crawl({ sitemap: 'only' });
    expect(scraped).toEqual(['/', '/listed/1', '/listed/2']);
    expect(site.count('/sitemap.xml')).toBe(0);
  });

  it.each<[string, OwnPage | null]>([
    ['missing', null],
    ['a page that says so with 200', '<!doctype html><title>Not found</title><p>No such page here'],
    ['gone', send('', 'text/plain', 410)],
  ])('are looked for at their second place when the first is %s', async (_, first) => {
    await siteOf();
    site.serve({ '/sitemap_index.xml': send(urlset('/listed/1')) });
    if (first !== null) site.serve({ '/sitemap.xml': first });
    const { scraped, sitemaps } = await crawl({ sitemap: 'only' });
    expect(scraped).toEqual(['/', '/listed/1']);
    expect(sitemaps.map(({ path, end }) => [path, end])).toEqual([
      ['/sitemap.xml', 'sitemap'],
      ['/sitemap_index.xml', 'sitemap'],
    ]);
  });

  it('of a start page below a path begin in its folder', async () => {
    await siteOf({ '/listed/': page('/listed/') });
    site.serve({ '/listed/sitemap.xml': send(urlset('/listed/1', '/listed/2')) });
    const { scraped, sitemaps } = await crawl({ url: site.url('/listed/') });
    expect(scraped).toEqual(['/listed/', '/listed/1', '/listed/2']);
    expect(sitemaps.map(({ path }) => path)).toEqual([
      '/listed/sitemap.xml',
      '/sitemap.xml',
      '/sitemap_index.xml',
    ]);
  });

  it('may be an index of others, compressed too, and are requested once each', async () => {
    await siteOf();
    site.serve({
      '/sitemap.xml': send(index('/one.xml', '/two.xml.gz', '/sitemap.xml', '/one.xml')),
      '/one.xml': send(urlset('/listed/1', '/listed/2')),
      '/two.xml.gz': send(gzipSync(urlset('/listed/2', '/listed/3')), 'application/x-gzip'),
    });
    const { scraped, sitemaps } = await crawl({ sitemap: 'only' });
    expect(scraped).toEqual(['/', '/listed/1', '/listed/2', '/listed/3']);
    expect(sitemaps.map(({ depth }) => depth)).toEqual([0, 1, 1]);
    for (const path of ['/sitemap.xml', '/one.xml', '/two.xml.gz'])
      expect(site.count(path)).toBe(1);
  });

  it('of a job are fifteen at most, however many an index names', async () => {
    await siteOf();
    const names = Array.from({ length: 40 }, (_, n) => `/child-${n}.xml`);
    site.serve({ '/sitemap.xml': send(index(...names)) });
    for (const [n, name] of names.entries())
      site.serve({ [name]: send(urlset(`/listed/${n % 5}`)) });
    const { sitemaps, job } = await crawl({ sitemap: 'only' });
    expect(job.status).toBe('completed');
    const asked = names.filter((name) => site.count(name) > 0);
    expect(asked).toHaveLength(14);
    expect(new Set(sitemaps.map(({ end }) => end))).toEqual(new Set(['sitemap']));
  });

  it('add only pages in scope', async () => {
    await siteOf();
    const loc = (url: string) => `<url><loc>${url}</loc></url>`;
    site.serve({
      '/sitemap.xml': send(
        `<urlset>${loc('http://127.0.0.1:9/out')}${loc(site.url('/listed/1'))}${loc(site.url('/deep'))}${loc(site.url('/a.png'))}</urlset>`,
      ),
    });
    const { scraped, rows } = await crawl({ sitemap: 'only', includePaths: ['/listed'] });
    expect(scraped).toEqual(['/', '/listed/1']);
    expect(rows.map(({ path }) => path)).toEqual(['/', '/sitemap.xml', '/listed/1']);
  });

  it.each([1, 2])('are not requested by a crawl of %i pages that its links fill', async (limit) => {
    await siteOf();
    site.serve({ '/sitemap.xml': send(urlset('/listed/1')) });
    const { job } = await crawl({ limit });
    expect(job.pages_scraped).toBe(limit);
    expect(site.count('/sitemap.xml')).toBe(0);
  });

  it('are not requested where no link may be followed', async () => {
    await siteOf();
    site.serve({ '/sitemap.xml': send(urlset('/listed/1')) });
    expect((await crawl({ maxDepth: 0 })).scraped).toEqual(['/']);
    expect(site.count('/sitemap.xml')).toBe(0);
  });

  it('do not count for the limit, which is met exactly', async () => {
    await siteOf();
    site.serve({
      '/sitemap.xml': send(index('/one.xml', '/two.xml')),
      '/one.xml': send(urlset('/listed/1', '/listed/2')),
      '/two.xml': send(urlset('/listed/3', '/listed/4', '/listed/5')),
    });
    const { job } = await crawl({ sitemap: 'only', limit: 4 });
    expect(job.pages_scraped).toBe(4);
  });

  it('may list more than a job may discover: the rest is left out, and the job reports it', async () => {
    await siteOf();
    const many = Array.from({ length: 2_000 }, (_, n) => `/many/${n}`);
    site.serve({ '/sitemap.xml': send(urlset('/listed/1', '/listed/2', ...many)) });
    const { job, rows } = await crawl({ sitemap: 'only', limit: 3 });
    expect(job).toMatchObject({ pages_scraped: 3, pages: { discovered: 1_150 } });
    expect(rows).toHaveLength(1_150);
  });

  it('are tried again like pages, and given up without failing the crawl', async () => {
    await siteOf();
    let asked = 0;
    site.serve({
      '/sitemap.xml': (visit) => {
        const answer = asked++ === 0 ? send('', 'text/plain', 503) : send(urlset('/listed/1'));
        if (typeof answer === 'function') return answer(visit);
      },
    });
    expect((await crawl({ sitemap: 'only' })).scraped).toEqual(['/', '/listed/1']);
    expect(asked).toBe(2);
  });

  it('keep the crawl delay of their site like pages', async () => {
    await siteOf();
    site.serve({
      '/robots.txt': send('User-agent: *\nCrawl-delay: 1\n', 'text/plain'),
      '/sitemap.xml': send(index('/one.xml')),
      '/one.xml': send(urlset('/listed/1')),
    });
    const arrivals = watchArrivals(site);
    expect((await crawl({ sitemap: 'only' })).scraped).toEqual(['/', '/listed/1']);
    const asked = site.requests().map(({ path }) => path);
    expect(asked.filter((path) => path !== '/robots.txt')).toEqual([
      '/',
      '/sitemap.xml',
      '/one.xml',
      '/listed/1',
    ]);
    const { gapsMs, lateMs } = arrivals();
    expect(Math.min(...gapsMs)).toBeGreaterThan(950 - lateMs);
  });

  it('are not requested where robots.txt forbids it', async () => {
    await siteOf();
    site.serve({
      '/robots.txt': send('User-agent: *\nDisallow: /sitemap\n', 'text/plain'),
      '/sitemap.xml': send(urlset('/listed/1')),
    });
    expect((await crawl()).scraped).toEqual(['/', '/deep', '/linked']);
    expect(site.count('/sitemap.xml')).toBe(0);
  });
});
