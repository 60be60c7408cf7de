import { htmlPage, numberIn, type Route, type RouteVisit, sendHtml } from './route.js';
import { sendText, waitUnlessClosed } from './site-server.js';

/** A shop's page about one product, which its JSON-LD and its text describe. */
const LAMP = htmlPage({
  title: 'Harbour lamp',
  body: `<script type="application/ld+json">${JSON.stringify({
    '@type': 'Product',
    name: 'Harbour lamp',
    offers: {
      '@type': 'Offer',
      price: '19.90',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    },
  })}</script>
<p>A lamp of brass for the table, with a shade of glass and two metres of cable.</p>
<p>Item no.: HL-10</p><p class="price">€19.90</p>`,
});

/** Pages whose trap is in the status, the headers, or in what is missing. */
export const ANSWER_ROUTES: readonly Route[] = [
  { path: /^\/robots\.txt$/, serve: serveRobots },
  { path: /^\/sitemap\.xml$/, serve: serveSitemap },
  { path: /^\/status\/([2-5]\d\d)$/, serve: serveStatus },
  { path: /^\/redirect\/(30[12378])$/, serve: serveRedirect },
  {
    path: /^\/redirect-loop\/(a|b)$/,
    serve: ({ response, groups }) =>
      redirect(response, 302, `/redirect-loop/${groups[0] === 'a' ? 'b' : 'a'}`),
  },
  { path: /^\/redirect-chain\/(\d+)$/, serve: serveRedirectChain },
  { path: /^\/cookie-bounce$/, serve: serveCookieBounce },
  { path: /^\/meta-refresh$/, serve: serveMetaRefresh },
  {
    path: /^\/empty$/,
    serve: ({ response }) =>
      sendHtml(
        response,
        '<!doctype html><html><head><title>Empty</title></head><body></body></html>',
      ),
  },
  { path: /^\/lamp$/, serve: ({ response }) => sendHtml(response, LAMP) },
  { path: /^\/blank$/, serve: ({ response }) => sendHtml(response, '') },
  { path: /^\/no-content$/, serve: ({ response }) => void response.writeHead(204).end() },
  { path: /^\/js-shell$/, serve: serveJsShell },
  { path: /^\/js-shell\.js$/, serve: serveJsShellScript },
  { path: /^\/challenge$/, serve: serveChallenge },
  {
    path: /^\/json$/,
    serve: ({ response }) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"name":"fixture","items":[1,2,3]}'),
  },
  {
    path: /^\/no-type$/,
    serve: ({ response }) =>
      void response
        .writeHead(200)
        .end(htmlPage({ title: 'No type', body: '<p>There is no content type on this page.</p>' })),
  },
  { path: /^\/flaky\/(\d+)(?:\/[\w-]+)?$/, serve: serveFlaky },
  { path: /^\/429$/, serve: serveTooMany },
  { path: /^\/429\/(\d+)$/, serve: serveTooManyAtFirst },
  { path: /^\/echo$/, serve: serveEcho },
];

/** Forbids `/private/` to all. */
export const DEFAULT_ROBOTS = 'User-agent: *\nDisallow: /private/\n';

function serveRobots({ response, shape, url }: RouteVisit): void {
  const { robots } = shape;
  if (robots === 'hang') return;
  if (typeof robots === 'string') return sendText(response, 200, robots);
  if ('status' in robots) return sendText(response, robots.status, 'no robots here');
  const delay = `Crawl-delay: ${robots.crawlDelaySeconds}\n`;
  sendText(response, 200, `${DEFAULT_ROBOTS}${delay}Sitemap: ${url.origin}/sitemap.xml\n`);
}

/** Every page of the tree, so that a sitemap and the links agree. */
function serveSitemap({ response, url, shape }: RouteVisit): void {
  const pages = Array.from({ length: shape.treePages }, (_, index) => `/tree/${index}`);
  const items = pages.map((path) => `<url><loc>${url.origin}${path}</loc></url>`).join('\n');
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  const xml = `${head}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items}</urlset>`;
  response.writeHead(200, { 'content-type': 'application/xml' }).end(xml);
}

function serveStatus(visit: RouteVisit): void {
  const status = numberIn(visit, 0);
  const body = `<p>This page answers with status ${status} and some words for a reader.</p>`;
  if (status === 204 || status === 304) visit.response.writeHead(status).end();
  else sendHtml(visit.response, htmlPage({ title: `Status ${status}`, body }), status);
}

/** `?to=` goes into Location as it is, so that a test can name any target. */
function serveRedirect(visit: RouteVisit): void {
  redirect(visit.response, numberIn(visit, 0), visit.url.searchParams.get('to') ?? '/');
}

/** `/redirect-chain/<n>` needs n redirects to reach `/about`. */
function serveRedirectChain(visit: RouteVisit): void {
  const left = numberIn(visit, 0, 1_000);
  redirect(visit.response, 302, left <= 1 ? '/about' : `/redirect-chain/${left - 1}`);
}

function redirect(response: RouteVisit['response'], status: number, to: string): void {
  response.writeHead(status, { location: to }).end();
}

/** Only a client that keeps the cookie over the redirect gets out of the loop. */
function serveCookieBounce({ request, response }: RouteVisit): void {
  if (request.headers.cookie?.includes('bounced=1')) {
    return sendHtml(
      response,
      htmlPage({ title: 'Cookie kept', body: '<p>The cookie came back.</p>' }),
    );
  }
  response.writeHead(302, { location: '/cookie-bounce', 'set-cookie': 'bounced=1; Path=/' }).end();
}

function serveMetaRefresh({ response }: RouteVisit): void {
  const head = '<meta http-equiv="refresh" content="0; url=/about">';
  sendHtml(response, htmlPage({ title: 'Moved', head, body: '<p>Moved.</p>' }));
}

function serveJsShell({ response }: RouteVisit): void {
  sendHtml(
    response,
    '<!doctype html><html><head><title>Shell</title></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/js-shell.js"></script></body></html>',
  );
}

function serveJsShellScript({ response }: RouteVisit): void {
  const script =
    "document.getElementById('root').innerHTML = '<main><h1>Rendered</h1><p>Words that only a browser sees.</p></main>';";
  response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
}

/** What a bot wall answers: 403, its headers, and a page without content. */
function serveChallenge({ response }: RouteVisit): void {
  response.writeHead(403, {
    'content-type': 'text/html',
    server: 'cloudflare',
    'cf-mitigated': 'challenge',
  });
  response.end(
    '<!doctype html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>',
  );
}

/** The first n requests of a path answer 503. */
function serveFlaky(visit: RouteVisit): void {
  if (visit.times <= numberIn(visit, 0)) return sendText(visit.response, 503, 'not yet');
  const body = `<p>It worked at attempt ${visit.times}, which is what this page is for.</p>`;
  sendHtml(visit.response, htmlPage({ title: 'Flaky', body }));
}

/** Always 429; `?after=` is the Retry-After, in seconds or as a date. */
function serveTooMany({ response, url }: RouteVisit): void {
  response.writeHead(429, { 'retry-after': url.searchParams.get('after') ?? '1' }).end('slow down');
}

/** The first n requests answer 429 with Retry-After 1. */
function serveTooManyAtFirst(visit: RouteVisit): void {
  if (visit.times <= numberIn(visit, 0)) return serveTooMany(visit);
  sendHtml(
    visit.response,
    htmlPage({ title: 'Patience', body: '<p>You waited. Thank you for that.</p>' }),
  );
}

/** The request's own headers and body as JSON, after `?waitMs=`. */
async function serveEcho({ request, response, url }: RouteVisit): Promise<void> {
  await waitUnlessClosed(response, Number(url.searchParams.get('waitMs') ?? 0));
  const { method, target, headers, body } = request;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ method, target, headers, body }));
}
