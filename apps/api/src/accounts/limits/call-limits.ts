import { PLAN_LIMITS, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { RateGate, type Tenant, LiveSlots, type Release, countedIn, windowOf } from '@app/accounts';
import { limitsUnreadable, rateLimited } from './limit-rate.js';

/** Calls end all the time, so a client that retries soon waits only briefly. */
const RETRY_AFTER_SECONDS = 1;

/** All calls that take a slot count in one window. */
const CALLS = windowOf(false);

/**
 * Bounds the calls of a tenant that run at a time, in all replicas together (specification: Limits,
 * Plans). One instance per process.
 */
export class CallLimits {
  private readonly gate: RateGate;
  private readonly slots: LiveSlots;

  constructor({ database, log }: Pick<Runtime, 'database' | 'log'>) {
    this.gate = new RateGate(database);
    this.slots = new LiveSlots(database, log);
  }

  /**
   * Counts a call without a key in the window of its tenant and takes a slot for it, as the server hooks do
   * for a call with a key.
   * @returns releases the slot when the call is answered; null if the call needs none
   * @throws ApiError if the window or all slots are taken, or cannot be read
   */
  async begin(tenant: Tenant): Promise<Release | null> {
    const counted = countedIn(CALLS, tenant);
    const request = { tenantId: tenant.id, ...counted };
    const { isAdmitted } = await this.gate.pass(request).catch(limitsUnreadable);
    if (!isAdmitted) throw rateLimited(tenant.plan, counted.limit);
    return this.takeSlot(tenant);
  }

  /**
   * Takes a slot for a call that was counted already. Null, without a query, if neither the plan nor an
   * agreement sets a limit.
   * @param onUncounted called when a refused call does not count in its window any more
   * @throws ApiError
   */
  async takeSlot(tenant: Tenant, onUncounted?: () => void): Promise<Release | null> {
    const { id, plan, agreed } = tenant;
    const limit = agreed.concurrentRequests ?? PLAN_LIMITS[plan].concurrentRequests;
    if (limit === null) return null;
    const release = await this.slots.take(id, limit).catch(limitsUnreadable);
    if (release) return release;
    if (await this.uncount(tenant).catch(limitsUnreadable)) onUncounted?.();
    const details = { limit, tier: plan, retryAfterSeconds: RETRY_AFTER_SECONDS };
    throw new ApiError('too_many_requests', details, { body: details });
  }

  /** Refused calls do not count, as many of them as the window takes; a flood of them does. */
  private async uncount(tenant: Tenant): Promise<boolean> {
    const { window, limit } = countedIn(CALLS, tenant);
    const refused = { tenantId: tenant.id, window: 'refused', limit } as const;
    const { isAdmitted } = await this.gate.pass(refused);
    if (isAdmitted) await this.gate.uncount({ tenantId: tenant.id, window });
    return isAdmitted;
  }

  close(): void {
    this.slots.stop();
  }
}
