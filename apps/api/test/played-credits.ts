/** One row of the credit ledger, or one that was to be written a second time. */
export interface Booked {
  readonly tenantId: unknown;
  readonly operation: unknown;
  readonly reference: unknown;
  readonly credits: unknown;
  readonly costMicroUsd: unknown;
}

const ENOUGH = 1_000_000;

interface Hold {
  readonly operation: unknown;
  readonly credits: number;
}

/** Fakes the database's credit statements for one tenant. */
export class PlayedCredits {
  readonly booked: Booked[] = [];
  /** By charge id. */
  readonly holds = new Map<unknown, Hold>();
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
        return [this.open(values)];
      case 'close_credit_call':
        return [this.close(values)];
      default:
        return undefined;
    }
  }

  private charge([tenantId, operation, reference, credits, costMicroUsd]: readonly unknown[]) {
    const isNew = !this.charged.has(reference);
    if (isNew) this.charged.set(reference, Number(credits));
    this.booked.push({ tenantId, operation, reference, credits, costMicroUsd });
    return isNew ? [{}] : [];
  }

  private open([, reference, operation, wanted, mayOverrun]: readonly unknown[]) {
    if (this.prepaid === 'lost') throw new Error('the database is gone');
    const credits = Number(wanted);
    this.operations.set(reference, operation);
    if (this.holds.has(reference)) return { kind: 'known', credits, remaining: this.left };
    if (this.charged.has(reference)) return { kind: 'charged', credits: 0, remaining: this.left };
    if (credits > this.left && mayOverrun !== true)
      return { kind: 'refused', credits: 0, remaining: this.left };
    this.left = Math.max(0, this.left - credits);
    this.holds.set(reference, { operation, credits });
    return { kind: 'taken', credits, remaining: this.left };
  }

  private close([tenantId, reference, wanted, costMicroUsd]: readonly unknown[]) {
    const credits = Number(wanted);
    const hold = this.holds.get(reference);
    const wasCharged = this.charged.has(reference);
    const chargedBefore = this.charged.get(reference) ?? 0;
    this.holds.delete(reference);
    const charged = hold && !wasCharged ? Math.min(credits, hold.credits) : 0;
    const returned = (hold?.credits ?? 0) - charged;
    this.left += returned;
    if (charged > 0) this.charged.set(reference, charged);
    const operation = this.operations.get(reference);
    if (credits > 0) this.booked.push({ tenantId, operation, reference, credits, costMicroUsd });
    const wasOpen = hold !== undefined;
    return { wasOpen, charged, wasCharged, chargedBefore, returned, remaining: this.left };
  }
}
