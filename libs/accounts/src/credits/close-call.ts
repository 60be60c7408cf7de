import { charge } from './credit-ledger.js';
import type { Statement, Database } from '@app/database';
import { closingHold, type HoldEnd } from './close-hold.js';
import { drawsOnEnrich, HELD_CREDITS } from './credit-pools.js';
import { creditTerms, wholeCredits } from './credit-terms.js';
import { openCall, type CreditCall } from './open-call.js';

export interface ClosedCall {
  /** Charged now: 0 if an earlier try charged it. */
  readonly charged: number;
  /** Charged in total: now, or by an earlier try. */
  readonly spent: number;
  /** Credits that were held and went back now. */
  readonly returned: number;
  /** Prepaid credits left that the operation may draw on; null where nothing bounds the tenant. */
  readonly remaining: number | null;
}

/** Deletes the hold and inserts the ledger row atomically; a second caller finds no hold. */
const CLOSE: Statement = {
  name: 'close_credit_call',
  text: closingHold({
    now: '$5',
    isEnrich: '$6::boolean',
    before: `booked AS (
      INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, cost_micro_usd, from_hold, created_at)
      SELECT tenant_id, operation, id, id, least($3::int, ${HELD_CREDITS}), $4::bigint, true, clock.at
      FROM gone, clock WHERE $3::int > 0
      ON CONFLICT (reference, item) DO NOTHING RETURNING credits
    ),`,
    spent: 'SELECT credits FROM booked',
  }),
};

/**
 * Settles a call that {@link openCall} reserved: charges `credits`, at most the reserved amount,
 * and releases the rest; 0 releases all. One charge id is charged once, in any number of tries. If
 * the reservation had expired, the credits are reserved again; if the balance no longer covers
 * them, nothing is charged.
 */
export async function closeCall(
  database: Database,
  call: CreditCall & {
    readonly credits: number;
    /** Model cost in millionths of a dollar; recorded only together with credits. @default 0 */
    readonly costMicroUsd?: number;
  },
): Promise<ClosedCall> {
  const { tenant, operation, reference, costMicroUsd = 0, now = null } = call;
  const credits = wholeCredits(call.credits);
  if (creditTerms(tenant).monthlyCredits === null) {
    const booking = { tenantId: tenant.id, operation, reference, credits, costMicroUsd };
    const isNew = credits > 0 && (await charge(database, booking));
    return { charged: isNew ? credits : 0, spent: credits, returned: 0, remaining: null };
  }
  const values = [tenant.id, reference, credits, costMicroUsd, now, drawsOnEnrich(operation)];
  const end = await close(database, values);
  if (end.wasOpen || end.wasCharged || credits === 0) return toldBy(end);
  // Expired, or another try is settling it at this moment: then it is known as charged now.
  const again = await openCall(database, call);
  if (again.kind === 'refused')
    return { charged: 0, spent: 0, returned: 0, remaining: again.balance };
  return toldBy(await close(database, values));
}

function toldBy({ charged, chargedBefore, returned, remaining }: HoldEnd): ClosedCall {
  return { charged, spent: charged + chargedBefore, returned, remaining };
}

const OPEN_HOLDS: Statement = {
  name: 'count_credit_holds',
  text: 'SELECT count(*)::int AS holds FROM credit_holds',
};

/** Calls and jobs that hold credits just now. */
export async function countOpenHolds(database: Database): Promise<number> {
  const [row] = await database.query<{ holds: number }>(OPEN_HOLDS);
  return row?.holds ?? 0;
}

async function close(database: Database, values: readonly unknown[]): Promise<HoldEnd> {
  const [end] = await database.query<HoldEnd & Record<string, unknown>>(CLOSE, values);
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

export interface ExpiryRound {
  readonly limit: number;
  /** @default by the clock of the database */
  readonly now?: Date | null;
  /** Called with the credits of each reservation. @default none */
  readonly onReturned?: (credits: number) => void;
}

/**
 * Releases the reservations of calls whose process died: at most `limit`, one by one, in any number
 * of replicas. Returns how many.
 */
export async function releaseExpiredHolds(
  database: Database,
  { limit, now = null, onReturned }: ExpiryRound,
): Promise<number> {
  let released = 0;
  for (const { id, tenantId } of await database.query<{ id: string; tenantId: string }>(EXPIRED, [
    limit,
    now,
  ])) {
    const [end] = await database.query<HoldEnd & Record<string, unknown>>(EXPIRE, [
      tenantId,
      id,
      now,
    ]);
    if (!end?.wasOpen) continue;
    released++;
    onReturned?.(end.returned);
  }
  return released;
}
