import { run, type Queryable, type Statement } from '@app/database';
import { closingHold, type HoldEnd } from './close-hold.js';
import { creditTerms, wholeCredits, type CreditTenant } from './credit-terms.js';
import { holdIn } from './open-hold.js';

/** A job that spends a credit per page at most, out of what is held when it is made. */
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
   * `credits`: for how many pages there are, at most as many as were asked for. `isHeld` false: nothing
   * bounds the tenant, and its pages are spent without a hold.
   */
  | { readonly kind: 'open'; readonly credits: number; readonly isHeld: boolean }
  /** Nothing is left. */
  | { readonly kind: 'refused'; readonly balance: number; readonly required: number };

/**
 * Holds what a job may cost, or what there is, in the transaction that makes the job. Its finished pages
 * touch no row of the tenant: what is left of the hold is what was held less what they cost.
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
 * Gives back what a job did not spend, in the transaction that ends its work and holds its row. A job
 * without a hold, and one that was closed before, has nothing to give back.
 */
export async function closeJobHold(
  tx: Queryable,
  { tenantId, reference, now }: SpentJob,
): Promise<{ readonly wasOpen: boolean; readonly charged: number }> {
  const values = [tenantId, reference, now ?? null];
  const [end] = await run<HoldEnd & Record<string, unknown>>(tx, CLOSE, values);
  return { wasOpen: end?.wasOpen ?? false, charged: end?.charged ?? 0 };
}
