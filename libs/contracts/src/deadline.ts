/**
 * One point in time shared by every step of a task, from the HTTP edge to the socket
 * (design invariant 10). Pass the object on; never a fresh timeout.
 */
export class Deadline {
  private constructor(
    /** Epoch milliseconds at which the work must have answered. */
    readonly atMs: number,
    private readonly now: () => number,
  ) {}

  static after(ms: number, now: () => number = Date.now): Deadline {
    return new Deadline(now() + ms, now);
  }

  static at(epochMs: number, now: () => number = Date.now): Deadline {
    return new Deadline(epochMs, now);
  }

  /** Milliseconds left; 0 once passed. */
  remainingMs(): number {
    return Math.max(0, this.atMs - this.now());
  }

  get isPassed(): boolean {
    return this.remainingMs() === 0;
  }

  /** The earlier of this deadline and `ms` from now: a step's share of the whole. */
  within(ms: number): Deadline {
    return new Deadline(Math.min(this.atMs, this.now() + ms), this.now);
  }
}
