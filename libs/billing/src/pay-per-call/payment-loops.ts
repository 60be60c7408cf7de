import { payPerCallTerms } from '@app/config';
import type { Loop, Runtime } from '@app/runtime';
import { giveUpSettlements, sweepPayments } from './claim-payment.js';
import { sweepPayerWindows } from './payer-window.js';

const INTERVAL_MS = 60_000;
const BATCH = 500;
/** Far longer than a facilitator is waited for. */
const GIVE_UP_AFTER_SECONDS = 600;
/** Long after the signature expired: a network no longer accepts it. */
const KEPT_DAYS = 90;

/** The background work of pay-per-call, none where it is off; see BackgroundLoop. */
export function paymentLoops(
  runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics'>,
): readonly Loop[] {
  if (payPerCallTerms(runtime.settings) === null) return [];
  const round = (): Promise<number | null> => tidy(runtime);
  return [{ name: 'pay-per-call', intervalMs: INTERVAL_MS, round }];
}

async function tidy({
  database,
  log,
  metrics,
}: Pick<Runtime, 'database' | 'log' | 'metrics'>): Promise<number | null> {
  const options = { olderThanSeconds: GIVE_UP_AFTER_SECONDS, limit: BATCH };
  const abandoned = await giveUpSettlements(database, options);
  if (abandoned > 0) {
    metrics.payPerCallPayments.inc({ outcome: 'unknown' }, abandoned);
    log.error({ payments: abandoned }, 'the settlement status of payments is unknown');
  }
  const swept = await sweepPayments(database, { olderThanDays: KEPT_DAYS, limit: BATCH });
  const windows = await sweepPayerWindows(database, BATCH);
  return swept >= BATCH || windows === BATCH ? 0 : null;
}
