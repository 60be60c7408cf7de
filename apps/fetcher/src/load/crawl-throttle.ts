import { setTimeout as pause } from 'node:timers/promises';

export interface CrawlThrottleOptions {
  /** Whether a caller waits for a scrape of this process. */
  readonly isCallerWaiting: () => boolean;
  /** Recent delay of the event loop, in milliseconds. */
  readonly delayMs: () => number;
  /** @default 500 */
  readonly longestMs?: number;
}

/** An event loop with this delay adds it to every step of a scrape, and a scrape has dozens. */
const DELAYED_MS = 5;
/** Longest wait of a crawled page: crawls beside many scrapes go slowly, but go on. */
const LONGEST_MS = 500;
const POLL_MS = 25;

/**
 * When the processors are busy, crawled pages start later while a caller waits for a scrape. With
 * idle processors nothing waits.
 */
export class CrawlThrottle {
  constructor(private readonly options: CrawlThrottleOptions) {}

  /** Resolves when the page may start; never rejects. */
  async turn(signal: AbortSignal): Promise<void> {
    const { longestMs = LONGEST_MS } = this.options;
    const endsAtMs = performance.now() + longestMs;
    while (this.isWanted() && performance.now() < endsAtMs && !signal.aborted) await pause(POLL_MS);
  }

  private isWanted(): boolean {
    const { isCallerWaiting, delayMs } = this.options;
    return isCallerWaiting() && delayMs() > DELAYED_MS;
  }
}
