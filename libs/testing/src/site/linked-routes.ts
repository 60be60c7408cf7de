import { seededRandom } from '../seeded-random.js';
import { htmlPage, numberIn, type Route, type RouteVisit, sendHtml } from './route.js';
import { sendText, waitUnlessClosed } from './site-server.js';

const CHILDREN = 10;
const CROSS_LINKS = 3;

/** Text that only page `index` of a tree holds. */
export function treeMarker(index: number): string {
  return `tree-marker-${index}-end`;
}

/** Every page of the small site; `/` reaches all of them. */
export const SMALL_SITE_PATHS = [
  '/',
  '/about',
  '/docs',
  '/docs/install',
  '/docs/usage',
  '/contact',
];

/** Pages that link to each other: what a crawl walks through. */
export const LINKED_ROUTES: readonly Route[] = [
  { path: /^(\/|\/about|\/contact|\/docs|\/docs\/install|\/docs\/usage)$/, serve: serveSmallSite },
  { path: /^\/tree\/(\d+)$/, serve: (visit) => serveTree(visit, '/tree', visit.shape.treePages) },
  { path: /^\/slow-site\/(\d+)$/, serve: serveSlowTree },
  { path: /^\/slow\/(\d+)\/([\w-]+)$/, serve: serveSlow },
  { path: /^\/calendar\/(\d{1,9})\/(\d{1,2})$/, serve: serveCalendar },
  { path: /^\/dup$/, serve: serveDuplicate },
  { path: /^\/utm$/, serve: serveTracked },
  { path: /^\/canonical\/([\w-]+)$/, serve: serveCanonical },
  { path: /^\/ext$/, serve: serveExternal },
  { path: /^\/base$/, serve: serveBase },
  { path: /^\/based\/([\w-]+)$/, serve: named('Based page') },
  { path: /^\/private\/([\w-]*)$/, serve: named('Private page') },
  { path: /^\/forbidden-links$/, serve: serveForbiddenLinks },
];

function named(title: string): Route['serve'] {
  return ({ response, groups }) =>
    sendHtml(response, htmlPage({ title: `${title} ${groups[0]}`, body: prose(groups[0] ?? '') }));
}

function serveSmallSite({ response, url }: RouteVisit): void {
  const links = SMALL_SITE_PATHS.map((path) => `<li><a href="${path}">Page ${path}</a></li>`);
  const nav = `<nav><ul>${links.join('')}</ul></nav>`;
  const title = `Small site ${url.pathname}`;
  sendHtml(response, htmlPage({ title, body: `${nav}\n${prose(title)}` }));
}

function serveTree({ response, groups }: RouteVisit, prefix: string, pages: number): void {
  const index = Number(groups[0]);
  if (index >= pages) return sendText(response, 404, 'Not Found');
  sendHtml(response, treePage(index, prefix, pages));
}

async function serveSlowTree(visit: RouteVisit): Promise<void> {
  await waitUnlessClosed(visit.response, visit.shape.slowMs);
  serveTree(visit, '/slow-site', visit.shape.slowPages);
}

/** Page `index` links to ten children, three seeded others (with fragments), and home. */
function treePage(index: number, prefix: string, pages: number): string {
  const random = seededRandom(index + 1);
  const first = index * CHILDREN + 1;
  const children = Array.from({ length: CHILDREN }, (_, child) => first + child);
  const links = children.filter((child) => child < pages).map((child) => `${prefix}/${child}`);
  for (let cross = 0; cross < CROSS_LINKS; cross++) {
    links.push(`${prefix}/${random.int(0, pages - 1)}#part-${cross}`);
  }
  const list = links.map((link) => `<li><a href="${link}">Go to ${link}</a></li>`).join('\n');
  const nav = `<nav><a href="${prefix}/0">Home</a> <a href="#top">Top</a></nav>`;
  return htmlPage({
    title: `Tree page ${index}`,
    body: `${nav}\n${prose(`page ${index}`)}\n<ul>${list}</ul>\n<p>${treeMarker(index)}</p>`,
  });
}

/** `/slow/<ms>/<name>` takes that long and links to its next neighbour. */
async function serveSlow(visit: RouteVisit): Promise<void> {
  const slowMs = numberIn(visit, 0, 600_000);
  await waitUnlessClosed(visit.response, slowMs);
  const name = visit.groups[1] ?? '';
  const next = `/slow/${slowMs}/${name}-next`.slice(0, 200);
  const body = `${prose(name)}<p><a href="${next}">next</a></p>`;
  sendHtml(visit.response, htmlPage({ title: `Slow ${name}`, body }));
}

/** Every month links to the next two and the one before, for ever. */
function serveCalendar(visit: RouteVisit): void {
  const month = numberIn(visit, 0) * 12 + numberIn(visit, 1, 12) - 1;
  const near = [month - 1, month + 1, month + 2].filter((other) => other >= 0).map(monthPath);
  const links = near.map((path) => `<a href="${path}">${path}</a>`).join(' ');
  const title = `Calendar ${monthPath(month)}`;
  sendHtml(visit.response, htmlPage({ title, body: `${prose(title)}<p>${links}</p>` }));
}

function monthPath(month: number): string {
  return `/calendar/${Math.floor(month / 12)}/${(month % 12) + 1}`;
}

/** One page under many spellings: query order, fragment, case of the host, default dot segments. */
function serveDuplicate({ response }: RouteVisit): void {
  const spellings = [
    '/dup?a=1&b=2',
    '/dup?b=2&a=1',
    '/dup?a=1&b=2#x',
    '/./dup?a=1&b=2',
    '/x/../dup?a=1&b=2',
  ];
  const links = spellings.map((link) => `<a href="${link.replaceAll('&', '&amp;')}">same</a>`);
  sendHtml(response, htmlPage({ title: 'Duplicate', body: prose('dup') + links.join(' ') }));
}

/** One page under many campaign parameters. */
function serveTracked({ response }: RouteVisit): void {
  const names = ['utm_source', 'utm_medium', 'utm_campaign', 'gclid', 'fbclid'];
  const links = names.map((name) => `<a href="/utm?${name}=n${name.length}">campaign</a>`);
  sendHtml(response, htmlPage({ title: 'Tracked', body: prose('utm') + links.join(' ') }));
}

/** `/canonical/<anything>` declares itself `/canonical/one` and links to three such pages. */
function serveCanonical({ response, groups }: RouteVisit): void {
  const links = ['one', 'two', 'three'].map((name) => `<a href="/canonical/${name}">${name}</a>`);
  const head = '<link rel="canonical" href="/canonical/one">';
  const body = prose('canonical') + links.join(' ');
  sendHtml(response, htmlPage({ title: `Canonical ${groups[0]}`, head, body }));
}

function serveExternal({ response }: RouteVisit): void {
  const hosts = [
    'http://one.invalid/',
    'https://two.invalid/x',
    '//three.invalid/',
    'http://127.0.0.2:9/',
  ];
  const links = [...hosts, 'mailto:a@b.invalid', 'tel:+123', 'javascript:void(0)', '/about'];
  const body = links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('\n');
  sendHtml(response, htmlPage({ title: 'External links', body: prose('external') + body }));
}

/** `page` resolves against the base to `/based/page`, not to `/page`. */
function serveBase({ response }: RouteVisit): void {
  const body = `${prose('base')}<p><a href="page">relative</a> <a href="/about">absolute</a></p>`;
  sendHtml(response, htmlPage({ title: 'Base', head: '<base href="/based/">', body }));
}

/** Links into the part that robots.txt forbids. */
function serveForbiddenLinks({ response }: RouteVisit): void {
  const body =
    '<p><a href="/private/a">a</a> <a href="/private/b">b</a> <a href="/about">ok</a></p>';
  sendHtml(response, htmlPage({ title: 'Forbidden links', body: prose('forbidden') + body }));
}

/** Two paragraphs: enough text not to look empty, different for every `topic`. */
function prose(topic: string): string {
  const sentence = `This paragraph is about ${topic} and says so in plain words that a reader can use.`;
  return `<p>${`${sentence} `.repeat(3)}</p>\n<p id="part-0">More about ${topic}. ${sentence}</p>\n`;
}
