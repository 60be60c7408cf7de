import type { Plan } from '@app/contracts';
import type { CreditPool } from './credit-costs.js';
import type { Statement, Database } from '@app/database';
import { waitAtMost } from '@app/runtime';
import { queryWith, creditTerms, findCreditTenant, type CreditTerms } from './credit-terms.js';
import {
  LEDGER_WAIT_MS,
  readAccount,
  unavailable,
  type CreditBalance,
  type PoolBalance,
  type ReadCredits,
} from './read-balance.js';
import { SPENT_IN_MONTH, spendingBetween } from './spending.js';

/** A tenant's usage in a calendar month, UTC (specification: Resources, Usage record). */
export interface Usage {
  readonly plan: Plan;
  /** Pages with data, of scrapes, crawls and batches. */
  readonly pagesScraped: number;
  /** Credits a month brings; null: nothing bounds them. */
  readonly pagesQuota: number | null;
  /** Charged calls and pages whose JSON or summary a model made. */
  readonly llmExtractions: number;
  /** Equal to the month's credits; none on the free plan. Null: unlimited. */
  readonly extractQuota: number | null;
  /** Model cost in millionths of a dollar. */
  readonly costMicroUsd: number;
  readonly credits: Pick<CreditBalance, 'state' | 'period' | 'priorPeriodsUnresolved'>;
  readonly pools: Readonly<Record<CreditPool, PoolBalance>>;
}

interface Sums extends Record<string, unknown> {
  readonly pagesScraped: number;
  readonly llmExtractions: number;
  readonly costMicroUsd: number;
}

const NOTHING: Sums = { pagesScraped: 0, llmExtractions: 0, costMicroUsd: 0 };

const SUMS: Statement = {
  name: 'usage_in_period',
  text: `
    SELECT coalesce(sum(calls) FILTER (WHERE operation IN ('scrape', 'crawl')), 0)::float8 AS "pagesScraped",
           coalesce(sum(extractions), 0)::float8 AS "llmExtractions",
           coalesce(sum(cost_micro_usd), 0)::float8 AS "costMicroUsd"
    FROM (${SPENT_IN_MONTH}) spending`,
};

/**
 * This month's usage; null when there is no such tenant. With an unreadable ledger the state says
 * so and usage is reported as 0. @throws database errors when the tenant cannot be read either
 */
export async function readUsage(
  database: Database,
  tenantId: string,
  options: ReadCredits = {},
): Promise<Usage | null> {
  try {
    return await waitAtMost(LEDGER_WAIT_MS, usageOf(database, tenantId, options.now));
  } catch (error) {
    const tenant = await findCreditTenant(queryWith(database), tenantId);
    options.onError?.(error);
    return tenant
      ? present(tenant.plan, creditTerms(tenant), unavailable(options.now), NOTHING)
      : null;
  }
}

async function usageOf(database: Database, tenantId: string, now?: Date): Promise<Usage | null> {
  const account = await readAccount(database, tenantId, now);
  if (!account) return null;
  const [sums] = await database.query<Sums>(SUMS, [tenantId, account.period]);
  return present(account.plan, account.terms, account, sums ?? NOTHING);
}

function present(
  plan: Plan,
  { monthlyCredits }: CreditTerms,
  balance: Omit<CreditBalance, 'spent'>,
  sums: Sums,
): Usage {
  const { state, period, priorPeriodsUnresolved, granted, toppedUp, remaining } = balance;
  return {
    plan,
    pagesScraped: sums.pagesScraped,
    pagesQuota: monthlyCredits,
    llmExtractions: sums.llmExtractions,
    extractQuota: plan === 'free' ? 0 : monthlyCredits,
    costMicroUsd: sums.costMicroUsd,
    credits: { state, period, priorPeriodsUnresolved },
    pools: {
      scrape: { granted, toppedUp, remaining },
      enrich: balance.enrich,
      kyb: balance.kyb,
    },
  };
}

/** Credits spent on a day, UTC. */
export interface UsageDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly credits: number;
  /** Calls and pages that cost something. */
  readonly calls: number;
}

/** More than a year is no chart. */
export const MAX_USAGE_DAYS = 366;

const BY_DAY: Statement = {
  name: 'usage_by_day',
  text: `
    WITH clock AS (SELECT coalesce($3::timestamptz, now()) AT TIME ZONE 'UTC' AS at), day AS MATERIALIZED (
      SELECT (at::date - n) AS day FROM clock, generate_series(0, $2::int - 1) n
    ), used AS (
      SELECT day, sum(credits)::float8 AS credits, sum(calls)::float8 AS calls
      FROM (${spendingBetween('SELECT min(day)::timestamp FROM day', "SELECT max(day) + interval '1 day' FROM day")}) spending
      GROUP BY 1
    )
    SELECT to_char(day, 'YYYY-MM-DD') AS day, coalesce(credits, 0) AS credits, coalesce(calls, 0) AS calls
    FROM day LEFT JOIN used USING (day) ORDER BY 1`,
};

/** The last `days` days, today among them, the oldest first. @throws RangeError for more than a year */
export async function usageByDay(
  database: Database,
  tenantId: string,
  days: number,
  now?: Date,
): Promise<UsageDay[]> {
  if (!Number.isSafeInteger(days) || days < 1 || days > MAX_USAGE_DAYS)
    throw new RangeError(`a chart of ${days} days`);
  return database.query<UsageDay & Record<string, unknown>>(BY_DAY, [tenantId, days, now ?? null]);
}
