import type { JobStatus, JobType } from '@app/contracts';
import type { RecrawlChange } from '@app/crawl';

/**
 * pending: to be sent, now or at its next time. delivered: a 2xx came. failed: every attempt of its
 * schedule was used up. disabled: its address had answered 410, then or before.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'disabled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why an attempt did not deliver. */
export const ATTEMPT_ERRORS = [
  /** No answer within the time. */
  'timeout',
  /** Not reachable: refused, reset, TLS, or a name that does not resolve. */
  'network',
  /** The receiver does not speak HTTP. */
  'invalid_answer',
  /** The egress guard refuses the address the name has now. */
  'blocked_address',
  /** 3xx, which is not followed. */
  'redirect',
  /** 410: the address is disabled. */
  'gone',
  /** Any other status that is not 2xx. */
  'http_status',
  /** The process that sent it stopped; whether it arrived is not known. */
  'interrupted',
  /** An internal fault: nothing was sent. */
  'internal',
] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** The job of an event. Ended jobs do not change, so every attempt sends the same. */
export interface EndedJob {
  readonly id: string;
  readonly tenantId: string;
  readonly type: JobType;
  readonly url: string;
  readonly status: JobStatus;
  readonly scraped: number;
  readonly resultKey: string | null;
  readonly completedAt: Date | null;
  /** It came by /v2. */
  readonly isV2: boolean;
  /** Pages of a recrawl by how they differ, without those that are none; null: it is no recrawl. */
  readonly changes: Partial<Record<RecrawlChange, number>> | null;
}

/** A delivery that was taken to be sent: its receiver is leased to the taker. */
export interface TakenDelivery {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  /** Origin of the address: receives one delivery of a tenant at a time. */
  readonly receiver: string;
  /** Proof of the lease. */
  readonly lease: string;
  /** Grows with each requested redelivery. */
  readonly round: number;
  /** Attempts of this round's schedule, this one included. */
  readonly step: number;
  /** Number of this attempt over all rounds, from 1. */
  readonly attemptNo: number;
  /** When the attempt began, by the clock of the database. */
  readonly at: Date;
  readonly event: DeliveredEvent;
}

/** An event that is sent: the end of a job, or of a feed with its body as it was written. */
export type DeliveredEvent =
  | { readonly kind: 'job'; readonly job: EndedJob }
  | {
      readonly kind: 'feed';
      readonly feedId: string;
      /** Such as `feed.rows`. */
      readonly name: string;
      readonly body: string;
    };
