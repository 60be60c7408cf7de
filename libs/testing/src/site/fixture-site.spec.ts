import { request as httpRequest } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { until } from '../until.js';
import { CHARSET_SAMPLES } from './charset-samples.js';
import { type FixtureSite, type FixtureSiteOptions, startFixtureSite } from './fixture-site.js';
import { startFolderSite } from './folder-site.js';
import { SMALL_SITE_PATHS, treeMarker } from './linked-routes.js';
import type { Serve } from './site-server.js';

let site: FixtureSite;
const startSite = async (options: FixtureSiteOptions = {}) =>
  (site = await startFixtureSite(options));

afterEach(() => site.close());

/** All pages reachable from `start` below `prefix`, by following links. */
async function walk(start: string, prefix: string): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const queue = [start];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (pages.has(next) || pages.size > 500) continue;
    const html = await (await fetch(site.url(next))).text();
    pages.set(next, html);
    for (const [, href = ''] of html.matchAll(/href="(\/[^"#]*)/g)) {
      if (href.startsWith(prefix)) queue.push(href);
    }
  }
  return pages;
}

describe('the fixture site', () => {
  it('links exactly the pages of its tree, each with its marker', async () => {
    await startSite({ treePages: 37 });
    const pages = await walk('/tree/0', '/tree/');
    expect(pages.size).toBe(37);
    for (const [address, html] of pages) {
      expect(html).toContain(treeMarker(Number(address.split('/')[2])));
    }
    expect((await fetch(site.url('/tree/37'))).status).toBe(404);
  });

  it('links exactly the pages of its small site', async () => {
    await startSite();
    expect([...(await walk('/', '/')).keys()].sort()).toEqual([...SMALL_SITE_PATHS].sort());
  });

  it.each([
    ['/status/503', 503],
    ['/status/204', 204],
    ['/private/x', 200],
    ['/blank', 200],
    ['/empty', 200],
    ['/challenge', 403],
    ['/json', 200],
    ['/429', 429],
    ['/ext', 200],
    ['/base', 200],
    ['/calendar/2026/12', 200],
    ['/canonical/two', 200],
    ['/dup?b=2&a=1', 200],
    ['/utm?utm_source=x', 200],
    ['/forbidden-links', 200],
    ['/meta-refresh', 200],
    ['/js-shell', 200],
    ['/binary.png', 200],
    ['/pdf', 200],
    ['/no-type', 200],
    ['/deep/1000', 200],
    ['/sitemap.xml', 200],
    ['/nothing', 404],
  ])('answers %s with %i', async (address, status) => {
    await startSite();
    const response = await fetch(site.url(address));
    await response.arrayBuffer();
    expect(response.status).toBe(status);
  });

  it.each(['gzip', 'br', 'deflate', 'zstd'])(
    'serves a page that travelled as %s',
    async (encoding) => {
      await startSite();
      const response = await fetch(site.url(`/${encoding}`));
      expect(response.headers.get('content-encoding')).toBe(encoding);
      if (encoding !== 'zstd') expect(await response.text()).toContain(`travelled as ${encoding}`);
      else expect(zstdDecompressSync(await rawBody('/zstd')).toString()).toContain('as zstd');
    },
  );

  it.each(Object.keys(CHARSET_SAMPLES))(
    'writes a page in %s that decodes to its sentence',
    async (charset) => {
      await startSite();
      const bytes = await rawBody(`/charset/${charset}/none`);
      expect(new TextDecoder(charset, { fatal: true }).decode(bytes)).toContain(
        CHARSET_SAMPLES[charset],
      );
    },
  );

  it.each([
    ['text', 'User-agent: x', 200, 'User-agent: x'],
    ['a status', { status: 503 }, 503, 'no robots'],
    ['a crawl delay', { crawlDelaySeconds: 2 }, 200, 'Crawl-delay: 2'],
    ['nothing said', undefined, 200, 'Disallow: /private/'],
  ])('answers robots.txt by %s', async (_name, robots, status, text) => {
    await startSite({ robots });
    const response = await fetch(site.url('/robots.txt'));
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
  });

  it('redirects anywhere, in chains, in loops and by cookie', async () => {
    await startSite();
    const locationOf = async (address: string) =>
      (await fetch(site.url(address), { redirect: 'manual' })).headers.get('location');
    expect(await locationOf('/redirect/307?to=http://169.254.169.254/')).toBe(
      'http://169.254.169.254/',
    );
    expect(await locationOf('/redirect-loop/a')).toBe('/redirect-loop/b');
    expect(await locationOf('/redirect-loop/b')).toBe('/redirect-loop/a');
    expect(await (await fetch(site.url('/redirect-chain/3'))).text()).toContain('/about');
    await expect(fetch(site.url('/cookie-bounce'))).rejects.toThrow();
    const kept = await fetch(site.url('/cookie-bounce'), { headers: { cookie: 'bounced=1' } });
    expect(await kept.text()).toContain('The cookie came back');
  });

  it('fails the first requests of a flaky path only, and again after a reset', async () => {
    await startSite();
    const statusOf = async () => (await fetch(site.url('/flaky/2'))).status;
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([503, 503, 200]);
    site.reset();
    expect(await statusOf()).toBe(503);
  });

  it('sends as many bytes as requested, and a small bomb', async () => {
    await startSite();
    const big = await (await fetch(site.url('/big/1000000'))).text();
    expect(big.length).toBeGreaterThan(1_000_000);
    expect(big.endsWith('<p>big-end</p></body></html>')).toBe(true);
    expect((await rawBody('/bomb/5000000')).length).toBeLessThan(20_000);
  });

  it.each(['/reset', '/truncated', '/broken-gzip'])('breaks the answer of %s', async (address) => {
    await startSite();
    await expect(fetch(site.url(address)).then((response) => response.text())).rejects.toThrow();
  });

  it.each(['/hang', '/header-drip', '/drip'])(
    'never finishes %s, and closes nevertheless',
    async (address) => {
      await startSite();
      const answer = fetch(site.url(address)).then((response) => response.text());
      const outcome = answer.then(
        () => 'answered',
        () => 'broken',
      );
      await until(() => site.inFlight === 1);
      await site.close();
      expect(await outcome).toBe('broken');
      await until(() => site.inFlight === 0 && site.openSockets === 0);
    },
  );

  it('delays by the longest matching prefix', async () => {
    await startSite({ latencyMs: { '/': 0, '/tree/': 3_600_000, '/tree/1': 80 }, slowMs: 90 });
    const timeOf = async (address: string) => {
      await fetch(site.url(address)).then((response) => response.text());
      const endedAtMs = await until(() => site.requests(address)[0]?.endedAtMs);
      return endedAtMs - (site.requests(address)[0]?.atMs ?? 0);
    };
    const held = fetch(site.url('/tree/0')).catch(() => 'broken');
    await until(() => site.count('/tree/0') === 1);
    expect((await fetch(site.url('/about'))).status).toBe(200);
    expect(await timeOf('/tree/1')).toBeGreaterThanOrEqual(75);
    expect(await timeOf('/slow-site/0')).toBeGreaterThanOrEqual(85);
    expect(await timeOf('/slow/70/x')).toBeGreaterThanOrEqual(65);
    expect(site.requests('/tree/0')[0]?.endedAtMs).toBeNull();
    await site.close();
    expect(await held).toBe('broken');
  });

  it('records requests and their clients, bounded, with counts beyond the bound', async () => {
    await startSite({ maxKeptRequests: 3 });
    await fetch(site.url('/echo?x=1'), {
      method: 'POST',
      body: 'hello',
      headers: { 'x-me': 'test' },
    });
    for (const query of ['', '?a', '?b']) await fetch(site.url(`/about${query}`));
    expect(site.requests('/echo')).toMatchObject([
      { method: 'POST', target: '/echo?x=1', body: 'hello', headers: { 'x-me': 'test' } },
    ]);
    expect(site.requests('/about?a')).toHaveLength(1);
    expect(site.requests()).toHaveLength(3);
    expect(site.count('/about')).toBe(3);
    expect(site.totalRequests).toBe(4);
    expect(site.requests()[0]?.socketId).toBeGreaterThan(0);
  });

  it('counts requests that are open together', async () => {
    await startSite();
    const isFull = Promise.withResolvers<void>();
    const serveTogether: Serve = async ({ response }) => {
      if (site.inFlight === 3) isFull.resolve();
      await isFull.promise;
      response.end();
    };
    site.serve({ '/held': serveTogether });
    await Promise.all([1, 2, 3].map((n) => fetch(site.url(`/held?${n}`))));
    expect(site.peakInFlight).toBe(3);
  });

  it("shows a test's own page and says 500 when its handler throws", async () => {
    await startSite();
    site.serve({
      '/mine': '<p>mine</p>',
      '/bad': () => {
        throw new Error('oops');
      },
    });
    expect(await (await fetch(site.url('/mine'))).text()).toBe('<p>mine</p>');
    expect((await fetch(site.url('/bad'))).status).toBe(500);
  });
});

describe('a folder site', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'folder-site-'));
    await mkdir(path.join(dir, 'sub'));
    await writeFile(path.join(dir, 'index.html'), '<p>home</p>');
    await writeFile(path.join(dir, 'sub/index.html'), '<p>sub</p>');
    await writeFile(path.join(dir, 'style.css'), 'p{}');
    site = await startFolderSite(dir);
  });
  afterEach(() => rm(dir, { recursive: true }));

  it.each([
    ['/', 200, 'text/html', 'home'],
    ['/index.html', 200, 'text/html', 'home'],
    ['/sub/', 200, 'text/html', 'sub'],
    ['/sub', 200, 'text/html', 'sub'],
    ['/style.css', 200, 'text/css', 'p{}'],
    ['/none.html', 404, 'text/plain; charset=utf-8', 'Not Found'],
    ['/index.html/x', 404, 'text/plain; charset=utf-8', 'Not Found'],
  ])('answers %s with %i %s', async (address, status, type, text) => {
    const response = await fetch(site.url(address));
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toContain(text);
    expect(site.count(address)).toBe(1);
  });

  it('does not leave its folder', async () => {
    const body = await rawBody('/..%2f..%2f..%2f..%2fetc/passwd');
    expect(body.toString()).not.toContain('root:');
  });
});

/** The body as it travelled, neither decompressed nor decoded. */
function rawBody(address: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    httpRequest(site.url(address), (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    })
      .on('error', reject)
      .end();
  });
}
