/** One row of the credit ledger, or one that was to be written a second time. */
export interface RecordedCharge {
  readonly tenantId: unknown;
  readonly operation: unknown;
  readonly chargeId: unknown;
  readonly credits: unknown;
  readonly costMicroUsd: unknown;
}

const ENOUGH = 1_000_000;

interface Reservation {
  readonly operation: unknown;
  readonly credits: number;
}

/** Fakes the database's credit statements for one tenant. */
export class FakeCredits {
  readonly recorded: RecordedCharge[] = [];
  /** By charge id. */
  readonly reservations = new Map<unknown, Reservation>();
  /** How the next settlements fail, one by one: not executed, or executed without an answer. */
  readonly lost: ('statement' | 'answer')[] = [];
  /** Operation of every charge id that was reserved. */
  private readonly operations = new Map<unknown, unknown>();
  private readonly charged = new Map<unknown, number>();
  private left: number;

  constructor(private readonly prepaid: number | 'lost' = ENOUGH) {
    this.left = prepaid === 'lost' ? 0 : prepaid;
  }

  /** Prepaid credits that are neither reserved nor spent. */
  get remaining(): number {
    return this.left;
  }

  /** Undefined for other statements. */
  answer(name: string, values: readonly unknown[]): unknown[] | undefined {
    switch (name) {
      case 'is_charged':
        return this.charged.has(values[0]) ? [{}] : [];
      case 'charge':
        return this.charge(values);
      case 'open_credit_hold':
        return [this.reserve(values)];
      case 'close_credit_call':
        return [this.settleOrLose(values)];
      default:
        return undefined;
    }
  }

  private charge([tenantId, operation, chargeId, credits, costMicroUsd]: readonly unknown[]) {
    const isNew = !this.charged.has(chargeId);
    if (isNew) this.charged.set(chargeId, Number(credits));
    this.recorded.push({ tenantId, operation, chargeId, credits, costMicroUsd });
    return isNew ? [{}] : [];
  }

  private reserve([, chargeId, operation, wanted, mayOverrun]: readonly unknown[]) {
    if (this.prepaid === 'lost') throw new Error('the database is gone');
    const credits = Number(wanted);
    this.operations.set(chargeId, operation);
    if (this.reservations.has(chargeId)) return { kind: 'known', credits, remaining: this.left };
    if (this.charged.has(chargeId)) return { kind: 'charged', credits: 0, remaining: this.left };
    if (credits > this.left && mayOverrun !== true)
      return { kind: 'refused', credits: 0, remaining: this.left };
    this.left = Math.max(0, this.left - credits);
    this.reservations.set(chargeId, { operation, credits });
    return { kind: 'taken', credits, remaining: this.left };
  }

  private settleOrLose(values: readonly unknown[]) {
    const lost = this.lost.shift();
    const settled = lost === 'statement' ? undefined : this.settle(values);
    if (lost !== undefined) throw new Error('the database is gone');
    return settled;
  }

  private settle([tenantId, chargeId, wanted, costMicroUsd]: readonly unknown[]) {
    const credits = Number(wanted);
    const reservation = this.reservations.get(chargeId);
    const wasCharged = this.charged.has(chargeId);
    const chargedBefore = this.charged.get(chargeId) ?? 0;
    this.reservations.delete(chargeId);
    const charged = reservation && !wasCharged ? Math.min(credits, reservation.credits) : 0;
    const returned = (reservation?.credits ?? 0) - charged;
    this.left += returned;
    if (charged > 0) this.charged.set(chargeId, charged);
    const operation = this.operations.get(chargeId);
    if (credits > 0) this.recorded.push({ tenantId, operation, chargeId, credits, costMicroUsd });
    const wasReserved = reservation !== undefined;
    return { wasReserved, charged, wasCharged, chargedBefore, returned, remaining: this.left };
  }
}
