import { extractPage } from '@app/content';
import { SiteServer, type OwnPage } from '@app/testing';
import { DANGEROUS_HTML } from '../../libs/content/src/html/fixtures/dangerous-html.js';
import { untilCached } from './cached-copies.js';
import type { Service } from './deployment.js';
import { share } from './shared-cluster.js';

const WORDS = 'words that a reader came for, and more of them. '.repeat(12);
const HTML = `<!doctype html><title>A page</title><main><h1>From HTML</h1><p>${WORDS}</p></main>`;
const TEXT = `---\ntitle: Größe\n---\n\n# From Markdown\n\nPlease enable JavaScript. See [the next](/next).\n`;
const ENORMOUS = 12_000_000;

/** Serves Markdown to clients that prefer it, as sites for agents do. */
const negotiating =
  (markdown: string): OwnPage =>
  ({ request, response }) => {
    const isWanted = /^text\/markdown\b/.test(request.headers.accept ?? '');
    const type = isWanted ? 'text/markdown' : 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type, vary: 'Accept' });
    response.end(isWanted ? markdown : HTML);
  };

describe('Markdown that sites and clients prefer', () => {
  let site: SiteServer;
  let service: Service;
  beforeAll(async () => {
    site = await SiteServer.start(({ response }) => void response.writeHead(404).end('none'));
    site.serve({
      '/negotiating': negotiating(TEXT),
      '/next': negotiating('# Next\n'),
      '/enormous': negotiating('[a](/b) '.repeat(ENORMOUS / 8)),
      '/html': HTML,
      '/twin': HTML.replace(
        '<main>',
        `<link rel="alternate" type="text/markdown" href="/twin.md"><main><a href="/html">on</a>`,
      ),
      '/twin.md': ({ response }) =>
        void response.writeHead(200, { 'content-type': 'text/markdown' }).end(TEXT),
      '/cleaned': cleanedPages(true),
      '/uncleaned': cleanedPages(false),
    });
    service = await share();
  });
  beforeEach(() => site.reset());
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  const scrape = (path: string, options: object = {}) =>
    service.client.scrape({ url: site.url(path), ...options });
  const get = (path: string, query: Readonly<Record<string, string>> = {}, accept = '*/*') =>
    fetch(`${service.url}/v1/scrape?${new URLSearchParams({ url: site.url(path), ...query })}`, {
      headers: { 'x-api-key': service.key, accept },
    });

  it('is the result of a scrape that prefers it, fetched once and plainly', async () => {
    const { status, body } = await scrape('/negotiating', {
      preferMarkdown: true,
      formats: ['markdown', 'links', 'rawHtml'],
    });
    expect([status, body]).toMatchObject([
      200,
      {
        markdown: TEXT,
        formats: { links: [site.url('/next')], rawHtml: TEXT },
        metadata: { title: 'Größe', contentType: 'text/markdown', fetchMethod: 'plain' },
        cascade: { level: 1, attempts: [{ rung: 'plain', ok: true }] },
      },
    ]);
    expect(body).not.toHaveProperty('partial');
    expect(site.requests('/negotiating')).toHaveLength(1);
  });

  it.each([
    ['a site that has none', '/html', true],
    ['a scrape that does not prefer it', '/negotiating', false],
  ])('is made from HTML for %s', async (_, path, preferMarkdown) => {
    const { body } = await scrape(path, { preferMarkdown });
    expect(body).toMatchObject({ metadata: { contentType: expect.stringContaining('text/html') } });
    expect(body).toHaveProperty('markdown', expect.stringMatching(/^# From HTML\n\nwords/));
  });

  it('of a copy in the cache is what the request prefers', async () => {
    const titles = [];
    for (const [n, preferMarkdown] of [true, false, true, false].entries()) {
      const { body } = await scrape('/negotiating?copied', { preferMarkdown, maxAge: 600_000 });
      const { metadata } = body as { metadata: { title: string; cached: boolean } };
      titles.push([metadata.title, metadata.cached]);
      await untilCached(service.database, site.url('/negotiating?copied'), Math.min(n + 1, 2));
    }
    expect(titles).toEqual([
      ['Größe', false],
      ['A page', false],
      ['Größe', true],
      ['A page', true],
    ]);
  });

  it('of ten megabytes is cut as pages are', async () => {
    const { status, body } = await scrape('/enormous', {
      preferMarkdown: true,
      formats: ['links'],
    });
    expect([status, body]).toMatchObject([
      200,
      { partial: true, partial_reason: 'body', formats: { links: [site.url('/b')] } },
    ]);
  });

  it('is fetched by crawls and batches that prefer it', async () => {
    const scrapeOptions = { preferMarkdown: true };
    const { jobId } = await service.client.crawl({
      url: site.url('/negotiating'),
      allowBackwardLinks: true,
      scrapeOptions,
    });
    await service.client.waitForEnd(jobId);
    const results = await service.client.results(jobId);
    expect(new Map(results.map(({ url, markdown }) => [url, markdown]))).toEqual(
      new Map([
        [site.url('/negotiating'), TEXT],
        [site.url('/next'), '# Next\n'],
      ]),
    );
    const batch = await service.client.call('POST', '/v1/batch', {
      urls: [site.url('/next')],
      preferMarkdown: true,
    });
    expect(batch.body).toMatchObject({ results: [{ markdown: '# Next\n' }] });
  });

  it('is that of another URL, if the page names one', async () => {
    const { body } = await scrape('/twin', {
      preferMarkdown: true,
      formats: ['markdown', 'links'],
    });
    expect(body).toMatchObject({
      ...{ url: site.url('/twin'), markdown: TEXT, formats: { links: [site.url('/next')] } },
      metadata: {
        title: 'A page',
        markdownUrl: site.url('/twin.md'),
        contentType: 'text/markdown',
      },
    });
    const scrapeOptions = { preferMarkdown: true, formats: ['markdown', 'rawHtml'] };
    const { jobId } = await service.client.crawl({
      ...{ url: site.url('/twin'), allowBackwardLinks: true, scrapeOptions },
    });
    await service.client.waitForEnd(jobId);
    const results = await service.client.results(jobId);
    // The links that a crawl follows are those of the page itself.
    expect(results.map(({ url }) => url)).toEqual([site.url('/twin'), site.url('/html')]);
    expect(results[0]).toMatchObject({ markdown: TEXT, rawHtml: TEXT });
  });

  it('is the response of GET, and JSON if the client prefers that', async () => {
    const markdown = await get('/negotiating', { preferMarkdown: 'true' });
    expect([markdown.status, await markdown.text()]).toEqual([200, TEXT]);
    expect(Object.fromEntries(markdown.headers)).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'x-page-url': site.url('/negotiating'),
      'x-page-title': 'Gr%C3%B6%C3%9Fe',
      'x-credits-consumed': '1',
    });
    const json = await get('/html', { onlyMainContent: 'true' }, 'application/json');
    expect(await json.json()).toMatchObject({ ok: true, metadata: { title: 'A page' } });
    const failed = await get('/missing', {}, 'text/markdown');
    expect([failed.status, await failed.json()]).toMatchObject([
      422,
      { ok: false, statusCode: 404 },
    ]);
  });

  it('is the same response for a retry with the same Idempotency-Key', async () => {
    const send = () =>
      fetch(`${service.url}/v1/scrape`, {
        method: 'POST',
        headers: {
          ...{ 'x-api-key': service.key, accept: 'text/markdown' },
          ...{ 'content-type': 'application/json', 'idempotency-key': 'markdown' },
        },
        body: JSON.stringify({ url: site.url('/html') }),
      });
    const first = await send();
    const second = await send();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await second.text()).toBe(await first.text());
    for (const name of ['content-type', 'x-page-url', 'x-page-title', 'vary'])
      expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    expect(site.requests('/html')).toHaveLength(1);
  });

  it('has a twin in cleaned HTML that runs nothing in a browser', async () => {
    const ranIn = async (path: string): Promise<unknown> => {
      const { body } = await scrape(path, { forceHeadless: true, waitFor: 500 });
      return (body as { metadata: { title: string } }).metadata.title;
    };
    expect(await ranIn('/uncleaned')).toBe('ran');
    expect(await ranIn('/cleaned')).toBe('nothing ran');
  });
});

/** Every dangerous page inside one: as the source, and by innerHTML. */
function cleanedPages(isCleaned: boolean): string {
  const pages = Object.values(DANGEROUS_HTML).map((html) => (isCleaned ? cleanedOf(html) : html));
  const script = JSON.stringify(pages).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html><title>nothing ran</title><script>function ran() { document.title = 'ran'; }</script>
    <p>${WORDS}</p>${pages.map((html) => `<div>${html}</div>`).join('\n')}
    <script>for (const html of ${script}) { const div = document.createElement('div'); div.innerHTML = html; document.body.append(div); }</script>`;
}

function cleanedOf(html: string): string {
  const input = { body: Buffer.from(html), contentType: 'text/html', url: 'https://a.example/' };
  const page = extractPage(input, {
    markdown: false,
    links: false,
    rawHtml: false,
    html: true,
  });
  return page.html ?? '';
}
