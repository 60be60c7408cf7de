import { RESERVED_CREDITS, prepaidOf } from './credit-pools.js';
import { clockAt } from './credit-terms.js';

/** Which reservation to settle, and its cost. */
interface Settlement {
  /** Selects `credits`, at most one row. May refer to `gone`, the reservation that is being settled. */
  readonly spent: string;
  /** Further statements before `spent`. @default none */
  readonly before?: string;
  /** Beside tenant and charge id. @default true */
  readonly condition?: string;
  /** SQL of a boolean: `remaining` includes the enrich pool. @default false */
  readonly isEnrich?: string;
  readonly now: string;
}

/**
 * Settles reservation `$2` of tenant `$1`. Deleting its row is the right to do so: of concurrent
 * callers one gets it. Unused credits return to their accounts: accounts are spent in the order
 * they were drawn on, so the last one is refilled first. Credits of a past month return to that
 * month. The balance is locked only when credits return.
 */
export function settlementSql({
  spent,
  before = '',
  condition = 'true',
  isEnrich = 'false',
  now,
}: Settlement): string {
  return `
    WITH clock AS (${clockAt(now)}), gone AS (
      DELETE FROM credit_holds WHERE tenant_id = $1 AND id = $2 AND ${condition} RETURNING *
    ), ${before} spent AS MATERIALIZED (
      SELECT g.*, least(coalesce((${spent}), 0), ${RESERVED_CREDITS}) AS credits, from_enrich_grant + from_enrich_topup AS from_enrich
      FROM gone g
    ), back AS MATERIALIZED (
      SELECT id, tenant_id, period, greatest(from_enrich_grant - credits, 0) AS to_enrich_grant,
             from_enrich_topup - least(greatest(credits - from_enrich_grant, 0), from_enrich_topup) AS to_enrich_topup,
             from_grant - least(greatest(credits - from_enrich, 0), from_grant) AS to_grant,
             from_topup - least(greatest(credits - from_enrich - from_grant, 0), from_topup) AS to_topup,
             from_overage - greatest(credits - from_enrich - from_grant - from_topup, 0) AS to_overage
      FROM spent WHERE credits < ${RESERVED_CREDITS}
    ), returned AS (
      UPDATE credit_balances b
      SET enrich_grant_left = b.enrich_grant_left + CASE WHEN b.period = k.period THEN k.to_enrich_grant ELSE 0 END,
          enrich_topup_left = b.enrich_topup_left + k.to_enrich_topup,
          grant_left = b.grant_left + CASE WHEN b.period = k.period THEN k.to_grant ELSE 0 END,
          topup_left = b.topup_left + k.to_topup,
          overage_used = b.overage_used - CASE WHEN b.period = k.period THEN k.to_overage ELSE 0 END
      FROM back k WHERE b.tenant_id = k.tenant_id
      RETURNING b.period, ${prepaidOf('b', isEnrich)} AS remaining
    ), expired AS (
      UPDATE credit_periods p SET enrich_grant_left = p.enrich_grant_left + k.to_enrich_grant,
             grant_left = p.grant_left + k.to_grant, overage_used = p.overage_used - k.to_overage
      FROM back k, returned r
      WHERE p.tenant_id = k.tenant_id AND p.period = k.period AND r.period > k.period
    ), moved AS (
      INSERT INTO credit_transfers (tenant_id, period, pool, from_account, to_account, credits, reference, created_at)
      SELECT k.tenant_id, k.period, part.pool, 'held', part.account, part.credits, k.id, clock.at
      FROM back k, clock, LATERAL (VALUES
        ('enrich', 'grant', k.to_enrich_grant), ('enrich', 'topup', k.to_enrich_topup),
        ('scrape', 'grant', k.to_grant), ('scrape', 'topup', k.to_topup),
        ('scrape', 'overage', k.to_overage)) part (pool, account, credits)
      WHERE part.credits > 0
    )
    SELECT EXISTS (SELECT FROM gone) AS "wasReserved", coalesce((SELECT credits FROM spent), 0)::float8 AS charged,
           EXISTS (SELECT FROM credit_ledger WHERE reference = $2 AND item = $2) AS "wasCharged",
           coalesce((SELECT credits FROM credit_ledger WHERE reference = $2 AND item = $2), 0)::float8 AS "chargedBefore",
           coalesce((SELECT to_enrich_grant + to_enrich_topup + to_grant + to_topup + to_overage FROM back), 0)::float8 AS returned,
           coalesce((SELECT remaining FROM returned),
                    (SELECT ${prepaidOf('b', isEnrich)} FROM credit_balances b WHERE b.tenant_id = $1),
                    0)::float8 AS remaining`;
}

/** Row of {@link settlementSql}. */
export interface SettlementRow {
  /** False: settled before, expired, or never reserved. */
  readonly wasReserved: boolean;
  readonly charged: number;
  /** An earlier statement charged this id. */
  readonly wasCharged: boolean;
  /** With so many credits. */
  readonly chargedBefore: number;
  /** Of the reserved credits. */
  readonly returned: number;
  /** Prepaid credits left that the operation may draw on. */
  readonly remaining: number;
}
