import { Coalescer, type Database, type EqualCalls } from '@app/database';
import { returnRequest, takeRequests, type RateWindow, type TakenRequests } from './rate-window.js';

/** One request at the gate. */
export interface WindowRequest {
  readonly tenantId: string;
  readonly window: RateWindow;
  readonly limit: number;
}

export interface GateAnswer {
  readonly isAdmitted: boolean;
  readonly remaining: number;
  /** Milliseconds until one may pass; 0 when this one did. */
  readonly waitMs: number;
}

/**
 * One process's access to the windows. A tenant's flood uses one connection and one row lock at a time, and
 * delays no other tenant: each window has a statement of its own.
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

/** First come, first served; `remaining` counts down in that order. */
function answerOf({ admitted, remaining, waitMs }: TakenRequests, index: number): GateAnswer {
  if (index >= admitted) return { isAdmitted: false, remaining: 0, waitMs };
  return { isAdmitted: true, remaining: remaining + admitted - 1 - index, waitMs: 0 };
}
