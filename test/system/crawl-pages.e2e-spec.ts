import { articleHtml, htmlPage, pdfOf, SiteServer, type OwnPage } from '@app/testing';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

interface PageShape {
  readonly links?: readonly string[];
  readonly head?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Pages of one topic have one content. @default the path */
  readonly topic?: string;
}

/** A page with links, at a path of its own. */
function pageOf(
  path: string,
  { links = [], head = '', headers = {}, topic = path }: PageShape,
): OwnPage {
  const anchors = links.map((link) => (link.startsWith('<') ? link : `<a href="${link}">on</a>`));
  const body = `${articleHtml(topic)}${anchors.join(' ')}`;
  const html = htmlPage({ title: `About ${topic}`, body, head });
  return ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html);
}

const redirectTo =
  (location: string): OwnPage =>
  ({ response }) =>
    void response.writeHead(302, { location }).end();

const canonical = (path: string) => `<link rel="canonical" href="${path}">`;
const robotsMeta = (content: string, name = 'robots') =>
  `<meta name="${name}" content="${content}">`;

interface Row {
  readonly path: string;
  readonly end: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly attempts: number;
  readonly rung: string | null;
  readonly latency: number | null;
}

const LEDGER = `
  SELECT p.url AS path, coalesce(p.reason, p.state) AS end, p.kind, parent.url AS parent, p.depth, p.attempts,
         p.rung, p.latency_ms AS latency
  FROM pages p LEFT JOIN pages parent ON parent.job_id = p.job_id AND parent.url_key = p.parent_key
  WHERE p.job_id = $1 ORDER BY p.seq`;

describe.each(MODES)('pages of a crawl (%s)', (mode) => {
  let service: Service;
  let site: SiteServer;
  beforeAll(async () => {
    service = await share(mode);
  });
  afterAll(() => service?.stop());
  afterEach(() => site?.close());

  /** A site of these pages and no others, of which nothing is remembered. */
  async function siteOf(
    pages: Readonly<Record<string, PageShape>>,
    own: Readonly<Record<string, OwnPage>> = {},
  ): Promise<void> {
    site = await SiteServer.start(({ response }) => void response.writeHead(404).end());
    for (const [path, shape] of Object.entries(pages)) site.serve({ [path]: pageOf(path, shape) });
    site.serve(own);
  }

  /** Path of each address of the crawl → how it ended, in the order they were found. */
  async function crawl(body: object = {}) {
    const { jobId } = await service.client.crawl({
      url: site.url('/'),
      limit: 50,
      sitemap: 'skip',
      ...body,
    });
    const job = await service.client.waitForEnd(jobId);
    const short = (url: string | null) => url && url.replace(site.url(''), '');
    const found = await service.database.query<Row & Record<string, unknown>>(
      { name: 'crawl_spec_ledger', text: LEDGER },
      [jobId],
    );
    const rows = found.map((row) => ({
      ...row,
      path: short(row.path) ?? '',
      parent: short(row.parent),
    }));
    const { discovered, ...states } = job.pages;
    expect(Object.values(states).reduce((sum, n) => sum + n, 0)).toBe(discovered);
    return { job, jobId, rows, ends: Object.fromEntries(rows.map(({ path, end }) => [path, end])) };
  }

  const creditsOf = async (jobId: string): Promise<number> => {
    const text =
      'SELECT coalesce(sum(credits), 0)::int AS n FROM credit_ledger WHERE reference = $1';
    const [row] = await service.database.query<{ n: number }>({ name: 'crawl_credits', text }, [
      jobId,
    ]);
    return row?.n ?? -1;
  };

  it('leave out what earlier pages of the host have, too, where that is wanted', async () => {
    const notice = 'All pages of this site carry this long notice about nothing in particular.';
    const count = 8;
    const own = Object.fromEntries(
      Array.from({ length: count }, (_, no) => {
        const link = no + 1 < count ? `<a href="/${no + 1}">on</a>` : '';
        const text = `<h1>Page ${no}</h1><p>${`Words of page ${no}. `.repeat(20)}</p>${link}`;
        return [no === 0 ? '/' : `/${no}`, `<title>Page ${no}</title>${text}<p>${notice}</p>`];
      }),
    );
    await siteOf({}, own);
    const scrapeOptions = { dropRepeated: true };
    const { jobId } = await crawl({ scrapeOptions, allowBackwardLinks: true });
    const results = await service.client.results(jobId);
    expect(results.map(({ markdown = '' }) => markdown.includes(notice))).toEqual(
      Array.from({ length: count }, (_, no) => no < 3),
    );
    expect(results.at(-1)).toMatchObject({
      markdown: expect.stringContaining('Words of page 7.'),
      dropped_repeated: { blocks: 1, characters: expect.any(Number) },
    });
    const { jobId: whole } = await crawl({ allowBackwardLinks: true });
    for (const { markdown } of await service.client.results(whole))
      expect(markdown).toContain(notice);
  });

  it.each<[object, RegExp]>([
    [{ sitemap: 'maybe' }, /`sitemap` must be one of include, skip, only/],
    [{ scrapeOptions: 'markdown' }, /`scrapeOptions` must be an object/],
    [{ scrapeOptions: { actions: [] } }, /`scrapeOptions.actions` is not supported/],
    [{ scrapeOptions: { formats: ['json'] } }, /it needs a model for every page/],
  ])('are not begun with %j', async (body, error) => {
    const request = { url: 'http://127.0.0.1:1024/', ...body };
    const answer = await service.client.call('POST', '/v1/crawl', request);
    expect(answer.status).toBe(400);
    expect((answer.body as { readonly error: string }).error).toMatch(error);
  });

  describe('that ask something of robots', () => {
    it('have their nofollow links recorded, and followed where another page requests it', async () => {
      await siteOf({
        '/': {
          links: ['<a rel="nofollow" href="/no">no</a>', '<a rel=nofollow href="/later">', '/a'],
        },
        '/a': { links: ['/later'] },
        '/later': {},
        '/no': {},
      });
      const { ends } = await crawl();
      expect(ends).toEqual({
        '/': 'scraped',
        '/no': 'nofollow',
        '/later': 'scraped',
        '/a': 'scraped',
      });
      expect(site.count('/no')).toBe(0);
    });

    it.each<[string, PageShape, string, string]>([
      ['noindex in meta', { head: robotsMeta('noindex') }, 'noindex', 'scraped'],
      ['nofollow in meta', { head: robotsMeta('nofollow') }, 'scraped', 'nofollow'],
      ['none in meta', { head: robotsMeta('none') }, 'noindex', 'nofollow'],
      ['none for us in meta', { head: robotsMeta('none', 'TrawlBot') }, 'noindex', 'nofollow'],
      ['none for others', { head: robotsMeta('none', 'otherbot') }, 'scraped', 'scraped'],
      ['noindex in a header', { headers: { 'x-robots-tag': 'noindex' } }, 'noindex', 'scraped'],
      [
        'nofollow in a header for us',
        { headers: { 'x-robots-tag': 'trawlbot: nofollow' } },
        'scraped',
        'nofollow',
      ],
      [
        'a header for others',
        { headers: { 'x-robots-tag': 'otherbot: none' } },
        'scraped',
        'scraped',
      ],
      [
        'a header for others and one for all',
        { headers: { 'x-robots-tag': ['otherbot: noindex', 'nofollow'] } },
        'scraped',
        'nofollow',
      ],
    ])('are heeded: %s', async (_, shape, page, link) => {
      await siteOf({ '/': { links: ['/a'] }, '/a': { ...shape, links: ['/b'] }, '/b': {} });
      const { ends, job, jobId } = await crawl();
      expect(ends).toEqual({ '/': 'scraped', '/a': page, '/b': link });
      expect(await creditsOf(jobId)).toBe(job.pages_scraped);
      expect(await service.client.results(jobId)).toHaveLength(job.pages_scraped);
    });

    it('are ignored where the caller requests it', async () => {
      await siteOf({
        '/': { links: ['<a rel="nofollow" href="/a">a</a>'] },
        '/a': { head: robotsMeta('none'), links: ['/b'] },
        '/b': {},
      });
      const { ends } = await crawl({ ignoreRobotsTxt: true });
      expect(ends).toEqual({ '/': 'scraped', '/a': 'scraped', '/b': 'scraped' });
    });
  });

  describe('that are one page', () => {
    it('by their canonical address: one of them is kept', async () => {
      await siteOf({
        '/': { links: ['/shoes?color=red', '/shoes?color=blue', '/shoes'] },
        '/shoes': { head: canonical('/shoes') },
      });
      const { ends, job } = await crawl();
      expect(job.pages_scraped).toBe(2);
      expect(Object.values(ends).sort()).toEqual(['duplicate', 'duplicate', 'scraped', 'scraped']);
    });

    it('unless a template names the front page everywhere, or pages name each other', async () => {
      await siteOf({
        '/': { head: canonical('/'), links: ['/a', '/b', '/x', '/y'] },
        '/a': { head: canonical('/') },
        '/b': { head: canonical('/') },
        '/x': { head: canonical('/y') },
        '/y': { head: canonical('/x') },
      });
      const { ends } = await crawl();
      expect(ends).toMatchObject({ '/': 'scraped', '/a': 'scraped', '/b': 'scraped' });
      expect([ends['/x'], ends['/y']].sort()).toEqual(['duplicate', 'scraped']);
    });

    it('by their content: one of them is kept and charged', async () => {
      await siteOf({
        '/': { links: ['/a', '/b', '/c'] },
        '/a': { topic: 'same' },
        '/b': { topic: 'same' },
        '/c': {},
      });
      const { ends, jobId } = await crawl();
      expect([ends['/a'], ends['/b']].sort()).toEqual(['duplicate_content', 'scraped']);
      expect(await creditsOf(jobId)).toBe(3);
    });

    it('by where they redirect to, which is judged like a link', async () => {
      await siteOf(
        { '/docs/': { links: ['/docs/1', '/docs/2', '/docs/out', '/docs/up'] }, '/docs/a': {} },
        {
          '/docs/1': redirectTo('/docs/a'),
          '/docs/2': redirectTo('/docs/a'),
          '/docs/out': redirectTo('http://127.0.0.1:1/'),
          '/docs/up': redirectTo('/top'),
          '/top': pageOf('/top', {}),
        },
      );
      const { ends, job } = await crawl({ url: site.url('/docs/') });
      expect(job.pages_scraped).toBe(2);
      expect(ends).toMatchObject({ '/docs/a': 'duplicate', '/docs/up': 'backward' });
      expect([ends['/docs/1'], ends['/docs/2']].sort()).toEqual(['duplicate', 'scraped']);
    });

    it('by their session ids', async () => {
      const links = ['/a?PHPSESSID=1', '/a?PHPSESSID=2', '/a;jsessionid=F00', '/a'];
      await siteOf({ '/': { links }, '/a': {} }, { '/a;jsessionid=F00': pageOf('/a', {}) });
      const { rows } = await crawl();
      expect(rows).toHaveLength(2);
    });
  });

  it('that never end are bounded by their pattern, and reported', async () => {
    site = await SiteServer.start(({ url, response }) => {
      const links = [
        'deeper/',
        `/calendar/${2_100 + url.pathname.length}/${url.pathname.length % 12}`,
      ];
      if (url.pathname.length > 600) return void response.writeHead(404).end();
      const page = pageOf(url.pathname, { links: url.pathname === '/robots.txt' ? [] : links });
      if (typeof page === 'function') return page({ response } as never);
    });
    const { job } = await crawl({ limit: 300 });
    expect(job.status).toBe('completed');
    expect(job.skipped['trap']).toBeGreaterThanOrEqual(2);
    expect(job.pages_scraped).toBeLessThan(100);
  });

  it('report in the URL report where they were found, how they were fetched and how long it took', async () => {
    let visits = 0;
    await siteOf(
      { '/': { links: ['/flaky', '/report.pdf', '/gone'] } },
      {
        '/flaky': (visit) =>
          visits++ === 0
            ? void visit.response.writeHead(503).end()
            : (pageOf('/flaky', {}) as (v: typeof visit) => void)(visit),
        '/report.pdf': ({ response }) =>
          void response
            .writeHead(200, { 'content-type': 'application/pdf' })
            .end(pdfOf(['A report'])),
      },
    );
    const { rows } = await crawl();
    const found = { parent: '/', depth: 1, kind: 'page', latency: expect.any(Number) };
    expect(rows).toEqual([
      expect.objectContaining({ path: '/', parent: null, depth: 0, end: 'scraped', attempts: 1 }),
      { ...found, path: '/flaky', end: 'scraped', attempts: 2, rung: 'plain' },
      { ...found, path: '/report.pdf', end: 'scraped', attempts: 1, rung: 'plain' },
      { ...found, path: '/gone', end: 'http_error', attempts: 1, rung: 'plain' },
    ]);
  });

  describe('with scrape options', () => {
    it('are kept in the formats requested, by the content options', async () => {
      await siteOf({
        '/': { links: ['/a'] },
        '/a': { head: '<meta name="theme-color" content="#ff0000">' },
      });
      const { jobId } = await crawl({
        scrapeOptions: {
          formats: ['links', 'branding'],
          includeHtml: true,
          extractListing: true,
          excludeTags: ['h1'],
        },
      });
      for (const page of await service.client.results(jobId)) {
        expect(page).not.toHaveProperty('markdown');
        expect(page).toMatchObject({
          links: expect.any(Array),
          rawHtml: expect.stringContaining('<h1>'),
          branding: expect.any(Object),
          listing: null,
        });
      }
    });

    it('have their picture: by address where there is object storage, else in themselves', async () => {
      await siteOf({ '/': {} });
      const { jobId } = await crawl({ scrapeOptions: { formats: ['screenshot'] } });
      const [page] = await service.client.results(jobId);
      const { screenshot } = page as unknown as { readonly screenshot: string };
      expect(screenshot).toMatch(mode === 'cluster' ? /^http/ : /^data:image\/png;base64,/);
      const picture = Buffer.from(await (await fetch(screenshot)).arrayBuffer());
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
    });

    it('send headers and cookies to the origin of the start page alone, and delete them', async () => {
      const other = await SiteServer.start(
        ({ response }) =>
          void response.writeHead(200, { 'content-type': 'text/html' }).end(articleHtml('other')),
      );
      await siteOf(
        { '/': { links: ['/a', '/away'] }, '/a': {} },
        { '/away': redirectTo(other.url('/')) },
      );
      const { jobId } = await crawl({
        scrapeOptions: { headers: { 'X-Secret': 's3cret' }, cookies: 'session=s3cret' },
      });
      for (const path of ['/', '/a', '/away']) {
        expect(site.requests(path)[0]?.headers).toMatchObject({
          'x-secret': 's3cret',
          cookie: 'session=s3cret',
        });
      }
      expect(other.requests('/')[0]?.headers).not.toHaveProperty('x-secret');
      expect(other.requests('/')[0]?.headers).not.toHaveProperty('cookie');
      await other.close();
      const text = 'SELECT options::text AS text FROM jobs WHERE id = $1';
      const rows = await service.database.query<{ text: string }>({ name: 'crawl_secrets', text }, [
        jobId,
      ]);
      expect(rows[0]?.text).not.toContain('s3cret');
    });

    it('delete the secrets of a crawl that is cancelled, too', async () => {
      await siteOf({}, { '/': () => undefined });
      const { jobId } = await service.client.crawl({
        url: site.url('/'),
        scrapeOptions: { cookies: 'session=s3cret' },
      });
      await service.client.cancel(jobId);
      const text = 'SELECT options::text AS text FROM jobs WHERE id = $1';
      const rows = await service.database.query<{ text: string }>({ name: 'crawl_secrets', text }, [
        jobId,
      ]);
      expect(rows[0]?.text).not.toContain('s3cret');
    });
  });
});
