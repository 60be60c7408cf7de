import { PLAN_LIMITS } from '@app/contracts';
import type { RateWindow } from './rate-window.js';
import type { Tenant } from '../tenants/tenants.js';

/** A request, as far as it matters to where it counts. */
export interface Counted {
  readonly method: string;
  /** As the server names it; undefined where none matched. */
  readonly route: string | undefined;
}

/** A window a request is counted in. */
export interface CountedWindow {
  readonly window: RateWindow;
  /** Least limit within a minute, on every plan and under any agreement. */
  readonly leastLimit: number;
}

/** The same, with how many it takes within a minute. */
export interface CountedIn {
  readonly window: RateWindow;
  readonly limit: number;
}

/** A client may poll its job every second, on every plan. */
export const MIN_POLLS_PER_MINUTE = 60;

/**
 * Routes for waiting for a job: its state, and its events, which count once, when they are opened.
 * Add new routes of that kind here.
 */
const POLL_ROUTES: ReadonlySet<string> = new Set([
  '/v1/jobs/:id',
  '/v1/crawl/:id',
  '/v1/crawl/:id/events',
  '/v1/data/deletions/:id',
  '/v2/crawl/:id',
  '/v2/batch/scrape/:id',
]);

const CALLS: CountedWindow = { window: 'calls', leastLimit: 0 };
const POLLS: CountedWindow = { window: 'polls', leastLimit: MIN_POLLS_PER_MINUTE };

/**
 * The window of a request. Waiting for a job has a separate window, so that polling does not use up
 * the ten calls a minute of a Free tenant.
 */
export function windowOf({ method, route = '' }: Counted): CountedWindow {
  const isPoll = (method === 'GET' || method === 'HEAD') && POLL_ROUTES.has(route);
  return isPoll ? POLLS : CALLS;
}

/** Where a request of a tenant that is known counts, and how many may within a minute: as `admitRequests` has it. */
export function countedIn(
  request: Counted,
  { plan, agreed }: Pick<Tenant, 'plan' | 'agreed'>,
): CountedIn {
  const { window, leastLimit } = windowOf(request);
  const own = agreed.requestsPerMinute ?? PLAN_LIMITS[plan].requestsPerMinute;
  return { window, limit: Math.max(leastLimit, own) };
}
