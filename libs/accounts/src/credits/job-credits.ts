import { run, type Queryable, type Statement } from '@app/database';
import { settlementSql, type SettlementRow } from './settlement-sql.js';
import { creditTerms, wholeCredits, type CreditTenant } from './credit-terms.js';
import { reserveIn } from './reservations.js';

/**
 * A job that spends at most one credit per page, out of the credits reserved when it is created.
 */
export interface JobCredits {
  readonly tenant: CreditTenant;
  /** Id of the job. */
  readonly chargeId: string;
  readonly operation: 'crawl' | 'batch' | 'extract' | 'pull' | 'feed';
  /** For all its pages. At least 1. */
  readonly credits: number;
  /** @default by the clock of the database */
  readonly now?: Date;
}

export type JobReservation =
  /**
   * `credits`: the number of pages covered, at most the requested number. `isReserved` false: the
   * tenant is unlimited, and its pages are spent without a reservation.
   */
  | { readonly kind: 'open'; readonly credits: number; readonly isReserved: boolean }
  /** Nothing is left. */
  | { readonly kind: 'refused'; readonly balance: number; readonly required: number };

/**
 * Reserves the maximum cost of a job, or all that is left, in the transaction that creates the job.
 * Its finished pages touch no row of the tenant: the rest of the reservation is its amount less the
 * cost of the pages.
 */
export async function reserveJobCredits(
  tx: Queryable,
  { tenant, chargeId, operation, credits, now }: JobCredits,
): Promise<JobReservation> {
  const terms = creditTerms(tenant);
  if (terms.monthlyCredits === null) return { kind: 'open', credits, isReserved: false };
  const reserved = await reserveIn(tx, {
    tenantId: tenant.id,
    chargeId,
    operation,
    credits: wholeCredits(credits),
    terms,
    isClamped: true,
    lifeMs: null,
    now: now ?? null,
  });
  if (reserved.kind === 'refused')
    return { kind: 'refused', balance: reserved.remaining, required: 1 };
  return { kind: 'open', credits: reserved.credits, isReserved: true };
}

/** All pages have been finished in transactions before this one, or in it: the job's row is locked. */
const SETTLE: Statement = {
  name: 'close_job_credits',
  text: settlementSql({
    now: '$3',
    spent: 'SELECT sum(credits) FROM credit_ledger WHERE reference = $2 AND from_hold',
  }),
};

export interface SettledJob {
  readonly tenantId: string;
  /** Id of the job. */
  readonly chargeId: string;
  /** @default by the clock of the database */
  readonly now?: Date;
}

/**
 * Releases the credits a job did not spend, in the transaction that ends its work and holds its
 * row. A job without a reservation, and one that was settled before, releases nothing.
 */
export async function settleJobCredits(
  tx: Queryable,
  { tenantId, chargeId, now }: SettledJob,
): Promise<{ readonly wasReserved: boolean; readonly charged: number }> {
  const values = [tenantId, chargeId, now ?? null];
  const [end] = await run<SettlementRow & Record<string, unknown>>(tx, SETTLE, values);
  return { wasReserved: end?.wasReserved ?? false, charged: end?.charged ?? 0 };
}
