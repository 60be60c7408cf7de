import { clockAt } from './credit-terms.js';

/** What to close, and what of it was spent. */
interface Closing {
  /** Selects `credits`, at most one row. May refer to `gone`, the hold that is being closed. */
  readonly spent: string;
  /** Further statements before `spent`. @default none */
  readonly before?: string;
  /** Beside tenant and reference. @default true */
  readonly condition?: string;
  readonly now: string;
}

/**
 * Closes hold `$2` of tenant `$1`. To delete its row is the right to do so: of many who try one gets it.
 * What was not spent goes back to where it came from: of grant, top-up and overage, in the order they were
 * taken, the last first. What came from a month that is over goes back into that month. The balance is
 * locked only when something goes back.
 */
export function closingHold({ spent, before = '', condition = 'true', now }: Closing): string {
  return `
    WITH clock AS (${clockAt(now)}), gone AS (
      DELETE FROM credit_holds WHERE tenant_id = $1 AND id = $2 AND ${condition} RETURNING *
    ), ${before} spent AS MATERIALIZED (
      SELECT g.*, least(coalesce((${spent}), 0), from_grant + from_topup + from_overage) AS credits FROM gone g
    ), back AS MATERIALIZED (
      SELECT id, tenant_id, period, greatest(from_grant - credits, 0) AS to_grant,
             from_topup - least(greatest(credits - from_grant, 0), from_topup) AS to_topup,
             from_overage - greatest(credits - from_grant - from_topup, 0) AS to_overage
      FROM spent WHERE credits < from_grant + from_topup + from_overage
    ), returned AS (
      UPDATE credit_balances b
      SET grant_left = b.grant_left + CASE WHEN b.period = k.period THEN k.to_grant ELSE 0 END,
          topup_left = b.topup_left + k.to_topup,
          overage_used = b.overage_used - CASE WHEN b.period = k.period THEN k.to_overage ELSE 0 END
      FROM back k WHERE b.tenant_id = k.tenant_id
      RETURNING b.period, b.grant_left + b.topup_left AS remaining
    ), expired AS (
      UPDATE credit_periods p SET grant_left = p.grant_left + k.to_grant,
             overage_used = p.overage_used - k.to_overage
      FROM back k, returned r
      WHERE p.tenant_id = k.tenant_id AND p.period = k.period AND r.period > k.period
    ), moved AS (
      INSERT INTO credit_transfers (tenant_id, period, from_account, to_account, credits, reference, created_at)
      SELECT k.tenant_id, k.period, 'held', part.account, part.credits, k.id, clock.at
      FROM back k, clock, LATERAL (VALUES ('grant', k.to_grant), ('topup', k.to_topup),
                                          ('overage', k.to_overage)) part (account, credits)
      WHERE part.credits > 0
    )
    SELECT EXISTS (SELECT FROM gone) AS "wasOpen", coalesce((SELECT credits FROM spent), 0)::float8 AS charged,
           EXISTS (SELECT FROM credit_ledger WHERE reference = $2 AND item = $2) AS "wasCharged",
           coalesce((SELECT credits FROM credit_ledger WHERE reference = $2 AND item = $2), 0)::float8 AS "chargedBefore",
           coalesce((SELECT to_grant + to_topup + to_overage FROM back), 0)::float8 AS returned,
           coalesce((SELECT remaining FROM returned),
                    (SELECT grant_left + topup_left FROM credit_balances WHERE tenant_id = $1), 0)::float8 AS remaining`;
}

/** What {@link closingHold} answers. */
export interface HoldEnd {
  /** False: somebody closed it before, or it expired, or was never there. */
  readonly wasOpen: boolean;
  readonly charged: number;
  /** An earlier statement booked the reference. */
  readonly wasCharged: boolean;
  /** With so many credits. */
  readonly chargedBefore: number;
  /** Of what was held. */
  readonly returned: number;
  /** Prepaid credits left. */
  readonly remaining: number;
}
