import { PLAN_LIMITS } from '@app/contracts';
import { Coalescer, type Database, type EqualCalls, type Statement } from '@app/database';
import type { Tenant } from '../tenants/tenants.js';

/** Counted separately: calls, polls of jobs, and calls that were refused for want of a slot. */
export type RateWindow = 'calls' | 'polls' | 'refused';

/** Length of the sliding window, milliseconds (specification: Limits, "Requests per minute"). */
export const RATE_SPAN_MS = 60_000;

export interface WantedRequests {
  readonly tenantId: string;
  readonly window: RateWindow;
  /** Requests within any {@link RATE_SPAN_MS}; may change from call to call, as a plan does. */
  readonly limit: number;
  /** Number of concurrent requests. @default 1 */
  readonly wanted?: number;
  /** Instant, for specs. @default the clock of the database */
  readonly now?: Date;
}

export interface TakenRequests {
  /** How many of those wanted may pass; the others count for nothing. */
  readonly admitted: number;
  /** How many more may pass after them, now. */
  readonly remaining: number;
  /** Milliseconds until the next one may pass; 0 when all did. */
  readonly waitMs: number;
}

const TAKE: Statement = {
  name: 'take_requests',
  text: `SELECT admitted, remaining, wait_ms AS "waitMs" FROM take_requests($1, $2, $3, $4, $5)`,
};

/**
 * Counts requests of a tenant in its window: within any minute exactly the limit passes, for any
 * number of processes. One round trip. @throws when the database does not answer
 */
export async function takeRequests(
  database: Pick<Database, 'query'>,
  { tenantId, window, limit, wanted = 1, now }: WantedRequests,
): Promise<TakenRequests> {
  const values = [tenantId, window, limit, wanted, now ?? null];
  const [taken] = await database.query<TakenRequests & Record<string, unknown>>(TAKE, values);
  if (!taken) throw new Error('take_requests returned no row');
  return taken;
}

const RETURN: Statement = {
  name: 'return_request',
  text: 'UPDATE rate_windows SET head = head - 1 WHERE tenant_id = $1 AND kind = $2 AND head > tail',
};

/** The last request that was admitted to a window counts no more. */
export async function returnRequest(
  database: Pick<Database, 'query'>,
  { tenantId, window }: Pick<WantedRequests, 'tenantId' | 'window'>,
): Promise<void> {
  await database.query(RETURN, [tenantId, window]);
}

/** Whether a request passes, and how many more may after it. */
export interface AdmissionAnswer {
  readonly isAdmitted: boolean;
  readonly remaining: number;
}

/** For the request at `index` of those that were counted together: first come, first served. */
export function admissionAt(
  { admitted, remaining }: Pick<TakenRequests, 'admitted' | 'remaining'>,
  index: number,
): AdmissionAnswer {
  const isAdmitted = index < admitted;
  return { isAdmitted, remaining: isAdmitted ? remaining + admitted - 1 - index : 0 };
}

/** One request at the gate. */
export type WindowRequest = Pick<WantedRequests, 'tenantId' | 'window' | 'limit'>;

export interface GateAnswer extends AdmissionAnswer {
  /** Milliseconds until one may pass; 0 when this one did. */
  readonly waitMs: number;
}

/**
 * One process's access to the windows. Each window is counted by a separate query, so a flood of one tenant uses
 * one connection and one row lock at a time and does not delay other tenants.
 */
export class RateGate {
  private readonly requests: Coalescer<WindowRequest, GateAnswer>;

  constructor(private readonly database: Pick<Database, 'query'>) {
    this.requests = new Coalescer({
      nameOf: ({ tenantId, window, limit }) => `${tenantId} ${window} ${limit}`,
      maxStatements: Infinity,
      maxNames: 1,
      send: async (requests) => {
        const send = ({ call, count }: EqualCalls<WindowRequest>): Promise<TakenRequests> =>
          takeRequests(database, { ...call, wanted: count });
        const all = await Promise.all(requests.map(send));
        return all.map((taken) => (n) => answerOf(taken, n));
      },
    });
  }

  /** Counts one request, or refuses it; waits for two round trips at most. @throws as `takeRequests` */
  pass(request: WindowRequest): Promise<GateAnswer> {
    return this.requests.call(request);
  }

  /** The last request that passed counts no more. */
  uncount(request: Pick<WindowRequest, 'tenantId' | 'window'>): Promise<void> {
    return returnRequest(this.database, request);
  }
}

function answerOf(taken: TakenRequests, index: number): GateAnswer {
  const admission = admissionAt(taken, index);
  return { ...admission, waitMs: admission.isAdmitted ? 0 : taken.waitMs };
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
