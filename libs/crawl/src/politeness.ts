/** The signal of one finished request about its host. */
export type HostSignal =
  /** Answered; how long it took. */
  | { readonly kind: 'answered'; readonly latencyMs: number }
  /**
   * 429, 503 or a timeout: the host requests a slower pace. `retryAfterMs` when it said how long to
   * wait.
   */
  | { readonly kind: 'backoff'; readonly retryAfterMs: number | null }
  /** The request never reached the host (guard, robots, our own fault). */
  | { readonly kind: 'silent' };

export interface HostPace {
  /** Requests that may be in flight to the host; dispatch uses its whole part. */
  readonly windowSize: number;
  /** Smoothed latency of the host, null before the first answer. */
  readonly typicalMs: number | null;
}

export interface PaceLimits {
  readonly maxWindow: number;
}

/** Part of a window gained by one fast answer: a window doubles in about two rounds. */
const GROWTH = 0.5;
const SMOOTHING = 0.2;
/** An answer this many times slower than typical is a slow-down, unless it is fast in itself. */
const SLOW_FACTOR = 4;
const ALWAYS_FAST_MS = 300;

/**
 * Adaptive window of a host: grows while answers stay fast, halves on 429, 503, timeouts and
 * slow-downs, never under 1. One halving per batch: signals of one batch left together.
 */
export function adaptPace(
  pace: HostPace,
  signals: readonly HostSignal[],
  limits: PaceLimits,
): HostPace {
  let { windowSize, typicalMs } = pace;
  let shrink = false;
  for (const signal of signals) {
    if (signal.kind === 'backoff') shrink = true;
    if (signal.kind !== 'answered') continue;
    if (isSlow(signal.latencyMs, typicalMs)) shrink = true;
    else windowSize += GROWTH;
    typicalMs = smooth(typicalMs, signal.latencyMs);
  }
  if (shrink) windowSize = pace.windowSize / 2;
  return { windowSize: Math.min(limits.maxWindow, Math.max(1, windowSize)), typicalMs };
}

function isSlow(latencyMs: number, typicalMs: number | null): boolean {
  return typicalMs !== null && latencyMs > ALWAYS_FAST_MS && latencyMs > typicalMs * SLOW_FACTOR;
}

function smooth(typicalMs: number | null, latencyMs: number): number {
  return typicalMs === null ? latencyMs : typicalMs + SMOOTHING * (latencyMs - typicalMs);
}

/**
 * Longest pause a Retry-After can request; beyond it the page is better tried again than parked.
 */
export const MAX_RETRY_AFTER_MS = 10 * 60_000;

/**
 * Longest Crawl-delay that is kept. Hosts are shared by all tenants, and a file that requests days
 * would stop a site for every tenant; a site that wants no robots says Disallow.
 */
export const MAX_CRAWL_DELAY_MS = 10 * 60_000;

/** Longest time that a page holds its worker to keep a Crawl-delay among its own requests. */
const MAX_PAGE_HOLD_MS = 10_000;
/** Requests of a page that wait for their turn: a redirect or two, a second rung. */
const PACED_REQUESTS = 3;

/**
 * How long the requests of one page may wait for each other under a Crawl-delay. A delay
 * reschedules pages; within a page it can only be waited for.
 */
export function pageHoldMs(crawlDelayMs: number): number {
  return Math.min(MAX_PAGE_HOLD_MS, PACED_REQUESTS * crawlDelayMs);
}

/** The longest wait that the signals of one batch request, 0 when none does. */
export function requestedPauseMs(signals: readonly HostSignal[]): number {
  const pauses = signals.map((s) => (s.kind === 'backoff' ? (s.retryAfterMs ?? 0) : 0));
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ...pauses));
}
