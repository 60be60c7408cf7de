import type { Database } from '@app/database';
import { takeRequests, type RateWindow, type TakenRequests } from './rate-window.js';

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

interface Waiter {
  readonly resolve: (answer: GateAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One process's access to the windows. Requests of a tenant that arrive while one is in flight are
 * sent together next: its flood uses one connection and one row lock at a time, and delays no other
 * tenant.
 */
export class RateGate {
  /** Requests that wait for the next query, by tenant, window and limit. */
  private readonly lines = new Map<string, Waiter[]>();

  constructor(private readonly database: Pick<Database, 'query'>) {}

  /** Counts one request, or refuses it; waits for two round trips at most. @throws as `takeRequests` */
  pass(request: WindowRequest): Promise<GateAnswer> {
    const name = `${request.tenantId} ${request.window} ${request.limit}`;
    return new Promise((resolve, reject) => {
      const line = this.lines.get(name);
      if (line) line.push({ resolve, reject });
      else void this.serve(name, request, { resolve, reject });
    });
  }

  /** Never rejects: the waiting callers get the error. */
  private async serve(name: string, request: WindowRequest, first: Waiter): Promise<void> {
    for (let group = [first]; group.length > 0; group = this.lines.get(name) ?? []) {
      this.lines.set(name, []);
      await this.send(request, group);
    }
    this.lines.delete(name);
  }

  private async send(request: WindowRequest, group: readonly Waiter[]): Promise<void> {
    try {
      const taken = await takeRequests(this.database, { ...request, wanted: group.length });
      for (const [index, waiter] of group.entries()) waiter.resolve(answerOf(taken, index));
    } catch (error) {
      for (const waiter of group) waiter.reject(error);
    }
  }
}

/** First come, first served; `remaining` counts down in that order. */
function answerOf({ admitted, remaining, waitMs }: TakenRequests, index: number): GateAnswer {
  if (index >= admitted) return { isAdmitted: false, remaining: 0, waitMs };
  return { isAdmitted: true, remaining: remaining + admitted - 1 - index, waitMs: 0 };
}
