import { openFreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { endJob } from '../../../test/setup/webhook-jobs.js';
import type { Database } from '@app/database';
import { createTenant } from '@app/accounts';
import type { TakenDelivery } from '../src/delivery.js';
import { listDeliveries, type LoggedDelivery } from '../src/delivery-log.js';
import { recordAttempt, type AfterAttempt } from '../src/deliverer.js';
import { takeDeliveries, type Taken, type TakeOptions } from '../src/take-deliveries.js';

export const HOOK = 'https://hooks.example/in?token=1';
export const LEASE_MS = 120_000;
export const HOUR_MS = 3_600_000;

export const DELIVERED: AfterAttempt = { state: 'delivered' };
export const GONE: AfterAttempt = { state: 'disabled' };
export const retryIn = (inMs: number): AfterAttempt => ({
  state: 'pending',
  inMs,
  isCounted: true,
});
export const msFromNow = (ms: number): Date => new Date(Date.now() + ms);

/** Webhooks in a database of their own, taken and recorded as deliverers do. */
export class WebhookFixture {
  /** Of the test that runs. */
  tenantId = '';

  private constructor(
    readonly database: Database,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<WebhookFixture> {
    const fresh = await openFreshDatabase();
    return new WebhookFixture(fresh.database, () => fresh.drop());
  }

  /** Before each test: nothing but one tenant. */
  async reset(): Promise<void> {
    await this.database.query({ name: 'reset', text: 'TRUNCATE tenants CASCADE' });
    this.tenantId = await this.newTenant();
  }

  async newTenant(): Promise<string> {
    return (await createTenant(this.database, 'spec', 'custom')).id;
  }

  /** A job that has just ended; returns its id. */
  end(webhookUrl = HOOK, tenantId = this.tenantId): Promise<string> {
    return endJob(this.database, tenantId, webhookUrl);
  }

  take(over: Partial<TakeOptions> = {}): Promise<Taken> {
    return takeDeliveries(this.database, {
      most: 10,
      perTenant: 10,
      busy: new Map(),
      leaseMs: LEASE_MS,
      maxSteps: 10,
      ...over,
    });
  }

  async takeOne(over: Partial<TakeOptions> = {}): Promise<TakenDelivery> {
    const [one] = (await this.take(over)).sends;
    if (!one) throw new Error('nothing was due');
    return one;
  }

  record(delivery: TakenDelivery, after: AfterAttempt): Promise<boolean> {
    const end =
      after.state === 'delivered'
        ? ({ status: 204, error: null, ms: 5, answer: null } as const)
        : ({ status: 500, error: 'http_status', ms: 5, answer: 'no' } as const);
    return recordAttempt(this.database, delivery, { ...end, after });
  }

  /** The log of the tenant. */
  all(
    over: { readonly jobId?: string; readonly before?: string; readonly most?: number } = {},
  ): Promise<LoggedDelivery[]> {
    const query = { jobId: null, state: null, before: null, most: 100, ...over };
    return listDeliveries(this.database, this.tenantId, query);
  }

  /** Rows of receivers, of all tenants. */
  async receivers(): Promise<number | undefined> {
    const text = 'SELECT count(*)::int AS n FROM webhook_receivers';
    return (await this.database.query<{ n: number }>({ name: 'receivers', text }))[0]?.n;
  }
}
