import { hash } from 'node:crypto';
import { newId, PLAN_LIMITS, type Plan } from '@app/contracts';
import { changeAgreement, readBalance } from '@app/accounts';
import { reserveCredits } from '../../libs/accounts/src/credits/reserve-credits.js';
import { settleCredits } from '../../libs/accounts/src/credits/settle-credits.js';
import { startFixtureSite, TrawlClient, type Answer, type FixtureSite } from '@app/testing';
import { AUDIT } from '../../libs/accounts/test/credit-fixture.js';
import { RESERVED_CREDITS } from '../../libs/accounts/src/credits/credit-pools.js';
import { createCaller, type Service } from './deployment.js';
import { creditsOf } from './fault-checks.js';

/** Rows are named by a tenant, or by what credits were reserved for. */
const AUDIT_OF_TENANTS = `
  SELECT * FROM (${AUDIT}) wrong WHERE left(which, 36) = ANY($1::text[])
     OR which IN (SELECT reference::text FROM credit_entries WHERE tenant_id::text = ANY($1::text[]))`;

/** A tenant with so many credits. */
export interface Payer {
  readonly id: string;
  readonly key: string;
  readonly client: TrawlClient;
}

export function startCreditsSite(): Promise<FixtureSite> {
  return startFixtureSite({ treePages: 300, slowPages: 300, slowMs: 300 });
}

/** The service in several API replicas on one database, with a site to scrape. */
export abstract class CreditsRun<S extends Service = Service> {
  private readonly payers: string[] = [];

  constructor(
    readonly service: S,
    readonly site: FixtureSite,
  ) {}

  abstract get urls(): readonly string[];

  async stop(): Promise<void> {
    await this.service.stop();
    await this.site.close();
  }

  sql<R extends object = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    const name = hash('sha1', text);
    return this.service.database.query<R & Record<string, unknown>>({ name, text }, values);
  }

  /** Whose credits are few, and nothing else. */
  async payer(plan: Plan, monthlyCredits: number): Promise<Payer> {
    const { database, url } = this.service;
    const { id, key } = await createCaller(database, `payer ${plan}`, plan);
    const agreed = { monthlyCredits, requestsPerMinute: 100_000, concurrentRequests: 1_000 };
    await database.transaction((tx) => changeAgreement(tx, id, agreed));
    this.payers.push(id);
    return { id, key, client: new TrawlClient(url, key) };
  }

  /** Spends what a Free payer's enrich pool has beyond so many credits, outside of the service. */
  async leaveInEnrichPool({ id }: Payer, credits: number): Promise<void> {
    const { database } = this.service;
    const tenant = { id, plan: 'free', agreed: { monthlyCredits: 0 } } as const;
    const call = { tenant, operation: 'enrich', chargeId: newId() } as const;
    const spent = (PLAN_LIMITS.free.enrichCredits ?? 0) - credits;
    await readBalance(database, id);
    await reserveCredits(database, { ...call, credits: spent });
    await settleCredits(database, { ...call, credits: spent });
  }

  async post(
    url: string,
    path: string,
    { key, body, idempotencyKey }: { key: string; body: unknown; idempotencyKey?: string },
  ): Promise<Answer> {
    const headers = {
      ...{ 'x-api-key': key, 'content-type': 'application/json' },
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, sent);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  }

  /** Prepaid credits left, what is held, and what is beyond. */
  async standing({ id }: Payer): Promise<{ left: number; held: number; overage: number }> {
    const [row] = await this.sql<{ left: number; held: number; overage: number }>(
      `SELECT (b.grant_left + b.topup_left)::int AS left, b.overage_used::int AS overage,
              (SELECT coalesce(sum(${RESERVED_CREDITS}), 0)::int FROM credit_holds h
               WHERE h.tenant_id = b.tenant_id) AS held
       FROM credit_balances b WHERE b.tenant_id = $1`,
      [id],
    );
    return row ?? { left: NaN, held: NaN, overage: NaN };
  }

  spentBy({ id }: Payer): Promise<number> {
    return creditsOf(this.service, id);
  }

  /** What does not add up in the accounts of the payers. */
  audit(): Promise<Record<string, unknown>[]> {
    return this.sql(AUDIT_OF_TENANTS, [this.payers]);
  }
}

export const consumed = ({ headers }: Answer): number =>
  Number(headers.get('x-credits-consumed') ?? NaN);
