import { PLAN_LIMITS, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  RateGate,
  type Tenant,
  LiveSlots,
  type Release,
  countedIn,
  type Counted,
} from '@app/accounts';
import { limitsUnreadable, rateLimited } from './limit-rate.js';

/** Somebody's call ends at any moment: a client that asks again soon waits for little. */
const RETRY_AFTER_SECONDS = 1;

/**
 * How many calls of a tenant are answered at a time, in all replicas together (specification: Limits,
 * Plans). One for the process.
 */
export class CallLimits {
  private readonly gate: RateGate;
  private readonly slots: LiveSlots;

  constructor({ store, log }: Pick<Runtime, 'store' | 'log'>) {
    this.gate = new RateGate(store);
    this.slots = new LiveSlots(store, log);
  }

  /**
   * Counts a call that came without a key in the window of its tenant, and takes a slot for it: what
   * the hooks of the server do for one with a key.
   * @returns what gives the slot back when the call is answered; null when it needs none
   * @throws Refusal when the window or all slots are taken, or cannot be read
   */
  async begin(tenant: Tenant, call: Counted): Promise<Release | null> {
    const counted = countedIn(call, tenant);
    const asked = { tenantId: tenant.id, ...counted };
    const { isAdmitted } = await this.gate.pass(asked).catch(limitsUnreadable);
    if (!isAdmitted) throw rateLimited(tenant.plan, counted.limit);
    return this.hold(tenant);
  }

  /**
   * Takes a slot for a call that is counted already. Null, and nothing is asked, where the plan sets no bound
   * and nothing was agreed.
   * @throws Refusal
   */
  async hold({ id, plan, agreed }: Tenant): Promise<Release | null> {
    const limit = agreed.concurrentRequests ?? PLAN_LIMITS[plan].concurrentRequests;
    if (limit === null) return null;
    const release = await this.slots.take(id, limit).catch(limitsUnreadable);
    if (release) return release;
    const details = { limit, tier: plan, retryAfterSeconds: RETRY_AFTER_SECONDS };
    throw new ApiError('too_many_requests', details, { body: details });
  }

  close(): void {
    this.slots.stop();
  }
}
