import { PLAN_LIMITS, type Plan } from '@app/contracts';
import { run, type Queryable, type Statement, type Database, type Row } from '@app/database';

/** How a statement is run: by the database, or within a transaction. */
export type RunStatement = <R extends Row>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<R[]>;

export const queryWith =
  (database: Database): RunStatement =>
  (statement, values) =>
    database.query(statement, values);
export const queryIn =
  (tx: Queryable): RunStatement =>
  (statement, values) =>
    run(tx, statement, values);

/** The tenant whose credits are counted; that of a key fits. */
export interface CreditTenant {
  readonly id: string;
  readonly plan: Plan;
  /** The account's own agreement in place of the plan's figure; null: none. */
  readonly agreed?: { readonly monthlyCredits: number | null };
}

/** A tenant's grants and overage right. */
export interface CreditTerms {
  /** Credits granted each month for the scrape pool; null: no pool of this tenant has a bound. */
  readonly monthlyCredits: number | null;
  /** Credits granted each month for the enrich pool. */
  readonly enrichCredits: number;
  /** Credits granted each month for the KYB pool. */
  readonly kybCredits: number;
  /** Whether calls go on, billed, when the prepaid credits are spent. */
  readonly mayOverrun: boolean;
}

export function creditTerms({ plan, agreed }: CreditTenant): CreditTerms {
  const limits = PLAN_LIMITS[plan];
  return {
    monthlyCredits: agreed?.monthlyCredits ?? limits.monthlyCredits,
    enrichCredits: limits.enrichCredits ?? 0,
    kybCredits: limits.kybCredits ?? 0,
    mayOverrun: limits.overage !== null,
  };
}

/** The figure of {@link CreditTenant.agreed} of `tenants t`. */
export const AGREED = `jsonb_build_object('monthlyCredits', t.agreed_monthly_credits) AS agreed`;

const FIND_TENANT: Statement = {
  name: 'find_credit_tenant',
  text: `SELECT t.id, t.plan, ${AGREED} FROM tenants t WHERE t.id = $1`,
};

/** The tenant as it is now; null when there is none. */
export async function findCreditTenant(
  runStatement: RunStatement,
  tenantId: string,
): Promise<CreditTenant | null> {
  const [row] = await runStatement<CreditTenant & Row>(FIND_TENANT, [tenantId]);
  return row ?? null;
}

/** The moment `$n` names, or now by the clock of the database, with its period: the calendar month, UTC. */
export function clockAt(parameter: string): string {
  return `SELECT at, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM') AS period
          FROM (SELECT coalesce(${parameter}::timestamptz, now()) AS at) moment`;
}

/** A valid amount of credits. @throws RangeError */
export function wholeCredits(credits: number): number {
  if (!Number.isSafeInteger(credits) || credits < 0)
    throw new RangeError(`${credits} is no number of credits`);
  return credits;
}
