/** A charged row of the credit ledger whose JSON or summary a model made: every extraction, and scrapes that say so. */
export const IS_EXTRACTION = `(l.credits > 0 AND (l.operation = 'extract' OR l.is_extraction))`;

/**
 * The spending of tenant `$1` between the begins of two days (UTC), as rows of day, operation,
 * credits, calls, cost_micro_usd and extractions: the sums of the roll-up, and the rows not in them
 * yet. One statement, one snapshot: nothing counts twice and nothing is missing while the roll-up
 * runs.
 * @param from, until texts of SQL: timestamps without time zone
 */
export function spendingBetween(from: string, until: string): string {
  return `
    SELECT d.day, d.operation, d.credits, d.calls, d.cost_micro_usd, d.extractions FROM credit_usage_days d
    WHERE d.tenant_id = $1 AND d.day >= (${from})::date AND d.day < (${until})::date
    UNION ALL
    SELECT (l.created_at AT TIME ZONE 'UTC')::date, l.operation, l.credits, (l.credits > 0)::int, l.cost_micro_usd,
           ${IS_EXTRACTION}::int
    FROM credit_ledger l
    WHERE l.tenant_id = $1 AND l.created_at < (${until}) AT TIME ZONE 'UTC'
      AND l.created_at >= greatest((${from}) AT TIME ZONE 'UTC', (SELECT summed_until FROM credit_usage_mark))`;
}

/** The same in the month that `$2` names, as `YYYY-MM`. */
export const SPENT_IN_MONTH = spendingBetween(
  `($2 || '-01')::timestamp`,
  `($2 || '-01')::timestamp + interval '1 month'`,
);
