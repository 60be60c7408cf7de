import { PLAN_LIMITS } from '@app/contracts';

/** What records cost: so many credits for each begun group of so many rows. */
export interface RecordPrice {
  readonly credits: number;
  readonly rows: number;
}

const { priceMonthUsd, monthlyCredits } = PLAN_LIMITS.hobby;
/** List price of a credit: that of the smallest paid plan. */
export const CREDIT_USD = (priceMonthUsd ?? 0) / (monthlyCredits ?? 1);
/** Prices are published to a ten-millionth of a dollar. */
const ROUNDING = 1e7;

/** The price of a record of which a credit pays for `rows`. */
export function usdPerRecord(rows: number): number {
  return Math.round((CREDIT_USD / rows) * ROUNDING) / ROUNDING;
}

/** Credits of a price in dollars: rounded to whole credits per row, or whole rows per credit. */
export function recordPrice(pricePerRecordUsd: number): RecordPrice {
  if (pricePerRecordUsd <= 0) return { credits: 0, rows: 1 };
  const perRow = pricePerRecordUsd / CREDIT_USD;
  if (perRow >= 1) return { credits: Math.ceil(perRow - 0.05), rows: 1 };
  return { credits: 1, rows: Math.max(1, Math.round(1 / perRow)) };
}

/** Credits of so many rows. */
export function creditsFor(rows: number, price: RecordPrice): number {
  return Math.ceil(rows / price.rows) * price.credits;
}
