import { createHash } from 'node:crypto';
import {
  SiteServer,
  startWebhookReceiver,
  type Serve,
  type TrawlClient,
  until,
} from '@app/testing';
import { casesOf } from '../setup/full-run.js';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

const PAGES = 30;
const OLD_DATE = 'Mon, 01 Jan 2001 00:00:00 GMT';

interface Line {
  readonly op: 'upsert' | 'delete' | 'crawl';
  readonly id: string;
  readonly url: string;
  readonly change?: string;
  readonly diff?: string | null;
  readonly changed_lines?: number | null;
  readonly result?: { readonly markdown: string };
}

/** A site whose pages have an ETag, and say how often they were sent whole. */
class ChangingSite {
  readonly texts = new Map<number, string>();
  readonly sent = new Map<number, number>();
  readonly confirmed = new Map<number, number>();
  /** The ETag of a page; by default that of its text. */
  tagOf = (n: number): string => `"${createHash('sha1').update(this.textOf(n)).digest('hex')}"`;
  links = PAGES;
  modifiedOf: ((n: number) => string) | undefined;
  /** Of the first request of each page in a recrawl. */
  firstStatus: number | undefined;
  isRecrawled = false;

  constructor(readonly server: SiteServer) {
    for (let n = 0; n < PAGES + 5; n++) {
      this.texts.set(n, `Text of page ${n} as it was.`);
      server.serve({ [`/p/${n}`]: this.page(n) });
    }
  }

  textOf(n: number): string {
    return this.texts.get(n) ?? '';
  }

  private page(n: number): Serve {
    return ({ request, response }) => {
      if (!this.texts.has(n)) return void response.writeHead(404).end('gone');
      if (this.firstStatus !== undefined && this.isRecrawled && !this.sent.has(n)) {
        this.sent.set(n, 0);
        return void response.writeHead(this.firstStatus).end();
      }
      const etag = this.tagOf(n);
      const isKnown = request.headers['if-none-match'] === etag;
      const counts = isKnown ? this.confirmed : this.sent;
      counts.set(n, (counts.get(n) ?? 0) + 1);
      if (isKnown) return void response.writeHead(304, { etag }).end();
      const links = Array.from({ length: this.links }, (_, at) => `<a href="/p/${at}">p${at}</a> `);
      const modified = this.modifiedOf && { 'last-modified': this.modifiedOf(n) };
      response.writeHead(200, { 'content-type': 'text/html', etag, ...modified });
      response.end(
        `<title>Page ${n}</title><p>${this.textOf(n)}</p>${n === 0 ? links.join('') : ''}`,
      );
    };
  }

  /** Lists the pages with this date. */
  listed(lastmod: string): void {
    const entries = Array.from({ length: PAGES }, (_, n) => {
      const loc = this.server.url(`/p/${n}`);
      return `<url><loc>${loc}</loc><lastmod>${lastmod}</lastmod></url>`;
    });
    this.server.serve({
      '/sitemap.xml': ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/xml' });
        response.end(`<urlset>${entries.join('')}</urlset>`);
      },
    });
  }

  forget(): void {
    this.sent.clear();
    this.confirmed.clear();
  }
}

describe.each(MODES)('a crawl since another, %s', (mode) => {
  let service: Service;
  let client: TrawlClient;
  let server: SiteServer;
  let site: ChangingSite;

  beforeAll(async () => {
    server = await SiteServer.start(({ response }) => void response.writeHead(404).end());
    service = await share(mode);
    ({ client } = service);
  });
  afterAll(async () => {
    await service?.stop();
    await server?.close();
  });
  beforeEach(() => {
    site = new ChangingSite(server);
    server.serve({ '/sitemap.xml': ({ response }) => void response.writeHead(404).end() });
  });

  const crawl = async (more: object = {}) => {
    site.forget();
    const start = {
      url: server.url('/p/0'),
      limit: 100,
      sitemap: 'skip' as const,
      allowBackwardLinks: true,
      ...more,
    };
    const { jobId } = await client.crawl(start);
    return { jobId, view: await client.waitForEnd(jobId) };
  };
  const changesOf = async (id: string, query = ''): Promise<Line[]> => {
    const { status, text } = await client.call('GET', `/v1/crawl/${id}/changes${query}`);
    expect(status).toBe(200);
    return text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  };
  const number = (url: string): number => Number(url.split('/').at(-1));

  it('fetches and stores what has changed, has all of it as results, and says what differs', async () => {
    const { jobId: first } = await crawl();
    site.texts.set(3, 'Another text of page 3.');
    site.texts.delete(4);
    const moved = server.url('/p/6');
    server.serve({
      '/p/5': ({ response }) => void response.writeHead(301, { location: moved }).end(),
    });
    site.links = PAGES + 1;
    site.texts.set(0, 'The list has one more.');
    const hook = await startWebhookReceiver();
    const { jobId, view } = await crawl({ since: first, webhook: hook.url });
    const left = PAGES - 1;
    const changes = { new: 1, changed: 2, same: left - 3, gone: 2 };
    expect(view).toMatchObject({
      ...{ status: 'completed', since: first, pages_scraped: left, changes },
    });
    await until(() => hook.received.length > 0, { what: 'the webhook' });
    await hook.close();
    const event = JSON.parse(hook.received[0]?.body ?? '') as { readonly changes_url: string };
    expect(event).toMatchObject({ jobId, changes });
    expect(new URL(event.changes_url).pathname).toBe(`/v1/crawl/${jobId}/changes`);
    const results = await client.results(jobId);
    expect(new Map(results.map(({ url, markdown }) => [number(url), markdown])).size).toBe(left);
    expect(results.find(({ url }) => number(url) === 3)?.markdown).toContain('Another text');
    expect(results.find(({ url }) => number(url) === 9)?.markdown).toContain('page 9 as it was');
    // A page of twenty is fetched in full.
    expect(site.confirmed.size).toBeGreaterThan(PAGES / 2);
    expect(new Set([...site.sent.keys(), ...site.confirmed.keys()]).size).toBe(left);
    const lines = await changesOf(jobId);
    expect(lines.map(({ op, url, change }) => [op, number(url), change]).toSorted()).toEqual([
      ['delete', 4, undefined],
      ['delete', 5, undefined],
      ['upsert', 0, 'changed'],
      ['upsert', 3, 'changed'],
      ['upsert', PAGES, 'new'],
    ]);
    expect(lines.find(({ url }) => number(url) === 4)).toMatchObject({ reason: 'gone' });
    expect(lines.find(({ url }) => number(url) === 5)).toMatchObject({
      ...{ reason: 'duplicate', moved_to: moved },
    });
    expect(lines.some((line) => 'diff' in line)).toBe(false);
    // As tools for models ask for them.
    const { body: report } = await client.call(
      'GET',
      `/v1/crawl/${jobId}/urls?state=scraped&reason=changed`,
    );
    const { urls } = report as { readonly urls: readonly { readonly url: string }[] };
    expect(urls.map(({ url }) => number(url)).toSorted()).toEqual([0, 3]);
    const compared = await changesOf(jobId, '?diff=true');
    expect(compared.map(({ diff: _d, changed_lines: _c, ...line }) => line)).toEqual(lines);
    const third_ = compared.find(({ url }) => number(url) === 3);
    expect(third_).toMatchObject({ change: 'changed', changed_lines: 2 });
    expect(third_?.diff).toContain(
      ' title: Page 3\n-Text of page 3 as it was.\n+Another text of page 3.\n',
    );
    const fresh = compared.filter(({ change }) => change !== 'changed');
    expect(fresh.some((line) => 'diff' in line)).toBe(false);
    const before = await changesOf(first, '?diff=true');
    expect(before).toHaveLength(PAGES);
    expect(before.some((line) => 'diff' in line)).toBe(false);
    expect(await client.call('GET', `/v1/crawl/${jobId}/changes?diff=1`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('`diff` must be true or false') },
    });
    const idOf = (all: readonly Line[], n: number) => all.find(({ url }) => number(url) === n)?.id;
    expect(idOf(lines, 3)).toBe(idOf(before, 3));
    const { jobId: third, view: last } = await crawl({ since: jobId });
    expect(last).toMatchObject({ changes: { new: 0, changed: 0, same: left, gone: 0 } });
    expect(await changesOf(third)).toEqual([]);
    expect(await client.results(third)).toHaveLength(left);
  });

  const LIES: [string, (site: ChangingSite) => void][] = [
    ['another ETag each time', (it) => void (it.tagOf = (n) => `"${n}-${Math.random()}"`)],
    ['one ETag for all', (it) => void (it.tagOf = () => '"site"')],
    ['a Last-Modified of years ago', (it) => void (it.modifiedOf = () => OLD_DATE)],
    ['a lastmod of years ago', (it) => it.listed('2001-01-01')],
  ];
  const OTHER_LIES: typeof LIES = [
    ['no ETag', (it) => void (it.tagOf = () => '')],
    ['a Last-Modified of now', (it) => void (it.modifiedOf = () => new Date().toUTCString())],
    ['a Last-Modified that is no date', (it) => void (it.modifiedOf = () => 'today')],
    ['a lastmod in the future', (it) => it.listed('2099-01-01T00:00:00Z')],
    ['a lastmod that is no date', (it) => it.listed('weekly')],
    ['a 404 at first', (it) => void (it.firstStatus = 404)],
    ['a 503 at first', (it) => void (it.firstStatus = 503)],
  ];
  it.each(casesOf(LIES, { full: OTHER_LIES }))(
    'misses nothing on a site with %s',
    async (_, lie) => {
      lie(site);
      const { jobId: first } = await crawl({ sitemap: 'include' });
      site.isRecrawled = true;
      const changed = Array.from({ length: PAGES }, (_page, n) => n);
      for (const n of changed) site.texts.set(n, `New text of page ${n}.`);
      const { view } = await crawl({ since: first, sitemap: 'include' });
      expect(view).toMatchObject({ changes: { new: 0, changed: PAGES, same: 0, gone: 0 } });
    },
  );

  it('is made again and again for a site under a name', async () => {
    const name = `site-${mode}`;
    const body = { url: server.url('/p/0'), limit: 100, sitemap: 'skip', allowBackwardLinks: true };
    const site_ = `/v1/sites/${name}`;
    expect(await client.call('PUT', site_, body)).toMatchObject({
      status: 200,
      body: { name, crawl: { url: body.url }, schedule: null, nextRunAt: null, lastJobId: null },
    });
    const run = async () => {
      const { status, body: accepted } = await client.call('POST', `${site_}/crawl`);
      expect(status).toBe(202);
      const { jobId } = accepted as { readonly jobId: string };
      return { jobId, view: await client.waitForEnd(jobId) };
    };
    const first = await run();
    expect(first.view).not.toHaveProperty('since');
    site.texts.set(5, 'Page 5 is another.');
    const second = await run();
    expect(second.view).toMatchObject({ since: first.jobId, changes: { changed: 1 } });
    const { text } = await client.call('GET', `${site_}/changes?since=${first.jobId}`);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    expect(lines.map(({ op, url, id }) => [op, op === 'crawl' ? id : number(url)])).toEqual([
      ['upsert', 5],
      ['crawl', second.jobId],
    ]);
    expect(await client.call('GET', site_)).toMatchObject({ body: { lastJobId: second.jobId } });
    expect(await client.call('DELETE', site_)).toMatchObject({ body: { deleted: true } });
    expect(await client.call('GET', site_)).toMatchObject({ status: 404 });
  });

  it.each<[string, object, number, RegExp]>([
    ['.a', {}, 400, /The name of a site/],
    ['a', { scrapeOptions: { headers: { a: 'b' } } }, 400, /`scrapeOptions.headers` is not kept/],
    ['a', { schedule: 'never' }, 400, /cron expression/],
    ['a', { since: 'x' }, 400, /Unknown field `since`/],
    ['a', { modifiedSince: '2026-11-02' }, 400, /Unknown field `modifiedSince`/],
    ['a', { url: 'http://10.0.0.1/' }, 400, /private|internal|not allowed|blocked/i],
  ])('is refused for a site %s with %j', async (name, more, status, error) => {
    const body = { url: server.url('/p/0'), ...more };
    expect(await client.call('PUT', `/v1/sites/${name}`, body)).toMatchObject({
      status,
      body: { error: expect.stringMatching(error) },
    });
  });

  it('stores what was modified since a day or an instant, and says what is older', async () => {
    const OLD = 'Sun, 01 Nov 2026 10:00:00 GMT';
    const NEW = 'Tue, 03 Nov 2026 10:00:00 GMT';
    const requested = new Set<string>();
    const serveDated = (path: string, lastModified: string | null, links = ''): void => {
      const header = lastModified === null ? {} : { 'last-modified': lastModified };
      server.serve({
        [path]: ({ response }) => {
          requested.add(path);
          response.writeHead(200, { 'content-type': 'text/html', ...header });
          response.end(`<title>${path}</title><p>Text of ${path}.</p>${links}`);
        },
      });
    };
    const entry = (path: string, date: string) =>
      `<url><loc>${server.url(path)}</loc><lastmod>${date}</lastmod></url>`;
    serveDated('/m/', OLD, '<a href="old">o</a> <a href="undated">u</a>');
    serveDated('/m/old', OLD, '<a href="found">f</a>');
    serveDated('/m/found', NEW);
    serveDated('/m/undated', null);
    serveDated('/m/listed-old', NEW);
    serveDated('/m/listed', NEW);
    server.serve({
      '/m/sitemap.xml': ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/xml' });
        response.end(
          `<urlset>${entry('/m/listed-old', '2026-10-31')}${entry('/m/listed', '2026-11-02')}</urlset>`,
        );
      },
    });
    const body = { url: server.url('/m/'), limit: 100, modifiedSince: '2026-11-02T12:00:00+02:00' };
    const { jobId } = await client.crawl(body);
    expect(await client.waitForEnd(jobId)).toMatchObject({
      ...{ status: 'completed', pages_scraped: 4, skipped: { not_modified: 2 } },
    });
    const paths = (await client.results(jobId)).map(({ url }) => new URL(url).pathname);
    expect(paths.toSorted()).toEqual(['/m/', '/m/found', '/m/listed', '/m/undated']);
    expect([requested.has('/m/old'), requested.has('/m/listed-old')]).toEqual([true, false]);
  });

  it.each<[object, RegExp]>([
    [{ modifiedSince: 'yesterday' }, /`modifiedSince` must be a day/],
    [{ modifiedSince: '2026-11-02T10:00:00' }, /an instant with its zone/],
    [{ modifiedSince: '2026-02-30' }, /`modifiedSince` must be a day/],
    [{ modifiedSince: 20261102 }, /`modifiedSince` must be a string/],
    [{ modifiedSince: 'x'.repeat(1_000_000) }, /longer than 40/],
    [
      { modifiedSince: '2026-11-02', since: '019c0000-0000-7000-8000-000000000000' },
      /cannot be used with `since`/,
    ],
  ])('is refused: %#', async (more, error) => {
    const body = { url: server.url('/p/0'), ...more };
    expect(await client.call('POST', '/v1/crawl', body)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(error) },
    });
  });

  it('needs a crawl that has ended', async () => {
    const start = { url: server.url('/p/0'), since: '019c0000-0000-7000-8000-000000000000' };
    expect(await client.call('POST', '/v1/crawl', start)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('`since` must be the id of a crawl') },
    });
    expect(await client.call('POST', '/v1/crawl', { ...start, since: 'x' })).toMatchObject({
      status: 409,
    });
  });
});
