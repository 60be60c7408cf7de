import { parseRetryAfter } from '@app/egress';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after the first attempt, which is made at once (Standard Webhooks: Retry schedule): 75 h 35 min. */
export const RETRY_WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
export const MAX_ATTEMPTS = RETRY_WAITS_MS.length + 1;

/**
 * Random share by which a wait is longer or shorter, so that deliveries that failed together do not
 * return together.
 */
const JITTER = 0.1;
/** A receiver may request more time than the schedule has, up to its longest wait. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * Milliseconds until the attempt after `attempts`; null when that was the last.
 * @param random from 0 to 1
 * @param retryAfterMs requested by the receiver; makes a wait longer, never shorter
 */
export function retryWaitMs(
  attempts: number,
  random: number,
  retryAfterMs: number | null,
): number | null {
  const wait = RETRY_WAITS_MS[attempts - 1];
  if (wait === undefined) return null;
  const jittered = wait * (1 + JITTER * (2 * random - 1));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/** Retry-After of a 429 or 503, in milliseconds; null for any other answer. */
export function retryAfterHeaderMs(
  status: number,
  header: string | string[] | undefined,
  nowMs: number,
): number | null {
  return status === 429 || status === 503 ? parseRetryAfter(header, nowMs) : null;
}
