import { ApiError, type LlmUsage } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { charge, type ChargedOperation, reserveCredits } from './reserve-credits.js';
import { settleCredits } from './settle-credits.js';
import { type Tenant } from '../tenants/tenants.js';

/** The ids of a call that is charged. */
export interface ChargeIds {
  /** Id of the charged work: the same for every try under one Idempotency-Key. */
  readonly chargeId: string;
  /**
   * Of this try alone, for its temporary objects in storage: an abandoned try may still be running.
   * Without an Idempotency-Key there is one try, and one id.
   */
  readonly requestId: string;
}

/** A charged call: the tenant, the operation and the ids. Each charge id is charged once. */
export interface ChargedCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly operation: ChargedOperation;
}

/** Result of charged work. */
export interface ChargedResult<T> {
  readonly value: T;
  /** Credits to charge; 0: it returned no data. */
  readonly credits: number;
  /** Our model cost for it, in millionths of a dollar. */
  readonly costMicroUsd: number;
  /** A model made its JSON or summary; always so of the operation `extract`. @default false */
  readonly isExtraction?: boolean;
}

/** Credits of a call, as shown in its answer. */
export interface CreditUse {
  /** The charge of the call, also when an earlier try paid it. */
  readonly credits: number;
  /**
   * Prepaid credits left that the operation may draw on; null where nothing bounds the tenant, or nothing was to
   * be charged.
   */
  readonly remaining: number | null;
}

export type Charged<T> = CreditUse & { readonly value: T };

/**
 * Reserves the maximum cost of a call before its work, then settles the credits and records the
 * model cost.
 */
export class CreditCharges {
  constructor(private readonly runtime: Pick<Runtime, 'database' | 'metrics' | 'log'>) {}

  /**
   * Runs work that costs `credits` when it returns data; 0: it is free. Work that throws costs
   * nothing, unless the error says that it is charged.
   * @throws ApiError before the work when the credits do not cover it or cannot be read, after it when the charge
   * cannot be confirmed; errors of `work`
   */
  async charged<T>(
    call: ChargedCall,
    credits: number,
    work: () => Promise<ChargedResult<T>>,
  ): Promise<Charged<T>> {
    if (credits === 0) return { value: (await work()).value, credits: 0, remaining: null };
    await this.reserve(call, credits);
    let done: ChargedResult<T>;
    try {
      done = await work();
    } catch (error) {
      const isCharged = error instanceof ApiError && error.isCharged;
      if (isCharged) await this.settle(call, { credits, costMicroUsd: 0 });
      else await this.release(call, error);
      throw error;
    }
    const { value, ...worth } = done;
    return { value, ...(await this.settle(call, worth)) };
  }

  /**
   * Reserves the maximum cost of a call. Reserved or charged before, it reserves nothing more.
   * @throws ApiError
   */
  async reserve({ tenant, operation, chargeId }: ChargedCall, credits: number): Promise<void> {
    const call = { tenant, operation, chargeId: chargeId, credits };
    const reservation = await reserveCredits(this.runtime.database, call).catch(
      (cause: unknown) => {
        this.runtime.metrics.creditsDenied.inc({ reason: 'unavailable' }, credits);
        throw new ApiError('credits_unavailable', {}, { cause });
      },
    );
    if (reservation.kind === 'refused') throw this.unpaid(reservation);
  }

  /** Releases the credits of a call. If that fails, they return when the reservation expires. */
  async release({ tenant, operation, chargeId }: ChargedCall, reason: unknown): Promise<void> {
    const { database, metrics, log } = this.runtime;
    try {
      const call = { tenant, operation, chargeId: chargeId, credits: 0 };
      const { returned } = await settleCredits(database, call);
      if (returned > 0) metrics.creditsRefunded.inc({ reason: reasonOf(reason) }, returned);
    } catch (err) {
      log.warn({ err, tenantId: tenant.id, operation }, 'credits of a call were not released');
    }
  }

  /**
   * Of calls that were charged one by one at the same time, once all of them have ended: each of them saw what the others
   * had reserved.
   */
  async sum(call: ChargedCall, used: readonly CreditUse[]): Promise<CreditUse> {
    const { database, log } = this.runtime;
    const credits = used.reduce((total, one) => total + one.credits, 0);
    try {
      // Nothing is reserved for the call itself, so this only reads.
      const { remaining } = await settleCredits(database, { ...call, credits: 0 });
      return { credits, remaining };
    } catch (err) {
      log.warn({ err, tenantId: call.tenant.id }, 'the credits left could not be read');
      return { credits, remaining: null };
    }
  }

  /** For a request that needs more than is left; counts it. */
  unpaid({ balance, required }: { readonly balance: number; readonly required: number }): ApiError {
    this.runtime.metrics.creditsDenied.inc({ reason: 'balance' }, required);
    const details = { balance, required };
    return new ApiError('payment_required', details, { body: details });
  }

  /** Records the model cost of a request that is not charged. */
  async recordCost(
    { tenantId, requestId }: { readonly tenantId: string; readonly requestId: string },
    operation: ChargedOperation,
    usage: LlmUsage | undefined,
  ): Promise<void> {
    await this.writeCost({
      tenantId,
      operation,
      requestId,
      costMicroUsd: usage?.costMicroUsd ?? 0,
    });
  }

  /** @throws ApiError credits_unsettled */
  private async settle(
    call: ChargedCall,
    worth: Omit<ChargedResult<never>, 'value'>,
  ): Promise<CreditUse> {
    const { tenant, operation, chargeId, requestId } = call;
    const { credits, costMicroUsd } = worth;
    const { database, metrics } = this.runtime;
    const settlement = { tenant, operation, chargeId, ...worth };
    try {
      // Again, if the confirmation of the first was lost: a charge id is charged once.
      const { charged, spent, returned, remaining } = await settleCredits(
        database,
        settlement,
      ).catch(() => settleCredits(database, settlement));
      if (charged > 0) metrics.creditsCharged.inc({ operation }, charged);
      if (returned > 0) metrics.creditsRefunded.inc({ reason: 'no_data' }, returned);
      // Recorded with the credits, or by itself.
      if (credits === 0 || spent === 0)
        await this.writeCost({ tenantId: tenant.id, operation, requestId, costMicroUsd });
      return { credits: spent, remaining };
    } catch (cause) {
      throw new ApiError('credits_unsettled', {}, { cause });
    }
  }

  /**
   * Records model cost that comes without a charge. Under the id of the try: each try has a cost,
   * and none may block the charge. A cost of 0 writes nothing.
   */
  private async writeCost({ requestId, ...cost }: LostCost): Promise<void> {
    if (cost.costMicroUsd === 0) return;
    await charge(this.runtime.database, { ...cost, chargeId: requestId, credits: 0 });
  }
}

interface LostCost {
  readonly tenantId: string;
  readonly operation: ChargedOperation;
  readonly requestId: string;
  readonly costMicroUsd: number;
}

function reasonOf(error: unknown): 'client_gone' | 'failed' {
  return error instanceof ApiError && error.code === 'client_gone' ? 'client_gone' : 'failed';
}
