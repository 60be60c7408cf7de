import { run, type Queryable, type Statement } from '@app/database';
import { closingHold, type HoldEnd } from './close-hold.js';
import { creditTerms, wholeCredits, type CreditTenant } from './credit-terms.js';
import { holdIn } from './open-hold.js';

/**
 * A job that spends at most one credit per page, out of the credits reserved when it is created.
 */
export interface JobCredits {
  readonly tenant: CreditTenant;
  /** Id of the job. */
  readonly reference: string;
  readonly operation: 'crawl' | 'batch' | 'extract';
  /** For all its pages. At least 1. */
  readonly credits: number;
  /** @default by the clock of the database */
  readonly now?: Date;
}

export type OpenedJob =
  /**
   * `credits`: the number of pages covered, at most the requested number. `isHeld` false: the
   * tenant is unlimited, and its pages are spent without a reservation.
   */
  | { readonly kind: 'open'; readonly credits: number; readonly isHeld: boolean }
  /** Nothing is left. */
  | { readonly kind: 'refused'; readonly balance: number; readonly required: number };

/**
 * Reserves the maximum cost of a job, or all that is left, in the transaction that creates the job.
 * Its finished pages touch no row of the tenant: the rest of the reservation is its amount less the
 * cost of the pages.
 */
export async function openJobHold(
  tx: Queryable,
  { tenant, reference, operation, credits, now }: JobCredits,
): Promise<OpenedJob> {
  const terms = creditTerms(tenant);
  if (terms.monthlyCredits === null) return { kind: 'open', credits, isHeld: false };
  const held = await holdIn(tx, {
    tenantId: tenant.id,
    reference,
    operation,
    credits: wholeCredits(credits),
    terms,
    isClamped: true,
    lifeMs: null,
    now: now ?? null,
  });
  if (held.kind === 'refused') return { kind: 'refused', balance: held.remaining, required: 1 };
  return { kind: 'open', credits: held.credits, isHeld: true };
}

/** All pages have been finished in transactions before this one, or in it: the job's row is locked. */
const CLOSE: Statement = {
  name: 'close_job_credits',
  text: closingHold({
    now: '$3',
    spent: 'SELECT sum(credits) FROM credit_ledger WHERE reference = $2 AND from_hold',
  }),
};

export interface SpentJob {
  readonly tenantId: string;
  /** Id of the job. */
  readonly reference: string;
  /** @default by the clock of the database */
  readonly now?: Date;
}

/**
 * Releases the credits a job did not spend, in the transaction that ends its work and holds its
 * row. A job without a reservation, and one that was settled before, releases nothing.
 */
export async function closeJobHold(
  tx: Queryable,
  { tenantId, reference, now }: SpentJob,
): Promise<{ readonly wasOpen: boolean; readonly charged: number }> {
  const values = [tenantId, reference, now ?? null];
  const [end] = await run<HoldEnd & Record<string, unknown>>(tx, CLOSE, values);
  return { wasOpen: end?.wasOpen ?? false, charged: end?.charged ?? 0 };
}
