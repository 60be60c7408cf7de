// The site the contenders crawl, in a process of its own so that its CPU is known apart.
// Usage: node fixture.js <pages> <latencyMs>; says {"msg":"listening","url":...} when ready.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pagePath, renderPage } from './fixture-pages.js';
import type { FixtureStats } from './fixture-stats.js';

const SITEMAP_PAGES = 500;

function main(pages: number, latencyMs: number): void {
  const bodies = new Map(
    Array.from({ length: pages }, (_, index) => [
      pagePath(index),
      Buffer.from(renderPage(index, pages)),
    ]),
  );
  const counters = new Counters(pages, sizesOf([...bodies.values()]));
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path === '/__stats') return sendJson(response, counters.read());
    if (path === '/__reset') return sendJson(response, counters.clear());
    const answer = (): void => serve(path, bodies, counters, response, origin(server.address()));
    if (latencyMs > 0) setTimeout(answer, latencyMs);
    else answer();
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ msg: 'listening', url: origin(server.address()) }));
  });
}

function origin(address: AddressInfo | string | null): string {
  return `http://127.0.0.1:${(address as AddressInfo).port}`;
}

function serve(
  path: string,
  bodies: ReadonlyMap<string, Buffer>,
  counters: Counters,
  response: ServerResponse,
  site: string,
): void {
  const body = bodies.get(path);
  if (body !== undefined) {
    counters.page(path);
    return send(response, 200, 'text/html; charset=utf-8', body);
  }
  counters.other(path);
  if (path === '/robots.txt') {
    const robots = `User-agent: *\nDisallow: /private/\nSitemap: ${site}/sitemap.xml\n`;
    return send(response, 200, 'text/plain', Buffer.from(robots));
  }
  const sitemap = sitemapFor(path, [...bodies.keys()], site);
  if (sitemap !== null) return send(response, 200, 'application/xml', Buffer.from(sitemap));
  send(response, 404, 'text/plain', Buffer.from('Not Found'));
}

/** `/sitemap.xml` is an index of `/sitemap-<k>.xml`, 500 pages each. */
function sitemapFor(path: string, paths: readonly string[], site: string): string | null {
  const space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
  if (path === '/sitemap.xml') {
    const parts = Array.from(
      { length: Math.ceil(paths.length / SITEMAP_PAGES) },
      (_, part) => part,
    );
    const items = parts.map((part) => `<sitemap><loc>${site}/sitemap-${part}.xml</loc></sitemap>`);
    return `<sitemapindex ${space}>${items.join('')}</sitemapindex>`;
  }
  const part = /^\/sitemap-(\d+)\.xml$/.exec(path)?.[1];
  if (part === undefined) return null;
  const chosen = paths.slice(Number(part) * SITEMAP_PAGES, (Number(part) + 1) * SITEMAP_PAGES);
  return `<urlset ${space}>${chosen.map((one) => `<url><loc>${site}${one}</loc></url>`).join('')}</urlset>`;
}

function send(response: ServerResponse, status: number, type: string, body: Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
}

function sendJson(response: ServerResponse, value: unknown): void {
  send(response, 200, 'application/json', Buffer.from(JSON.stringify(value)));
}

function sizesOf(bodies: readonly Buffer[]) {
  const sizes = bodies.map((body) => body.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return { meanBytes: Math.round(total / sizes.length), maxBytes: Math.max(...sizes) };
}

class Counters {
  private readonly seen = new Set<string>();
  private pageRequests = 0;
  private forbidden = 0;
  private otherRequests = 0;

  constructor(
    private readonly pages: number,
    private readonly sizes: { readonly meanBytes: number; readonly maxBytes: number },
  ) {}

  page(path: string): void {
    this.seen.add(path);
    this.pageRequests++;
  }

  other(path: string): void {
    if (path.startsWith('/private/')) this.forbidden++;
    else this.otherRequests++;
  }

  read(): FixtureStats {
    return {
      pages: this.pages,
      ...this.sizes,
      pageRequests: this.pageRequests,
      uniquePages: this.seen.size,
      forbiddenRequests: this.forbidden,
      otherRequests: this.otherRequests,
    };
  }

  clear(): FixtureStats {
    this.seen.clear();
    this.pageRequests = this.forbidden = this.otherRequests = 0;
    return this.read();
  }
}

main(Number(process.argv[2] ?? 300), Number(process.argv[3] ?? 0));
