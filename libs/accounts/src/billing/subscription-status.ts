import type { Plan } from '@app/contracts';
import type { CreditPayment } from '../credits/set-plan.js';

/** Whose customer it is; null: nobody's here. */
export interface BegunRead {
  readonly tenantId: string;
  readonly provider: string;
  readonly customerId: string;
  /** Counts the readings of the account. */
  readonly readNo: number;
  /** Events told until then are known to this reading. By the database's clock, to the microsecond. */
  readonly beganAt: string;
}

/** What a customer pays for, as it was read. */
export interface SubscriptionStatus {
  /** The plan it entitles to; `free` when nothing is paid. */
  readonly plan: Plan;
  readonly subscriptionId: string | null;
  readonly subscriptionState: string | null;
  /** Whether the grant of a month and overage may be had, see CreditPayment. */
  readonly payment: CreditPayment;
  readonly periodEnd: Date | null;
  readonly endsAt: Date | null;
}

/** What a reading changed. `stale`: one that was begun later is written already, which knows all this one does. */
export type AppliedSubscription =
  | { readonly kind: 'stale' }
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly from: Plan; readonly to: Plan };
