import { OPERATION_POOLS, type CreditOperation } from './credit-costs.js';

/** Whether an operation draws on the enrich pool before the scrape pool. */
export function drawsOnEnrich(operation: CreditOperation): boolean {
  return OPERATION_POOLS[operation] === 'enrich';
}

/** SQL: the credits of a row of `credit_holds`, of all pools together. */
export const RESERVED_CREDITS =
  'from_enrich_grant + from_enrich_topup + from_grant + from_topup + from_overage';

/**
 * SQL: the prepaid credits an operation may draw on, of a row of `credit_balances`.
 * @param row name of the row
 * @param isEnrich SQL of a boolean: {@link drawsOnEnrich} of the operation
 */
export function prepaidOf(row: string, isEnrich: string): string {
  return `${row}.grant_left + ${row}.topup_left
    + CASE WHEN ${isEnrich} THEN ${row}.enrich_grant_left + ${row}.enrich_topup_left ELSE 0 END`;
}
