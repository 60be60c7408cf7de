// The site the contenders crawl, in a process of its own so that its CPU is known apart.
// Usage: node fixture.js <pages> <latencyMs> [crawl|rendered|small] [hosts]
// Says {"msg":"listening","urls":[...]} when ready; every host has the same pages at a port of its own.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pagePath, fixturePage } from './fixture-pages.js';
import type { FixtureStats } from './fixture-stats.js';
import { appFiles, appShells, type SiteFile } from './rendered/app-site.js';
import type { SiteKind } from './site-kind.js';
import { renderSmallPage } from './small-pages.js';

const SITEMAP_PAGES = 500;

interface Site {
  readonly pages: ReadonlyMap<string, Buffer>;
  /** What pages are made of besides themselves. */
  readonly parts: ReadonlyMap<string, SiteFile>;
}

async function main(
  pages: number,
  latencyMs: number,
  kind: SiteKind,
  hosts: number,
): Promise<void> {
  const site = makeSite(kind, pages);
  const counters = new Counters(pages, sizesOf([...site.pages.values()]));
  const servers = Array.from({ length: hosts }, () => listen(site, counters, latencyMs));
  console.log(JSON.stringify({ msg: 'listening', urls: await Promise.all(servers) }));
}

function makeSite(kind: SiteKind, pages: number): Site {
  switch (kind) {
    case 'crawl':
      return plainSite(pages, fixturePage);
    case 'small':
      return plainSite(pages, renderSmallPage);
    case 'rendered':
      return appSite(pages);
  }
}

/** One host of the site; its address. */
function listen(site: Site, counters: Counters, latencyMs: number): Promise<string> {
  let inFlight = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (site.pages.has(path)) {
      counters.inFlightOfHost(++inFlight);
      response.once('close', () => inFlight--);
    }
    if (path === '/__stats') return sendJson(response, counters.read());
    if (path === '/__urls') return sendJson(response, [...site.pages.keys()]);
    if (path === '/__reset') return sendJson(response, counters.clear());
    const answer = (): void => serve(path, site, counters, response, origin(server.address()));
    if (latencyMs > 0) setTimeout(answer, latencyMs);
    else answer();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(origin(server.address())));
  });
}

type Render = (index: number, pages: number) => string;

function plainSite(pages: number, render: Render): Site {
  const paths = Array.from({ length: pages }, (_, index) => index);
  return {
    pages: new Map(paths.map((index) => [pagePath(index), Buffer.from(render(index, pages))])),
    parts: new Map(),
  };
}

function appSite(pages: number): Site {
  return { pages: appShells(pages), parts: appFiles(pages) };
}

function origin(address: AddressInfo | string | null): string {
  return `http://127.0.0.1:${(address as AddressInfo).port}`;
}

function serve(
  path: string,
  site: Site,
  counters: Counters,
  response: ServerResponse,
  address: string,
): void {
  const body = site.pages.get(path);
  if (body !== undefined) {
    counters.page(address + path);
    return send(response, 200, 'text/html; charset=utf-8', body);
  }
  const part = site.parts.get(path);
  if (part !== undefined) {
    counters.part();
    return sendPart(response, part);
  }
  counters.other(path);
  if (path === '/robots.txt') {
    const robots = `User-agent: *\nDisallow: /private/\nSitemap: ${address}/sitemap.xml\n`;
    return send(response, 200, 'text/plain', Buffer.from(robots));
  }
  const sitemap = sitemapFor(path, [...site.pages.keys()], address);
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

function sendPart(response: ServerResponse, { type, body, isCacheable }: SiteFile): void {
  const headers = {
    'content-type': type,
    'content-length': body.length,
    ...(isCacheable ? { 'cache-control': 'public, max-age=3600' } : {}),
  };
  response.writeHead(200, headers).end(body);
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
  private partRequests = 0;
  private forbiddenRequests = 0;
  private otherRequests = 0;
  private peakOfOneHost = 0;
  private firstPageAtMs: number | null = null;

  constructor(
    private readonly pages: number,
    private readonly sizes: { readonly meanBytes: number; readonly maxBytes: number },
  ) {}

  page(url: string): void {
    this.firstPageAtMs ??= Date.now();
    this.seen.add(url);
    this.pageRequests++;
  }

  inFlightOfHost(count: number): void {
    this.peakOfOneHost = Math.max(this.peakOfOneHost, count);
  }

  part(): void {
    this.partRequests++;
  }

  other(path: string): void {
    if (path.startsWith('/private/')) this.forbiddenRequests++;
    else this.otherRequests++;
  }

  read(): FixtureStats {
    const { pageRequests, partRequests, forbiddenRequests, otherRequests, peakOfOneHost } = this;
    return {
      pages: this.pages,
      ...this.sizes,
      requests: pageRequests + partRequests + forbiddenRequests + otherRequests,
      pageRequests,
      uniquePages: this.seen.size,
      partRequests,
      forbiddenRequests,
      otherRequests,
      peakOfOneHost,
      firstPageAtMs: this.firstPageAtMs,
    };
  }

  clear(): FixtureStats {
    this.seen.clear();
    this.pageRequests = this.partRequests = this.forbiddenRequests = this.otherRequests = 0;
    this.peakOfOneHost = 0;
    this.firstPageAtMs = null;
    return this.read();
  }
}

const [, , pages = '300', latencyMs = '0', kind = 'crawl', hosts = '1'] = process.argv;
void main(Number(pages), Number(latencyMs), kind as SiteKind, Number(hosts));
