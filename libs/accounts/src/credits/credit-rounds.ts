import type { Runtime } from '@app/runtime';
import { countReservations, releaseExpiredReservations } from './settle-credits.js';
import { reconcileCredits, type CreditDrift, type PeriodDrift } from './reconcile.js';
import { rollUpUsage } from './roll-up-usage.js';

/** Reservations released by one round. */
const RESERVATIONS_BATCH = 500;
/** Tenants, and past months, checked by one round. */
const RECONCILE_BATCH = 200;
/**
 * A difference is fixed at once, and the next round checks others: the metric stays long enough to
 * be scraped.
 */
const DRIFT_SHOWN_MS = 30 * 60_000;

type CreditRuntime = Pick<Runtime, 'database' | 'metrics' | 'log'>;

interface Found {
  readonly atMs: number;
  readonly credits: number;
}

/** Background work on credits, safe in any number of replicas. */
export class CreditRounds {
  private found: readonly Found[] = [];

  constructor(
    private readonly runtime: CreditRuntime,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** Releases the reservations of calls whose process died. */
  async releaseExpired(): Promise<number | null> {
    const { database, metrics } = this.runtime;
    const onReturned = (credits: number): void =>
      metrics.creditsRefunded.inc({ reason: 'expired' }, credits);
    const released = await releaseExpiredReservations(database, {
      limit: RESERVATIONS_BATCH,
      onReturned,
    });
    metrics.creditReservations.set(await countReservations(database));
    return released === RESERVATIONS_BATCH ? 0 : null;
  }

  /** Compares balances and closed months with the credit ledger. */
  async reconcile(): Promise<null> {
    const { database, metrics, log } = this.runtime;
    const { balances, periods } = await reconcileCredits(database, { limit: RECONCILE_BATCH });
    for (const drift of balances)
      log.error({ drift }, 'a balance of credits differed from the ledger');
    for (const drift of periods) log.error({ drift }, 'a closed month differed from the ledger');
    const credits = sum(balances.map(sizeOf)) + sum(periods.map(sizeOfPeriod));
    metrics.creditDrift.set(this.driftAfter(credits));
    return null;
  }

  /** Sums up the spent credits for reports. */
  async rollUp(): Promise<null> {
    await rollUpUsage(this.runtime.database);
    return null;
  }

  private driftAfter(credits: number): number {
    const atMs = this.nowMs();
    const recent = this.found.filter((one) => one.atMs > atMs - DRIFT_SHOWN_MS);
    this.found = credits === 0 ? recent : [...recent, { atMs, credits }];
    return sum(this.found.map((one) => one.credits));
  }
}

function sizeOf({ grantLeft, toppedUp, overage, granted }: CreditDrift): number {
  return sum([grantLeft, toppedUp, overage, granted].map(Math.abs));
}

function sizeOfPeriod({ drift }: PeriodDrift): number {
  return Math.abs(drift);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
