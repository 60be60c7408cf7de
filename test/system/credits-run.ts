import { hash } from 'node:crypto';
import { newId, PLAN_LIMITS, type Plan } from '@app/contracts';
import { changeAgreement, settleCredits, reserveCredits, readBalance } from '@app/accounts';
import {
  spawnApp,
  startFixtureSite,
  TrawlClient,
  until,
  type Answer,
  type FixtureSite,
  type SpawnedApp,
} from '@app/testing';
import { AUDIT } from '../../libs/accounts/test/credit-fixture.js';
import { RESERVED_CREDITS } from '../../libs/accounts/src/credits/credit-pools.js';
import { createCaller, deployCluster, type Deployment } from './deployment.js';
import { creditsOf } from './fault-checks.js';

/** A tenant with so many credits. */
export interface Payer {
  readonly id: string;
  readonly key: string;
  readonly client: TrawlClient;
}

/** The service in several API replicas on one database, with a site to scrape. */
export class CreditsRun {
  private constructor(
    readonly service: Deployment,
    readonly site: FixtureSite,
    /** Beside the first, which no spec kills. */
    readonly replicas: SpawnedApp[],
  ) {}

  static async start(replicas: number): Promise<CreditsRun> {
    const site = await startFixtureSite({ treePages: 300, slowPages: 300, slowMs: 300 });
    const env = { BROWSER_MAX: '0', HOST_WINDOW_START: '8', LEASE_MS: '5000' };
    const service = await deployCluster({ env });
    const run = new CreditsRun(service, site, []);
    while (run.replicas.length < replicas - 1) await run.startReplica();
    return run;
  }

  async startReplica(): Promise<SpawnedApp> {
    const app = await spawnApp({ app: 'api', env: { ...this.service.env } });
    this.replicas.push(app);
    const isReady = async (): Promise<boolean> => (await fetch(`${app.url}/health/ready`)).ok;
    await until(isReady, { what: 'a ready API', timeoutMs: 60_000 });
    return app;
  }

  async stop(): Promise<void> {
    this.service.apps.push(...this.replicas);
    await this.service.stop();
    await this.site.close();
  }

  get urls(): readonly string[] {
    return [this.service.url, ...this.replicas.map(({ url }) => url)];
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

  /** What does not add up. */
  audit(): Promise<Record<string, unknown>[]> {
    return this.sql(AUDIT);
  }
}

export const consumed = ({ headers }: Answer): number =>
  Number(headers.get('x-credits-consumed') ?? NaN);
