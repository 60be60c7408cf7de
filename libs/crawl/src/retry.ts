import type { ErrorClass } from '@app/contracts';
import { MAX_RETRY_AFTER_MS } from './politeness.js';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** Whether the same request may succeed later: the network, the host's load, our own bad luck. */
export function isTransient(errorClass: ErrorClass, statusCode: number | null): boolean {
  if (errorClass === 'timeout' || errorClass === 'network') return true;
  return (
    errorClass === 'http_error' &&
    (statusCode === 429 || (statusCode !== null && statusCode >= 500))
  );
}

/**
 * Wait before attempt number `attempts + 1`: 1 s, 4 s, 16 s … at most a minute; Retry-After when longer,
 * up to {@link MAX_RETRY_AFTER_MS}: a page is better tried too early than parked for days.
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | null): number {
  const backoff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 4 ** Math.max(0, attempts - 1));
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(backoff, retryAfterMs ?? 0));
}
