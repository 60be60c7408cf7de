import { charge, chargesSql, reserveCredits, type CallCredits } from './reserve-credits.js';
import type { Statement, Database } from '@app/database';
import { settlementSql, type SettlementRow } from './settlement-sql.js';
import { drawsOnEnrich, RESERVED_CREDITS } from './credit-pools.js';
import { creditTerms, wholeCredits } from './credit-terms.js';

export interface CallSettlement {
  /** Charged now: 0 if an earlier try charged it. */
  readonly charged: number;
  /** Charged in total: now, or by an earlier try. */
  readonly spent: number;
  /** Reserved credits that were released now. */
  readonly returned: number;
  /** Prepaid credits left that the operation may draw on; null where nothing bounds the tenant. */
  readonly remaining: number | null;
}

/** Deletes the reservation and inserts the credit ledger row atomically; a second caller finds no reservation. */
const SETTLE: Statement = {
  name: 'close_credit_call',
  text: settlementSql({
    now: '$5',
    isEnrich: '$6::boolean',
    before: `charged AS (
      ${chargesSql(
        `SELECT tenant_id, operation, id, id, least($3::int, ${RESERVED_CREDITS}), $4::bigint, true, $7::boolean, clock.at
         FROM gone, clock WHERE $3::int > 0`,
        'is_extraction',
        'created_at',
      )}
      ON CONFLICT (reference, item) DO NOTHING RETURNING credits
    ),`,
    spent: 'SELECT credits FROM charged',
  }),
};

/**
 * Settles a call that {@link reserveCredits} reserved: charges `credits`, at most the reserved amount,
 * and releases the rest; 0 releases all. One charge id is charged once, in any number of tries. If
 * the reservation had expired, the credits are reserved again; if the balance no longer covers
 * them, nothing is charged.
 */
export async function settleCredits(
  database: Database,
  call: CallCredits & {
    readonly credits: number;
    /** Model cost in millionths of a dollar; recorded only together with credits. @default 0 */
    readonly costMicroUsd?: number;
    /** A model made its JSON or summary. @default false */
    readonly isExtraction?: boolean;
  },
): Promise<CallSettlement> {
  const { tenant, operation, chargeId, costMicroUsd = 0, isExtraction = false, now = null } = call;
  const credits = wholeCredits(call.credits);
  if (creditTerms(tenant).monthlyCredits === null) {
    const entry = { tenantId: tenant.id, operation, chargeId, credits, costMicroUsd, isExtraction };
    const isNew = credits > 0 && (await charge(database, entry));
    return { charged: isNew ? credits : 0, spent: credits, returned: 0, remaining: null };
  }
  const isEnrich = drawsOnEnrich(operation);
  const values = [tenant.id, chargeId, credits, costMicroUsd, now, isEnrich, isExtraction];
  const end = await settle(database, values);
  if (end.wasReserved || end.wasCharged || credits === 0) return settlementOf(end);
  // Expired, or another try is settling it at this moment: then it is known as charged now.
  const again = await reserveCredits(database, call);
  if (again.kind === 'refused')
    return { charged: 0, spent: 0, returned: 0, remaining: again.balance };
  return settlementOf(await settle(database, values));
}

function settlementOf({
  charged,
  chargedBefore,
  returned,
  remaining,
}: SettlementRow): CallSettlement {
  return { charged, spent: charged + chargedBefore, returned, remaining };
}

const RESERVATIONS: Statement = {
  name: 'count_credit_holds',
  text: 'SELECT count(*)::int AS holds FROM credit_holds',
};

/** Calls and jobs with reserved credits just now. */
export async function countReservations(database: Database): Promise<number> {
  const [row] = await database.query<{ holds: number }>(RESERVATIONS);
  return row?.holds ?? 0;
}

async function settle(database: Database, values: readonly unknown[]): Promise<SettlementRow> {
  const [end] = await database.query<SettlementRow & Record<string, unknown>>(SETTLE, values);
  if (!end) throw new Error('the settlement of a call returned no row');
  return end;
}

const EXPIRED: Statement = {
  name: 'expired_credit_holds',
  text: `SELECT id, tenant_id AS "tenantId" FROM credit_holds
         WHERE expires_at <= coalesce($2::timestamptz, now()) ORDER BY expires_at LIMIT $1`,
};
const EXPIRE: Statement = {
  name: 'expire_credit_hold',
  text: settlementSql({
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
export async function releaseExpiredReservations(
  database: Database,
  { limit, now = null, onReturned }: ExpiryRound,
): Promise<number> {
  let released = 0;
  for (const { id, tenantId } of await database.query<{ id: string; tenantId: string }>(EXPIRED, [
    limit,
    now,
  ])) {
    const [end] = await database.query<SettlementRow & Record<string, unknown>>(EXPIRE, [
      tenantId,
      id,
      now,
    ]);
    if (!end?.wasReserved) continue;
    released++;
    onReturned?.(end.returned);
  }
  return released;
}
