import { payPerCallTerms } from '@app/config';
import type { Runtime } from '@app/runtime';
import { giveUpSettlements, sweepPayerWindows, sweepPayments } from '@app/accounts';

const INTERVAL_MS = 60_000;
const BATCH = 500;
/** Far longer than a facilitator is waited for. */
const GIVE_UP_AFTER_SECONDS = 600;
/** Long past the end of what was signed: a network takes it no more. */
const KEPT_DAYS = 90;

/** The background work of pay-per-call, none where it is off; see BackgroundLoop. */
export function paymentLoops(runtime: Runtime): readonly {
  readonly name: string;
  readonly intervalMs: number;
  readonly round: () => Promise<number | null>;
}[] {
  if (payPerCallTerms(runtime.settings) === null) return [];
  const round = (): Promise<number | null> => tidy(runtime);
  return [{ name: 'pay-per-call', intervalMs: INTERVAL_MS, round }];
}

async function tidy({ store, log, metrics }: Runtime): Promise<number | null> {
  const options = { olderThanSeconds: GIVE_UP_AFTER_SECONDS, limit: BATCH };
  const givenUp = await giveUpSettlements(store, options);
  if (givenUp > 0) {
    metrics.payPerCallPayments.inc({ outcome: 'unknown' }, givenUp);
    log.error({ payments: givenUp }, 'nobody knows whether payments were settled');
  }
  const swept = await sweepPayments(store, { olderThanDays: KEPT_DAYS, limit: BATCH });
  const windows = await sweepPayerWindows(store, BATCH);
  return swept >= BATCH || windows === BATCH ? 0 : null;
}
