const EVERY_MS = 20;
/** Weight of the latest sample: the figure covers about the last tenth of a second. */
const NEWEST = 0.2;

/**
 * How late timers fire in this process, smoothed: because of its own work that blocks the event loop,
 * or because other processes use the processors.
 */
export class EventLoopDelay {
  private smoothMs = 0;
  private dueAtMs = performance.now() + EVERY_MS;
  private readonly timer = setInterval(() => this.sample(), EVERY_MS).unref();

  get delayMs(): number {
    // A blocked event loop takes no samples either.
    return Math.max(this.smoothMs, NEWEST * (performance.now() - this.dueAtMs));
  }

  close(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const nowMs = performance.now();
    this.smoothMs += NEWEST * (Math.max(0, nowMs - this.dueAtMs) - this.smoothMs);
    this.dueAtMs = nowMs + EVERY_MS;
  }
}
