import { sendArticle } from './article.js';
import { numberIn, type Route, type RouteVisit, sendHtml } from './route.js';
import { waitUnlessClosed } from './site-server.js';

/** Redirects that do not end, by every means, and some that do. All below `/loop/`. */
export const LOOP_ROUTES: readonly Route[] = [
  { path: /^\/loop\/self$/, serve: ({ response }) => redirect(response, '/loop/self') },
  { path: /^\/loop\/growing$/, serve: serveGrowing },
  { path: /^\/loop\/slow\/(\d+)$/, serve: serveSlowChain },
  { path: /^\/loop\/cookie-counter$/, serve: serveCookieCounter },
  { path: /^\/loop\/cookie-endless$/, serve: serveCookieEndless },
  { path: /^\/loop\/no-location$/, serve: ({ response }) => void response.writeHead(302).end() },
  { path: /^\/loop\/meta$/, serve: ({ response }) => refresh(response, '/loop/meta') },
  { path: /^\/loop\/meta-pair\/([ab])$/, serve: serveMetaPair },
  { path: /^\/loop\/refresh-header$/, serve: serveRefreshHeader },
  { path: /^\/loop\/script$/, serve: serveScriptLoop },
  { path: /^\/loop\/history$/, serve: serveHistoryFlood },
  { path: /^\/loop\/end\/([\w-]+)$/, serve: (visit) => sendArticle(visit, endOf(visit)) },
];

const endOf = ({ groups }: RouteVisit) => ({ topic: `loop-end-${groups[0]}` });

function redirect(response: RouteVisit['response'], location: string, cookie?: string): void {
  response.writeHead(302, { location, ...(cookie ? { 'set-cookie': cookie } : {}) }).end();
}

/** Never the same address twice. */
function serveGrowing({ response, url }: RouteVisit): void {
  const times = (url.searchParams.get('n') ?? '').length;
  redirect(response, `/loop/growing?n=${'x'.repeat(Math.min(times + 1, 2_000))}`);
}

/** `/loop/slow/<n>` takes 1.5 s to send the client on to n + 1. */
async function serveSlowChain(visit: RouteVisit): Promise<void> {
  await waitUnlessClosed(visit.response, 1_500);
  redirect(visit.response, `/loop/slow/${numberIn(visit, 0) + 1}`);
}

const COUNTED_BOUNCES = 4;

/** The same address each time, another cookie each time, and an end: a loop by address only. */
function serveCookieCounter(visit: RouteVisit): void {
  const seen = Number(/bounces=(\d+)/.exec(visit.request.headers.cookie ?? '')?.[1] ?? 0);
  if (seen >= COUNTED_BOUNCES) return sendArticle(visit, { topic: 'loop-cookie-counter' });
  redirect(visit.response, '/loop/cookie-counter', `bounces=${seen + 1}; Path=/`);
}

/** As above, without an end. */
function serveCookieEndless({ request, response }: RouteVisit): void {
  const seen = Number(/turns=(\d+)/.exec(request.headers.cookie ?? '')?.[1] ?? 0);
  redirect(response, '/loop/cookie-endless', `turns=${seen + 1}; Path=/`);
}

function refresh(response: RouteVisit['response'], to: string): void {
  sendHtml(
    response,
    `<!doctype html><html><head><title>Moving</title><meta http-equiv="refresh" content="0; url=${to}"></head><body></body></html>`,
  );
}

function serveMetaPair({ response, groups }: RouteVisit): void {
  refresh(response, `/loop/meta-pair/${groups[0] === 'a' ? 'b' : 'a'}`);
}

/** A header most clients do not know, but browsers do. */
function serveRefreshHeader({ response }: RouteVisit): void {
  response.writeHead(200, { 'content-type': 'text/html', refresh: '0; url=/loop/end/header' });
  response.end('<!doctype html><html><head><title>Moving</title></head><body></body></html>');
}

function serveScriptLoop({ response }: RouteVisit): void {
  sendHtml(
    response,
    '<!doctype html><html><head><title>Turning</title></head><body><script>location.replace("/loop/script?" + Math.random());</script></body></html>',
  );
}

/** The address changes without end, the page does not. */
function serveHistoryFlood(visit: RouteVisit): void {
  const after =
    '<script>let n = 0; setInterval(() => history.pushState(null, "", "?n=" + n++), 10);</script>';
  sendArticle(visit, { topic: 'loop-history', after });
}
