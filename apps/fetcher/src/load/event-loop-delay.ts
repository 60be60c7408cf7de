const EVERY_MS = 20;
/** Part of the new look in the figure: it is that of the last tenth of a second or so. */
const NEWEST = 0.2;

/**
 * How late timers fire in this process, smoothed: by work of its own that holds the event loop, and by
 * processors that others have.
 */
export class EventLoopDelay {
  private smoothMs = 0;
  private dueAtMs = performance.now() + EVERY_MS;
  private readonly timer = setInterval(() => this.look(), EVERY_MS).unref();

  get lateMs(): number {
    // A loop that stands still does not look either.
    return Math.max(this.smoothMs, NEWEST * (performance.now() - this.dueAtMs));
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const nowMs = performance.now();
    this.smoothMs += NEWEST * (Math.max(0, nowMs - this.dueAtMs) - this.smoothMs);
    this.dueAtMs = nowMs + EVERY_MS;
  }
}
