import type { TrawlError } from './trawl-error.js';

/** The longest delay that a call waits for by itself: a rate window is 60 s. */
const MAX_WAIT_MS = 120_000;
const MAX_BACKOFF_MS = 30_000;
/** Part of a delay that is random, so that clients which failed together do not retry together. */
const JITTER = 0.5;

export interface RetryTerms {
  /** Number of further attempts after the first one. */
  readonly retries: number;
  /** Delay before the second attempt without a Retry-After; doubles with each attempt. */
  readonly firstDelayMs: number;
  /** How long a call waits for an earlier attempt of itself that still runs on the server. */
  readonly runningMs: number;
}

/** Decides about the attempts of one call. */
export class RetryPolicy {
  private failures = 0;
  private runningSince: number | undefined;

  constructor(private readonly terms: RetryTerms) {}

  /** Milliseconds until the next attempt; undefined when the error is final. */
  delayAfter(error: TrawlError): number | undefined {
    if (!error.retryable) return undefined;
    if (error.code === 'idempotency_key_running') return this.delayWhileRunning(error);
    if (++this.failures > this.terms.retries) return undefined;
    const { retryAfterMs } = error;
    if (retryAfterMs === undefined) return backoffMs(this.terms.firstDelayMs, this.failures);
    return retryAfterMs > MAX_WAIT_MS ? undefined : withJitter(retryAfterMs, retryAfterMs / 10);
  }

  /** The work is in progress, so waiting is no failure; its result is kept for this call. */
  private delayWhileRunning({ retryAfterMs = 2_000 }: TrawlError): number | undefined {
    const now = performance.now();
    this.runningSince ??= now;
    return now - this.runningSince > this.terms.runningMs ? undefined : retryAfterMs;
  }
}

/** Exponential back-off with jitter. @param failures from 1 */
export function backoffMs(firstMs: number, failures: number): number {
  const fullMs = Math.min(MAX_BACKOFF_MS, firstMs * 2 ** (failures - 1));
  return withJitter(fullMs * (1 - JITTER), fullMs * JITTER);
}

function withJitter(leastMs: number, moreMs: number): number {
  return leastMs + Math.random() * moreMs;
}
