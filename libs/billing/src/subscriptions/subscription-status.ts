import type { Plan } from '@app/contracts';
import type { CreditPayment } from '@app/accounts';

/** The tenant of the customer; null: unknown here. */
export interface BegunRead {
  readonly tenantId: string;
  readonly provider: string;
  readonly customerId: string;
  /** Counts the readings of the account. */
  readonly readNo: number;
  /**
   * Events received until then are covered by this reading. By the database's clock, to the
   * microsecond.
   */
  readonly beganAt: string;
}

/** A customer's subscriptions as read. */
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

/** The change made by a reading. `stale`: a later reading is stored already and covers this one. */
export type AppliedSubscription =
  | { readonly kind: 'stale' }
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly from: Plan; readonly to: Plan };
