import { lookupPart } from '../keys/api-key.js';
import type { Database } from '@app/database';
import type { Tenant } from '../tenants/tenants.js';
import { admitRequests, type AdmittedRequests, type KeyRequests } from './admit-requests.js';

/** One request with a key. */
export type KeyRequest = Omit<KeyRequests, 'wanted'>;

export interface RequestAdmission {
  readonly tenant: Tenant;
  /** Requests within a minute that the window takes. */
  readonly limit: number;
  readonly isAdmitted: boolean;
  readonly remaining: number;
}

/**
 * Concurrent statements of one process. One would be enough for the load; with several, a tenant
 * with a slow window does not delay the others.
 */
const MAX_STATEMENTS = 4;
/** Keys in one statement: their windows are locked until its end. */
const MAX_KEYS = 64;

interface Waiter {
  readonly resolve: (admission: RequestAdmission | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests of one key and one window. */
interface PendingRequests {
  readonly name: string;
  readonly request: KeyRequest;
  readonly waiters: Waiter[];
}

/**
 * One process's access to keys and windows. Requests that arrive in one turn of the event loop, or
 * while all statements are busy, are batched: a busy process sends a few large statements instead
 * of many small ones, and an idle one sends at once. One key and window has one statement in
 * flight, so a flood of one tenant uses one connection and one lock.
 */
export class AdmissionGate {
  private readonly waiting = new Map<string, PendingRequests>();
  private readonly underWay = new Set<string>();
  private statements = 0;
  private isDue = false;

  constructor(private readonly database: Database) {}

  /**
   * Counts one request, or refuses it; null when its key is unknown, revoked or at its end. The query is sent
   * after its request came, never before. @throws as `admitRequests`
   */
  pass(request: KeyRequest): Promise<RequestAdmission | null> {
    if (lookupPart(request.key) === null) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.pendingOf(request).waiters.push({ resolve, reject });
      this.sendSoon();
    });
  }

  private pendingOf(request: KeyRequest): PendingRequests {
    const name = `${request.window} ${request.leastLimit} ${request.key}`;
    const known = this.waiting.get(name);
    if (known) return known;
    const pending: PendingRequests = { name, request, waiters: [] };
    this.waiting.set(name, pending);
    return pending;
  }

  /** When all that has arrived is read. */
  private sendSoon(): void {
    if (this.isDue || this.waiting.size === 0 || this.statements >= MAX_STATEMENTS) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      this.send();
    });
  }

  private send(): void {
    while (this.statements < MAX_STATEMENTS) {
      const batch = this.next();
      if (batch.length === 0) return;
      void this.admit(batch);
    }
  }

  /** Sends what can be sent now, first come, first served. */
  private next(): readonly PendingRequests[] {
    const batch: PendingRequests[] = [];
    for (const pending of this.waiting.values()) {
      if (batch.length === MAX_KEYS) break;
      if (this.underWay.has(pending.name)) continue;
      this.waiting.delete(pending.name);
      this.underWay.add(pending.name);
      batch.push(pending);
    }
    return batch;
  }

  /** Never rejects: the waiting callers get the error. */
  private async admit(batch: readonly PendingRequests[]): Promise<void> {
    this.statements++;
    try {
      const answers = await admitRequests(this.database, batch.map(asKeyRequests));
      for (const [at, { waiters }] of batch.entries()) resolveAll(waiters, answers[at] ?? null);
    } catch (error) {
      for (const { waiters } of batch) for (const waiter of waiters) waiter.reject(error);
    } finally {
      this.statements--;
      for (const { name } of batch) this.underWay.delete(name);
      this.sendSoon();
    }
  }
}

function asKeyRequests({ request, waiters }: PendingRequests): KeyRequests {
  return { ...request, wanted: waiters.length };
}

/** First come, first served; `remaining` counts down in that order. */
function resolveAll(waiters: readonly Waiter[], answer: AdmittedRequests | null): void {
  for (const [index, waiter] of waiters.entries())
    waiter.resolve(answer && admissionOf(answer, index));
}

function admissionOf(
  { tenant, limit, admitted, remaining }: AdmittedRequests,
  index: number,
): RequestAdmission {
  if (index >= admitted) return { tenant, limit, isAdmitted: false, remaining: 0 };
  return { tenant, limit, isAdmitted: true, remaining: remaining + admitted - 1 - index };
}
