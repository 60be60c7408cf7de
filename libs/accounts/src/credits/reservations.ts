import type { CreditOperation } from './credit-costs.js';
import type { Queryable, Statement, Row } from '@app/database';
import { drawsOnEnrich, RESERVED_CREDITS, prepaidOf } from './credit-pools.js';
import { queryIn, clockAt, type RunStatement, type CreditTerms } from './credit-terms.js';
import { turnPeriod } from './turn-period.js';

export interface NewReservation {
  readonly tenantId: string;
  /** Unique per charged work: one id is reserved once. */
  readonly chargeId: string;
  readonly operation: CreditOperation;
  /** At least 1. */
  readonly credits: number;
  readonly terms: CreditTerms;
  /** Takes all that is left when that is less. */
  readonly isClamped: boolean;
  /** Null: it never expires. */
  readonly lifeMs: number | null;
  readonly now: Date | null;
}

/** Outcome of a reservation, and the credits left. */
export interface ReservedCredits {
  readonly kind:
    | 'taken'
    /** It is reserved already, or was charged: nothing more is taken. */
    | 'known'
    | 'charged'
    | 'refused';
  /** Reserved under the charge id. */
  readonly credits: number;
  /** Prepaid credits left that the operation may draw on. */
  readonly remaining: number;
}

/**
 * Takes credits and reserves them. An operation of the enrich pool ($9) draws on that pool's grant
 * of the month and its top-ups first; the rest, and every other operation, draws on the scrape
 * pool: its grant of the month, its top-ups, then overage. Locks are taken in the order
 * reservation, balance, here and in every statement that takes both. Figures computed from the locked balance
 * are exact, because the lock returns the row as others left it.
 */
const RESERVE: Statement = {
  name: 'open_credit_hold',
  text: `
    WITH clock AS (${clockAt('$6')}), known AS MATERIALIZED (
      SELECT ${RESERVED_CREDITS} AS credits FROM credit_holds
      WHERE id = $2 AND tenant_id = $1 FOR UPDATE
    ), charged AS MATERIALIZED (
      SELECT FROM credit_ledger WHERE reference = $2 AND item = $2
    ), balance AS MATERIALIZED (
      SELECT period, grant_left, topup_left, CASE WHEN $9 THEN enrich_grant_left ELSE 0 END AS enrich_grant_left,
             CASE WHEN $9 THEN enrich_topup_left ELSE 0 END AS enrich_topup_left,
             $5 AND payment = 'confirmed' AS may_overrun
      FROM credit_balances
      WHERE tenant_id = $1 AND period >= (SELECT period FROM clock)
        AND NOT EXISTS (SELECT FROM known) AND NOT EXISTS (SELECT FROM charged)
      FOR NO KEY UPDATE
    ), prepaid AS (
      SELECT *, enrich_grant_left + enrich_topup_left AS enrich_left, ${prepaidOf('balance', '$9')} AS total
      FROM balance
    ), wanted AS (
      SELECT *, CASE WHEN $8 AND NOT may_overrun THEN least($4::bigint, total) ELSE $4::bigint END AS credits
      FROM prepaid
    ), split AS MATERIALIZED (
      SELECT period, credits, least(credits, enrich_grant_left) AS from_enrich_grant,
             least(greatest(credits - enrich_grant_left, 0), enrich_topup_left) AS from_enrich_topup,
             least(greatest(credits - enrich_left, 0), grant_left) AS from_grant,
             least(greatest(credits - enrich_left - grant_left, 0), topup_left) AS from_topup,
             greatest(credits - total, 0) AS from_overage
      FROM wanted WHERE credits > 0 AND (may_overrun OR credits <= total)
    ), taken AS (
      UPDATE credit_balances b SET enrich_grant_left = b.enrich_grant_left - s.from_enrich_grant,
             enrich_topup_left = b.enrich_topup_left - s.from_enrich_topup,
             grant_left = b.grant_left - s.from_grant, topup_left = b.topup_left - s.from_topup,
             overage_used = b.overage_used + s.from_overage
      FROM split s WHERE b.tenant_id = $1
      RETURNING ${prepaidOf('b', '$9')} AS remaining
    ), hold AS (
      INSERT INTO credit_holds (id, tenant_id, operation, period, from_enrich_grant, from_enrich_topup,
                                from_grant, from_topup, from_overage, opened_at, expires_at)
      SELECT $2, $1, $3, s.period, s.from_enrich_grant, s.from_enrich_topup, s.from_grant, s.from_topup,
             s.from_overage, clock.at, clock.at + $7::bigint * interval '1 millisecond'
      FROM split s, clock
    ), moved AS (
      INSERT INTO credit_transfers (tenant_id, period, pool, from_account, to_account, credits, reference, created_at)
      SELECT $1, s.period, part.pool, part.account, 'held', part.credits, $2, clock.at
      FROM split s, clock, LATERAL (VALUES
        ('enrich', 'grant', s.from_enrich_grant), ('enrich', 'topup', s.from_enrich_topup),
        ('scrape', 'grant', s.from_grant), ('scrape', 'topup', s.from_topup),
        ('scrape', 'overage', s.from_overage)) part (pool, account, credits)
      WHERE part.credits > 0
    )
    SELECT CASE WHEN EXISTS (SELECT FROM split) THEN 'taken' WHEN EXISTS (SELECT FROM known) THEN 'known'
                WHEN EXISTS (SELECT FROM charged) THEN 'charged'
                WHEN EXISTS (SELECT FROM balance) THEN 'refused' ELSE 'behind' END AS kind,
           coalesce((SELECT credits FROM split), (SELECT credits FROM known), 0)::float8 AS credits,
           coalesce((SELECT remaining FROM taken), (SELECT total FROM prepaid),
                    (SELECT ${prepaidOf('b', '$9')} FROM credit_balances b WHERE b.tenant_id = $1),
                    0)::float8 AS remaining`,
};

type ReserveRow = Omit<ReservedCredits, 'kind'> & {
  readonly kind: ReservedCredits['kind'] | 'behind';
};

/** One statement; null when the balance is not in this month yet: {@link turnPeriod} brings it there. */
export async function tryReserve(
  query: RunStatement,
  reservation: NewReservation,
): Promise<ReservedCredits | null> {
  const { tenantId, chargeId, operation, credits, terms, isClamped, lifeMs, now } = reservation;
  const [row] = await query<ReserveRow & Row>(RESERVE, [
    tenantId,
    chargeId,
    operation,
    credits,
    terms.mayOverrun,
    now,
    lifeMs,
    isClamped,
    drawsOnEnrich(operation),
  ]);
  if (!row) throw new Error('a reservation was neither made nor refused');
  const { kind } = row;
  return kind === 'behind' ? null : { kind, credits: row.credits, remaining: row.remaining };
}

/** {@link tryReserve} within a transaction, the month turned where that is due. */
export async function reserveIn(
  tx: Queryable,
  reservation: NewReservation,
): Promise<ReservedCredits> {
  const query = queryIn(tx);
  const reserved = await tryReserve(query, reservation);
  if (reserved) return reserved;
  await turnPeriod(tx, reservation.tenantId, reservation.terms, reservation.now);
  const again = await tryReserve(query, reservation);
  if (!again) throw new Error('the balance of the new month is missing');
  return again;
}
