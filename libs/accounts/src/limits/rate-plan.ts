import { PLAN_LIMITS } from '@app/contracts';
import type { RateWindow } from './rate-window.js';
import type { Tenant } from '../tenants/tenants.js';

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

const CALLS: CountedWindow = { window: 'calls', leastLimit: 0 };
const POLLS: CountedWindow = { window: 'polls', leastLimit: MIN_POLLS_PER_MINUTE };

/**
 * The window of a request. Waiting for a job (`isPoll`) has a separate window, so that polling does not use up
 * the ten calls a minute of a Free tenant.
 */
export function windowOf(isPoll: boolean): CountedWindow {
  return isPoll ? POLLS : CALLS;
}

/** Where a call of a tenant that is known counts, and how many may within a minute: as `admitRequests` has it. */
export function countedIn(
  { window, leastLimit }: CountedWindow,
  { plan, agreed }: Pick<Tenant, 'plan' | 'agreed'>,
): CountedIn {
  const own = agreed.requestsPerMinute ?? PLAN_LIMITS[plan].requestsPerMinute;
  return { window, limit: Math.max(leastLimit, own) };
}
