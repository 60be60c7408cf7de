import { PAYMENT_CHANNEL } from '@app/database';
import type { Loop, Runtime } from '@app/runtime';
import { sweepPaymentEvents } from './payment-events.js';
import { EventApplier } from './event-applier.js';
import { missingSettings, openPayments } from './open-payments.js';
import { SubscriptionRereader } from './subscription-rereader.js';

const APPLY_INTERVAL_MS = 1_000;
const REREAD_INTERVAL_MS = 60_000;
const SWEEP_INTERVAL_MS = 600_000;
const SWEEP_BATCH = 500;
/** Stripe lists and resends events of at most 30 days. */
const KEPT_DAYS = 90;

/** The background work of billing; see BackgroundLoop. */
export interface EventLoops {
  readonly rounds: readonly Loop[];
  /** Aborts requests to the provider, so that the rounds end. */
  abort(): void;
  /** After the last round. */
  close(): Promise<void>;
}

/** Without rounds where billing is not configured. */
export function openEventLoops({
  settings,
  database,
  log,
  metrics,
}: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics'>): EventLoops {
  const payments = openPayments(settings);
  if (payments === null) {
    const missing = missingSettings(settings);
    // None of them set is a deployment without billing; some of them is a mistake.
    if (missing.length < 3) log.warn({ missing }, 'billing is off: settings are missing');
    return { rounds: [], abort: () => undefined, close: async () => undefined };
  }
  const { provider, prices } = payments;
  const applier = new EventApplier({ database, provider, prices, log, metrics });
  const rereader = new SubscriptionRereader({ database, provider, prices, log, metrics });
  const sweep = async () => {
    const swept = await sweepPaymentEvents(database, {
      olderThanDays: KEPT_DAYS,
      limit: SWEEP_BATCH,
    });
    return swept === SWEEP_BATCH ? 0 : null;
  };
  return {
    rounds: [
      {
        ...{ name: 'payments', intervalMs: APPLY_INTERVAL_MS, wokenBy: PAYMENT_CHANNEL },
        round: () => applier.round(),
      },
      { name: 'rereads', intervalMs: REREAD_INTERVAL_MS, round: () => rereader.round() },
      { name: 'payments sweep', intervalMs: SWEEP_INTERVAL_MS, round: sweep },
    ],
    abort() {
      applier.stop();
      rereader.stop();
      payments.abort();
    },
    close: () => payments.close(),
  };
}
