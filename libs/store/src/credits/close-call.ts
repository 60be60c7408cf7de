import { charge } from '../ledger.js';
import type { Statement, Store } from '../open-store.js';
import { closingHold, type HoldEnd } from './close-hold.js';
import { creditTerms, wholeCredits } from './credit-terms.js';
import { openCall, type CreditCall } from './open-call.js';

export interface ClosedCall {
  /** What was charged now: 0 also for what an earlier try was charged. */
  readonly charged: number;
  /** Prepaid credits left; null where nothing bounds the tenant. */
  readonly remaining: number | null;
}

/** The hold and the row of spending change together or not at all; who comes second finds no hold. */
const CLOSE: Statement = {
  name: 'close_credit_call',
  text: closingHold({
    now: '$5',
    before: `booked AS (
      INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, cost_micro_usd, from_hold, created_at)
      SELECT tenant_id, operation, id, id, least($3::int, from_grant + from_topup + from_overage), $4::bigint, true, clock.at
      FROM gone, clock WHERE $3::int > 0
      ON CONFLICT (reference, item) DO NOTHING RETURNING credits
    ),`,
    spent: 'SELECT credits FROM booked',
  }),
};

/**
 * Settles a call that {@link openCall} opened: charges `credits`, no more than were held, and gives the
 * rest back; 0 gives all back. The same reference is charged once, however often and by whomever it is
 * settled. One whose hold had expired is held anew; when the balance does not cover it any more the work
 * was for nothing, and nothing is charged.
 */
export async function closeCall(
  store: Store,
  call: CreditCall & {
    readonly credits: number;
    /** What models cost, in millionths of a dollar; booked with the credits only. @default 0 */
    readonly costMicroUsd?: number;
  },
): Promise<ClosedCall> {
  const { tenant, operation, reference, costMicroUsd = 0, now = null } = call;
  const credits = wholeCredits(call.credits);
  if (creditTerms(tenant).monthlyCredits === null) {
    const booking = { tenantId: tenant.id, operation, reference, credits, costMicroUsd };
    const isNew = credits > 0 && (await charge(store, booking));
    return { charged: isNew ? credits : 0, remaining: null };
  }
  const values = [tenant.id, reference, credits, costMicroUsd, now];
  const end = await close(store, values);
  if (end.wasOpen || end.wasCharged || credits === 0) return end;
  // Expired, or another try is settling it at this moment: then it is known as charged now.
  const again = await openCall(store, call);
  return again.kind === 'refused' ? { charged: 0, remaining: again.balance } : close(store, values);
}

async function close(store: Store, values: readonly unknown[]): Promise<HoldEnd> {
  const [end] = await store.query<HoldEnd & Record<string, unknown>>(CLOSE, values);
  if (!end) throw new Error('the end of a call answers nothing');
  return end;
}

const EXPIRED: Statement = {
  name: 'expired_credit_holds',
  text: `SELECT id, tenant_id AS "tenantId" FROM credit_holds
         WHERE expires_at <= coalesce($2::timestamptz, now()) ORDER BY expires_at LIMIT $1`,
};
const EXPIRE: Statement = {
  name: 'expire_credit_hold',
  text: closingHold({
    now: '$3',
    condition: 'expires_at <= (SELECT at FROM clock)',
    spent: 'NULL::int',
  }),
};

/**
 * Gives back what is held for calls whose process died: at most `limit` holds, one by one, in any number
 * of replicas. Returns how many.
 */
export async function releaseExpiredHolds(
  store: Store,
  { limit, now = null }: { readonly limit: number; readonly now?: Date | null },
): Promise<number> {
  let released = 0;
  for (const { id, tenantId } of await store.query<{ id: string; tenantId: string }>(EXPIRED, [
    limit,
    now,
  ])) {
    const [end] = await store.query<HoldEnd & Record<string, unknown>>(EXPIRE, [tenantId, id, now]);
    if (end?.wasOpen) released++;
  }
  return released;
}
