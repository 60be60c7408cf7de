import type { Logger, Metrics } from '@app/telemetry';
import type { Statement, Database } from '@app/database';
import { followCustomer, type CustomerReading } from './follow-customer.js';

/** Customers read by one round, at the same time: a few requests a second at most. */
const CUSTOMERS_PER_ROUND = 10;
/** A backlog drains at 170,000 a day per replica, far below the provider's rate limit. */
const NEXT_ROUND_MS = 5_000;
const RETRY_IN_SECONDS = 3_600;

export interface RereaderOptions extends CustomerReading {
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'paymentEvents' | 'paymentRereads'>;
}

/**
 * Reads the subscriptions of each customer once a day, with or without an event: this makes up for
 * events that were lost or gave up. With any number of replicas each customer is read by one.
 */
export class SubscriptionRereader {
  private isStopping = false;

  constructor(private readonly options: RereaderOptions) {}

  /** One round; see BackgroundLoop. */
  async round(): Promise<number | null> {
    const { database, provider } = this.options;
    const customers = await takeDueRereads(database, {
      provider: provider.name,
      most: CUSTOMERS_PER_ROUND,
      retryInSeconds: RETRY_IN_SECONDS,
    });
    await Promise.all(customers.map((customerId) => this.read(customerId)));
    return customers.length === CUSTOMERS_PER_ROUND && !this.isStopping ? NEXT_ROUND_MS : null;
  }

  /** From now on a failure is an abort, which is not logged. */
  stop(): void {
    this.isStopping = true;
  }

  private async read(customerId: string): Promise<void> {
    const { metrics, log } = this.options;
    try {
      const written = await followCustomer(this.options, customerId);
      const isChanged = written?.followed.kind === 'changed';
      metrics.paymentRereads.inc({ outcome: isChanged ? 'changed' : 'same' });
    } catch (err) {
      // It is due again in an hour.
      if (this.isStopping) return;
      metrics.paymentRereads.inc({ outcome: 'failed' });
      log.warn({ err, customerId }, 'a subscription was not read again');
    }
  }
}

interface RereadOptions {
  readonly provider: string;
  readonly most: number;
  /** When a customer whose reading fails is due again; until then no other replica takes it. */
  readonly retryInSeconds: number;
}

const TAKE: Statement = {
  name: 'take_due_rereads',
  text: `
    UPDATE billing_accounts SET reread_at = now() + $3::int * interval '1 second'
    WHERE tenant_id = ANY (ARRAY (
      SELECT tenant_id FROM billing_accounts
      WHERE provider = $1 AND customer_id IS NOT NULL AND reread_at <= now()
      ORDER BY reread_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING customer_id AS "customerId"`,
};

/**
 * Customers not read for a day, the longest first. A stored reading postpones the next one by a day.
 */
export async function takeDueRereads(
  database: Database,
  { provider, most, retryInSeconds }: RereadOptions,
): Promise<readonly string[]> {
  const rows = await database.query<{ customerId: string }>(TAKE, [provider, most, retryInSeconds]);
  return rows.map(({ customerId }) => customerId);
}
