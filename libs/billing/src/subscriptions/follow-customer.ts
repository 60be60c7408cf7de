import type { PlanPrice } from '@app/config';
import type { PaymentProvider } from '@app/providers';
import { beginRead, applySubscription, type WrittenRead } from './apply-subscription.js';
import { type Database } from '@app/database';
import type { Logger, Metrics } from '@app/telemetry';
import { standingOf } from './entitled-plan.js';

/** Dependencies for reading customers' subscriptions. */
export interface CustomerReading {
  readonly database: Database;
  readonly provider: PaymentProvider;
  readonly prices: readonly PlanPrice[];
  readonly log: Pick<Logger, 'info'>;
  readonly metrics: Pick<Metrics, 'paymentEvents'>;
}

/**
 * Reads a customer's subscriptions and stores them, with the plan that follows. Null: no account
 * has this customer. @throws PaymentProviderError | UnknownPriceError
 */
export async function followCustomer(
  { database, provider, prices, log, metrics }: CustomerReading,
  customerId: string,
): Promise<WrittenRead | null> {
  const read = await beginRead(database, { provider: provider.name, customerId });
  if (read === null) return null;
  const subscriptionStatus = standingOf(await provider.readSubscriptions(customerId), prices);
  const written = await applySubscription(database, read, subscriptionStatus);
  const { followed, eventsApplied } = written;
  metrics.paymentEvents.inc({ outcome: 'applied' }, eventsApplied);
  if (followed.kind === 'changed') {
    const { tenantId } = read;
    log.info({ tenantId, from: followed.from, to: followed.to }, 'plan changed by a payment');
  }
  return written;
}
