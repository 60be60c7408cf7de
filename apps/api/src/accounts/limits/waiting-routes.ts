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
]);

/** Whether the responses of a route, as the server names it, wait for a page or a document. */
export function isWaitingRoute(route: string | undefined): boolean {
  return WAITING_ROUTES.has(route ?? '');
}

/** Whether a request to a route may wait: unsupported methods never do. */
export function mayWait(method: string, route: string | undefined): boolean {
  return method === 'POST' && isWaitingRoute(route);
}
