import { PaymentProviderError } from '@app/providers';
import {
  deferPaymentEvent,
  endPaymentEvent,
  takePaymentEvents,
  type TakenEvent,
} from './payment-events.js';
import type { Logger } from '@app/telemetry';
import { UnknownPriceError } from './entitled-plan.js';
import { followCustomer, type CustomerReading } from './follow-customer.js';

/** Events taken by one round; their customers are read at the same time. */
const EVENTS_PER_ROUND = 20;
/** All tries of one request to the provider, with their pauses, take half a minute. */
const LEASE_MS = 60_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after failed attempts: three days in total, so that an operator can fix the cause. */
export const EVENT_WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
  48 * HOUR_MS,
];

export interface EventApplierOptions extends CustomerReading {
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** @default EVENT_WAITS_MS */
  readonly waitsMs?: readonly number[];
  /** @default 60_000 */
  readonly leaseMs?: number;
}

/**
 * Applies payment events, in any number of replicas. An event only says which customer to read: the
 * subscriptions are fetched and the paid plan is stored, so events may come twice, late or in any
 * order. Of two concurrent readings the one that began later counts. A failed event is retried by a
 * schedule, and ends as `failed` with its reason.
 */
export class EventApplier {
  private isStopping = false;

  constructor(private readonly options: EventApplierOptions) {}

  /** One round; see BackgroundLoop. */
  async round(): Promise<number | null> {
    const { database, provider, leaseMs = LEASE_MS } = this.options;
    const { taken, failed } = await takePaymentEvents(database, {
      provider: provider.name,
      most: EVENTS_PER_ROUND,
      leaseMs,
      maxAttempts: this.waitsMs.length + 1,
    });
    for (const { id } of failed) this.noteAbandoned(id, 'broken off each time');
    const byCustomer = Map.groupBy(taken, ({ customerId }) => customerId);
    await Promise.all(
      [...byCustomer].map(([customerId, events]) => this.apply(customerId, events)),
    );
    return taken.length > 0 && !this.isStopping ? 0 : null;
  }

  /** From now on a failure is an abort, and does not count as an attempt. */
  stop(): void {
    this.isStopping = true;
  }

  private get waitsMs(): readonly number[] {
    return this.options.waitsMs ?? EVENT_WAITS_MS;
  }

  private async apply(customerId: string, events: readonly TakenEvent[]): Promise<void> {
    try {
      await this.follow(customerId, events);
    } catch (error) {
      for (const event of events) await this.afterFailure(event, error);
    }
  }

  private async follow(customerId: string, events: readonly TakenEvent[]): Promise<void> {
    const { database, provider, metrics } = this.options;
    if ((await followCustomer(this.options, customerId)) !== null) return;
    const end = { state: 'ignored', error: 'no account has this customer' } as const;
    for (const { id } of events) {
      await endPaymentEvent(database, { provider: provider.name, id }, end);
    }
    metrics.paymentEvents.inc({ outcome: 'ignored' }, events.length);
  }

  private async afterFailure({ id, attempts }: TakenEvent, error: unknown): Promise<void> {
    const { database } = this.options;
    const event = { provider: this.options.provider.name, id };
    if (this.isStopping) {
      return deferPaymentEvent(database, event, { inMs: 0, error: null, isCounted: false });
    }
    const reason = reasonOf(error);
    const waitMs = this.waitsMs[attempts - 1];
    if (waitMs === undefined) {
      this.noteAbandoned(id, reason);
      return endPaymentEvent(database, event, { state: 'failed', error: reason });
    }
    this.options.log.warn({ err: error, eventId: id, attempts }, 'a payment event was not applied');
    this.options.metrics.paymentEvents.inc({ outcome: 'retried' });
    await deferPaymentEvent(database, event, { inMs: waitMs, error: reason, isCounted: true });
  }

  private noteAbandoned(eventId: string, reason: string): void {
    this.options.metrics.paymentEvents.inc({ outcome: 'given_up' });
    this.options.log.error({ eventId, reason }, 'a payment event was given up');
  }
}

/** For the event log. Database errors may quote values of a statement. */
function reasonOf(error: unknown): string {
  const isOurs = error instanceof PaymentProviderError || error instanceof UnknownPriceError;
  return isOurs ? error.message : 'internal error';
}
