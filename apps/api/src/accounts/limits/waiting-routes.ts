import type { FastifyRequest } from 'fastify';

/** Routes whose responses wait for a page or a document. Add new ones here. */
const WAITING_ROUTES: ReadonlySet<string> = new Set([
  '/v1/scrape',
  '/v1/batch',
  '/v1/map',
  '/v1/enrich',
  '/v1/enrich/website',
  '/v1/brand',
  '/v1/screenshot',
  '/v1/extract',
  '/v1/parse',
  '/v2/scrape',
  '/v2/search',
  '/v2/map',
  '/v2/parse',
  '/v1/search',
  '/v1/scrapers/maps',
  '/v1/scrapers/reviews',
  '/v1/scrapers/listings',
  '/v1/scrapers/directory',
  '/v1/preview',
  '/v1/chat',
  '/v1/pull',
]);

/** Those of them that a GET starts, too. */
const WAITING_GETS: ReadonlySet<string> = new Set(['/v1/scrape']);

/** Whether the responses of a route, as the server names it, wait for a page or a document. */
export function isWaitingRoute(route: string | undefined): boolean {
  return WAITING_ROUTES.has(route ?? '');
}

/** Whether a request to a route may wait: unsupported methods never do. */
export function mayWait(method: string, route: string | undefined): boolean {
  if (method === 'GET') return WAITING_GETS.has(route ?? '');
  return method === 'POST' && isWaitingRoute(route);
}

/** Whether the response of this request waits for a page or a document: a batch that becomes a job is answered at once. */
export function waits({ method, routeOptions, body }: FastifyRequest): boolean {
  if (!mayWait(method, routeOptions.url)) return false;
  // Only there is `async` a field: other routes may ignore it.
  if (routeOptions.url !== '/v1/batch') return true;
  return (body as { readonly async?: unknown } | null | undefined)?.async !== true;
}
