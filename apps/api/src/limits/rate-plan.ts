import { PLAN_LIMITS } from '@app/contracts';
import type { RateWindow, Tenant } from '@app/store';

/** A window a request is counted in, and how many it takes within a minute. */
export interface CountedIn {
  readonly window: RateWindow;
  readonly limit: number;
}

/** Who waits for a job may ask every second, on every plan. */
export const MIN_POLLS_PER_MINUTE = 60;

/**
 * Routes by which clients wait for a job: its state, and its events, which count once, when they are
 * opened. Whoever adds such a route names it here.
 */
const POLL_ROUTES: ReadonlySet<string> = new Set([
  '/v1/jobs/:id',
  '/v1/crawl/:id',
  '/v1/crawl/:id/events',
  '/v1/data/deletions/:id',
]);

/**
 * Where a request of a tenant counts. Waiting for a job has a window of its own, so that the ten calls a
 * minute of a Free tenant are not spent on asking how the first of them is going.
 */
export function countedIn(
  { method, route }: { readonly method: string; readonly route: string | undefined },
  tenant: Pick<Tenant, 'plan' | 'agreed'>,
): CountedIn {
  const limit = tenant.agreed.requestsPerMinute ?? PLAN_LIMITS[tenant.plan].requestsPerMinute;
  if (!isPoll(method, route)) return { window: 'calls', limit };
  return { window: 'polls', limit: Math.max(MIN_POLLS_PER_MINUTE, limit) };
}

function isPoll(method: string, route = ''): boolean {
  return (method === 'GET' || method === 'HEAD') && POLL_ROUTES.has(route);
}
