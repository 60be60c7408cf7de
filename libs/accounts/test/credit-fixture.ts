import { hash } from 'node:crypto';
import { newId, type Plan } from '@app/contracts';
import { openFreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { settleCredits, type CallSettlement } from '../src/credits/settle-credits.js';
import { RESERVED_CREDITS } from '../src/credits/credit-pools.js';
import type { CreditTenant } from '../src/credits/credit-terms.js';
import {
  reserveCredits,
  type CallCredits,
  type CallReservation,
} from '../src/credits/reserve-credits.js';
import { Database, type DatabaseOptions } from '@app/database';
import { createTenant } from '../src/tenants/tenants.js';

/** The balance of one tenant, with its month. */
export interface BalanceRow {
  readonly period: string;
  readonly grantLeft: number;
  readonly topupLeft: number;
  readonly overage: number;
  readonly payment: string;
  readonly granted: number | null;
}

/** The pools beside the common one: their remaining grant and top-ups, and the granted credits. */
export interface PoolsRow {
  readonly enrich: readonly [grantLeft: number, topupLeft: number, granted: number];
  readonly kyb: readonly [grantLeft: number, topupLeft: number, granted: number];
}

const POOLS = `
  SELECT json_build_array(b.enrich_grant_left, b.enrich_topup_left, p.enrich_granted) AS enrich,
         json_build_array(b.kyb_grant_left, b.kyb_topup_left, p.kyb_granted) AS kyb
  FROM credit_balances b LEFT JOIN credit_periods p ON p.tenant_id = b.tenant_id AND p.period = b.period
  WHERE b.tenant_id = $1`;

const BALANCE = `
  SELECT b.period, b.grant_left::float8 AS "grantLeft", b.topup_left::float8 AS "topupLeft",
         b.overage_used::float8 AS overage, b.payment, p.granted::float8 AS granted
  FROM credit_balances b LEFT JOIN credit_periods p ON p.tenant_id = b.tenant_id AND p.period = b.period
  WHERE b.tenant_id = $1`;

/** Errors of the credit accounts, row by row, by the entries alone; no rows when they add up. */
export const AUDIT = `
  WITH side AS (
    SELECT tenant_id, to_account AS account, reference, credits FROM credit_entries
    UNION ALL SELECT tenant_id, from_account, reference, -credits FROM credit_entries
  ), account AS (
    SELECT tenant_id, account, sum(credits) AS credits FROM side GROUP BY 1, 2
  ), held AS (
    SELECT reference, sum(credits) AS credits FROM side WHERE account = 'held' GROUP BY 1
  )
  SELECT 'grant' AS what, b.tenant_id::text AS which, b.grant_left::float8 AS has, coalesce(a.credits, 0)::float8 AS should
  FROM credit_balances b LEFT JOIN account a ON a.tenant_id = b.tenant_id AND a.account = 'grant:' || b.period
  WHERE b.grant_left <> coalesce(a.credits, 0)
  UNION ALL
  SELECT 'topup', b.tenant_id::text, b.topup_left, coalesce(a.credits, 0)
  FROM credit_balances b LEFT JOIN account a ON a.tenant_id = b.tenant_id AND a.account = 'topup'
  WHERE b.topup_left <> coalesce(a.credits, 0)
  UNION ALL
  SELECT 'overage', b.tenant_id::text, b.overage_used, -coalesce(a.credits, 0)
  FROM credit_balances b LEFT JOIN account a ON a.tenant_id = b.tenant_id AND a.account = 'overage:' || b.period
  WHERE b.overage_used <> -coalesce(a.credits, 0)
  UNION ALL
  SELECT pool.name, b.tenant_id::text, pool.has, coalesce(a.credits, 0)
  FROM credit_balances b CROSS JOIN LATERAL (VALUES
      ('enrich grant:' || b.period, b.enrich_grant_left), ('enrich topup', b.enrich_topup_left),
      ('kyb grant:' || b.period, b.kyb_grant_left), ('kyb topup', b.kyb_topup_left)) pool (name, has)
    LEFT JOIN account a ON a.tenant_id = b.tenant_id AND a.account = pool.name
  WHERE pool.has <> coalesce(a.credits, 0)
  UNION ALL
  SELECT 'closed ' || pool.name, p.tenant_id || ' ' || p.period, pool.has, coalesce(a.credits, 0)
  FROM credit_periods p CROSS JOIN LATERAL (VALUES
      ('enrich grant:' || p.period, p.enrich_grant_left), ('kyb grant:' || p.period, p.kyb_grant_left)) pool (name, has)
    LEFT JOIN account a ON a.tenant_id = p.tenant_id AND a.account = pool.name
  WHERE p.closed_at IS NOT NULL AND pool.has <> coalesce(a.credits, 0)
  UNION ALL
  SELECT 'closed grant', p.tenant_id || ' ' || p.period, p.grant_left, coalesce(a.credits, 0)
  FROM credit_periods p LEFT JOIN account a ON a.tenant_id = p.tenant_id AND a.account = 'grant:' || p.period
  WHERE p.closed_at IS NOT NULL AND p.grant_left <> coalesce(a.credits, 0)
  UNION ALL
  SELECT 'closed overage', p.tenant_id || ' ' || p.period, p.overage_used, -coalesce(a.credits, 0)
  FROM credit_periods p LEFT JOIN account a ON a.tenant_id = p.tenant_id AND a.account = 'overage:' || p.period
  WHERE p.closed_at IS NOT NULL AND p.overage_used <> -coalesce(a.credits, 0)
  UNION ALL
  SELECT 'held for nothing', reference::text, credits, 0 FROM held
  WHERE credits <> 0 AND NOT EXISTS (SELECT FROM credit_holds h WHERE h.id = held.reference)
  UNION ALL
  SELECT 'held', h.id::text, coalesce(held.credits, 0), ${RESERVED_CREDITS}
  FROM credit_holds h LEFT JOIN held ON held.reference = h.id
  WHERE coalesce(held.credits, 0) <> ${RESERVED_CREDITS}
          - (SELECT coalesce(sum(credits), 0) FROM credit_ledger l WHERE l.reference = h.id AND l.from_hold)
  UNION ALL
  SELECT 'not balanced', tenant_id::text, sum(credits), 0 FROM side GROUP BY tenant_id HAVING sum(credits) <> 0`;

/** The default call of a spec. */
type Over = Partial<CallCredits> & {
  readonly credits?: number;
  readonly lifeMs?: number;
  readonly costMicroUsd?: number;
};

/** Credits in a database of their own, driven as the API does. */
export class CreditFixture<S extends Database = Database> {
  private constructor(
    readonly database: S,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open<S extends Database = Database>(
    type?: new (options: DatabaseOptions) => S,
  ): Promise<CreditFixture<S>> {
    const fresh = type ? await openFreshDatabase(type) : await openFreshDatabase();
    return new CreditFixture(fresh.database as S, () => fresh.drop());
  }

  close(): Promise<void> {
    return this.drop();
  }

  /** Another process on the same database. */
  async another(poolSize = 10): Promise<Database> {
    const database = new Database({
      url: this.database.url,
      poolSize,
      applicationName: 'spec',
      connectTimeoutMs: 60_000,
    });
    await database.connect();
    return database;
  }

  /** `monthlyCredits`: agreed instead of the plan's figure. */
  async tenant(plan: Plan, monthlyCredits: number | null = null): Promise<CreditTenant> {
    const { id } = await createTenant(this.database, 'spec', plan);
    await this.agree(id, monthlyCredits);
    return { id, plan, agreed: { monthlyCredits } };
  }

  async agree(tenantId: string, monthlyCredits: number | null): Promise<void> {
    await this.sql('UPDATE tenants SET agreed_monthly_credits = $2 WHERE id = $1', [
      tenantId,
      monthlyCredits,
    ]);
  }

  reserveCredits(
    tenant: CreditTenant,
    over: Over = {},
    database: Database = this.database,
  ): Promise<CallReservation> {
    const call = { tenant, operation: 'scrape', chargeId: newId(), credits: 1, ...over } as const;
    return reserveCredits(database, call);
  }

  settleCredits(
    tenant: CreditTenant,
    over: Over = {},
    database: Database = this.database,
  ): Promise<CallSettlement> {
    const call = { tenant, operation: 'scrape', chargeId: newId(), credits: 1, ...over } as const;
    return settleCredits(database, call);
  }

  async balance(tenantId: string): Promise<BalanceRow | undefined> {
    const [row] = await this.sql<BalanceRow & Record<string, unknown>>(BALANCE, [tenantId]);
    return row;
  }

  /** The rest of the common pool's grant and of its top-ups, and the overage. */
  async left({ id }: CreditTenant): Promise<readonly (number | undefined)[]> {
    const { grantLeft, topupLeft, overage } = (await this.balance(id)) ?? {};
    return [grantLeft, topupLeft, overage];
  }

  async pools(tenantId: string): Promise<PoolsRow | undefined> {
    const [row] = await this.sql<PoolsRow & Record<string, unknown>>(POOLS, [tenantId]);
    return row;
  }

  /** One page of a job, charged as its finishing transaction does. */
  async page(tenantId: string, jobId: string, at: Date = new Date()): Promise<void> {
    await this.sql(
      `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, from_hold, created_at)
       VALUES ($1, 'crawl', $2, gen_random_uuid(), 1, true, $3)`,
      [tenantId, jobId, at],
    );
  }

  /** Credits spent under a charge id. */
  async spent(chargeId: string): Promise<number> {
    const [row] = await this.sql<{ n: number }>(
      'SELECT coalesce(sum(credits), 0)::int AS n FROM credit_ledger WHERE reference = $1',
      [chargeId],
    );
    return row?.n ?? -1;
  }

  async spentBy(tenantId: string): Promise<number> {
    const [row] = await this.sql<{ n: number }>(
      'SELECT coalesce(sum(credits), 0)::int AS n FROM credit_ledger WHERE tenant_id = $1',
      [tenantId],
    );
    return row?.n ?? -1;
  }

  /** Differences between balances, transfers and the credit ledger. */
  audit(): Promise<Record<string, unknown>[]> {
    return this.sql(AUDIT);
  }

  sql<R extends Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    return this.database.query<R>(
      { name: `spec ${hash('sha256', text).slice(0, 20)}`, text },
      values,
    );
  }
}
