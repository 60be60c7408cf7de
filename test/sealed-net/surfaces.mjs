// The cases of ssrf-cases.json that only the whole service can cover: what a crawl, robots.txt or a
// retry leads to. Each names the sites it needs, the requests to make and the outcome of each.
import { allCases } from './cases.mjs';
import { docxNaming, pdfNaming } from './documents.mjs';
import { SITE_MARK } from './site-mark.mjs';

const PUBLIC = ['93.184.216.34'];
const LOOPBACK = ['127.0.0.1'];
const link = (...targets) => targets.map((target) => `<a href="${target}">x</a>`).join(' ');
const redirectTo = (location) => ({ status: 302, headers: { location } });
/** Ends the connection, so that the next request of the host is dialled and resolved anew. */
const closing = { connection: 'close' };

const sitemap = (element, ...locs) => {
  const entries = locs.map((loc) => `<${element}><loc>${loc}</loc></${element}>`).join('');
  return { text: `<urlset>${entries}</urlset>` };
};

/** Host → path → answer of the fixture site; see fixture.mjs. */
export const sites = {
  'robots-redirect.example': { '/robots.txt': redirectTo('http://127.0.0.1/robots.txt') },
  'robots-sitemap.example': { '/robots.txt': { text: 'Sitemap: http://127.0.0.1/sitemap.xml\n' } },
  'uses.example': {
    '/robots.txt': { text: 'License: http://127.0.0.1/rsl.xml\nLicense: /rsl.xml\n' },
    '/rsl.xml': redirectTo('http://127.0.0.1/rsl.xml'),
    '/.well-known/tdmrep.json': redirectTo('http://127.0.0.1/tdmrep.json'),
  },
  'lists.example': {
    '/': {
      html: '<link rel="alternate" type="application/rss+xml" href="http://127.0.0.1/feed"> A site with a feed.',
    },
    '/llms.txt': redirectTo('http://127.0.0.1/llms.txt'),
  },
  'links.example': {
    '/': {
      html: link('http://127.0.0.1/', 'http://www.links.example/inside', '/go', '/fine'),
    },
    '/go': redirectTo('http://127.0.0.1/admin'),
  },
  'base.example': { '/': { html: `<base href="http://127.0.0.1/">${link('one')}` } },
  'base-inside.example': {
    '/': { html: `<base href="http://www.base-inside.example/">${link('one')}` },
  },
  'map.example': {
    '/robots.txt': { text: 'Sitemap: http://127.0.0.1/sitemap.xml\nSitemap: /index.xml\n' },
    '/index.xml': sitemap(
      'sitemap',
      'http://127.0.0.1/s.xml',
      'http://www.map.example/s.xml',
      'http://map.example/moved.xml',
      'http://map.example/pages.xml',
    ),
    '/moved.xml': redirectTo('http://127.0.0.1/s.xml'),
    '/pages.xml': sitemap('url', 'http://127.0.0.1/', 'http://map.example/inside'),
  },
  'map-redirect.example': {
    '/robots.txt': { status: 404 },
    '/sitemap.xml': redirectTo('http://127.0.0.1/sitemap.xml'),
    '/sitemap_index.xml': redirectTo('http://www.map.example/sitemap.xml'),
    '/': { html: link('/inside', 'http://127.0.0.1/') },
  },
  'later-retry.example': { '/': { status: 503, headers: closing } },
  'later-scrape.example': { '/': { headers: closing } },
  'brand.example': {
    '/': {
      html: `<link rel="stylesheet" href="http://127.0.0.1/x.css"><link rel="stylesheet" href="/a.css">
        <link rel="manifest" href="http://127.0.0.1/m.json"><link rel="icon" href="http://127.0.0.1/f.ico">
        <meta property="og:image" content="http://127.0.0.1/i.png">
        <script type="application/ld+json">{"@type":"Organization","name":"Acme","logo":"http://127.0.0.1/l.png"}</script>
        <a class="btn" href="/about">About us</a> <a href="/team">Our team</a>
        <a href="http://www.brand.example/contact">Contact</a> hello@brand.example`,
    },
    '/a.css': {
      type: 'text/css',
      bytes:
        '@import url(http://127.0.0.1/y.css); @import url(/moved.css); .btn { background: #c0392b }',
    },
    '/moved.css': redirectTo('http://127.0.0.1/z.css'),
    '/about': { html: 'We are Acme.' },
    '/team': redirectTo('http://127.0.0.1/admin'),
  },
  'documents.example': {
    '/xfa.pdf': { type: 'application/pdf', bytes: pdfNaming('http://127.0.0.1/xfa', SITE_MARK) },
    '/docx': {
      type: 'application/octet-stream',
      bytes: docxNaming('http://127.0.0.1/docx', SITE_MARK),
    },
  },
};

/** Name → addresses, or successive answers of which the last repeats. */
export const names = {
  ...Object.fromEntries(Object.keys(sites).map((host) => [host, PUBLIC])),
  'www.links.example': LOOPBACK, // the same site to a crawl, another machine to the network
  'www.base-inside.example': LOOPBACK,
  'www.map.example': LOOPBACK,
  'www.brand.example': LOOPBACK,
  'later.example': [PUBLIC, LOOPBACK],
  'later-retry.example': [PUBLIC, PUBLIC, LOOPBACK],
  'later-scrape.example': [PUBLIC, LOOPBACK],
};

const scrape = (url, expected, options = {}) => ({
  kind: 'scrape',
  body: { url, ...options },
  expected,
});
const crawl = (url, expected, options = {}) => ({
  kind: 'crawl',
  body: { url, ...options },
  expected,
});

const map = (url, expected) => ({ kind: 'map', body: { url }, expected });

const brand = (domain, expected) => ({ kind: 'brand', body: { domain }, expected });
const enrich = (domain, expected) => ({
  kind: 'enrich',
  body: { domain, includeBrand: true },
  expected,
});
const BRAND = brand('http://brand.example/', 'brand: Acme #c0392b');

const ROBOTS_UNREAD =
  'failed: 422 Fetch failed: robots.txt of the site could not be read (blocked), so the page was not requested';
const HOST_REFUSED = 'failed: 400 `headers`: Header refused: host (set by the service itself)';
const ignoreRobotsTxt = true;
const NO_SITEMAP = { sitemap: 'skip' };

const requests = {
  S355: [scrape('http://127.0.0.1/', 'blocked')],
  S356: [
    scrape('http://robots-redirect.example/', ROBOTS_UNREAD),
    scrape('http://robots-redirect.example/', 'reached', { ignoreRobotsTxt }),
  ],
  S357: [
    scrape('http://robots-sitemap.example/', 'reached'),
    crawl('http://robots-sitemap.example/', 'completed: 1 scraped, 1 sitemap'),
    map('http://robots-sitemap.example/', 'mapped: none'),
  ],
  S358: [
    map('http://map.example/', 'mapped: sitemap http://map.example/inside'),
    map('http://map-redirect.example/', 'mapped: crawl http://map-redirect.example/inside'),
  ],
  S359: [map('http://map.example/any', 'mapped: sitemap http://map.example/inside')],
  S360: [crawl('http://links.example/', 'completed: 2 scraped, 2 blocked, 1 external', NO_SITEMAP)],
  S361: [
    crawl('http://base.example/', 'completed: 1 scraped, 1 external', NO_SITEMAP),
    crawl('http://base-inside.example/', 'completed: 1 scraped, 1 blocked', NO_SITEMAP),
  ],
  S362: [BRAND],
  S363: [BRAND],
  S365: [enrich('http://brand.example/', 'enriched: 2 pages, hello@brand.example, #c0392b')],
  S366: [BRAND],
  S370: [crawl('http://127.0.0.1/', 'blocked')],
  S379: [
    brand('http://127.0.0.1/', 'blocked'),
    brand('http://www.brand.example/', 'blocked'),
    enrich('http://127.0.0.1/', 'blocked'),
    enrich('http://www.brand.example/', 'blocked'),
  ],
  S382: [scrape('http://site.example/', HOST_REFUSED, { headers: { Host: '127.0.0.1' } })],
  S385: [
    crawl('http://later.example/', 'failed: 0 scraped, 1 blocked'),
    crawl('http://later-retry.example/', 'failed: 0 scraped, 1 blocked', { ignoreRobotsTxt }),
    scrape('http://site.example/visited/later-retry.example', 'reached'), // before it was blocked
    scrape('http://later-scrape.example/', 'reached', { ignoreRobotsTxt }),
    scrape('http://later-scrape.example/', 'blocked', { ignoreRobotsTxt }),
  ],
  S437: [scrape('http://uses.example/', 'reached', { respectUse: 'ai-train' })],
  S438: [
    crawl('http://lists.example/', 'completed: 1 scraped, 2 sitemap', {
      ...NO_SITEMAP,
      sources: ['feeds', 'llms.txt'],
    }),
  ],
  S429: [scrape('http://documents.example/xfa.pdf', 'reached')],
  S430: [scrape('http://documents.example/docx', 'reached')],
};

/** The cases with their `requests`, in order, each with the outcome it must have. */
export const surfaceCases = allCases
  .filter(({ id }) => id in requests)
  .map((one) => ({ ...one, requests: requests[one.id] }));
