import { setTimeout as pause } from 'node:timers/promises';

export interface CrawlThrottleOptions {
  /** Whether somebody waits for an answer of this process. */
  readonly isCallerWaiting: () => boolean;
  /** How late the event loop has been of late, in milliseconds. */
  readonly lateMs: () => number;
  /** @default 500 */
  readonly longestMs?: number;
}

/** A loop late by this much lets every step of a scrape wait so long, and a scrape has dozens. */
const LATE_MS = 5;
/** A page of a crawl waits no longer: crawls beside many scrapes go slowly, and go on. */
const LONGEST_MS = 500;
const LOOK_AGAIN_MS = 25;

/**
 * Where the processors are busy, pages of crawls begin later while somebody waits for a scrape. With
 * processors to spare nobody waits for anybody.
 */
export class CrawlThrottle {
  constructor(private readonly options: CrawlThrottleOptions) {}

  /** Resolves when the page may be begun; never rejects. */
  async turn(signal: AbortSignal): Promise<void> {
    const { longestMs = LONGEST_MS } = this.options;
    const endsAtMs = performance.now() + longestMs;
    while (this.isWanted() && performance.now() < endsAtMs && !signal.aborted)
      await pause(LOOK_AGAIN_MS);
  }

  private isWanted(): boolean {
    const { isCallerWaiting, lateMs } = this.options;
    return isCallerWaiting() && lateMs() > LATE_MS;
  }
}
