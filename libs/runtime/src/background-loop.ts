import type { Channel } from '@app/database';
import type { Logger } from '@app/telemetry';

/** One piece of background work, repeated in any number of replicas. */
export interface Loop {
  readonly name: string;
  /** Maximum interval between two runs without a wake. */
  readonly intervalMs: number;
  /** Minimum interval between two runs: several wakes within it cause one run. @default 0 */
  readonly minGapMs?: number;
  /** Notifications of the database that wake it. @default none */
  readonly wokenBy?: Channel;
  /**
   * One round. Returns milliseconds until the next one, 0 for at once, null to wait for a wake or the interval.
   */
  readonly round: () => Promise<number | null>;
}

export interface LoopOptions extends Loop {
  readonly log: Logger;
}

/** The background work of one subject. */
export interface LoopGroup {
  readonly loops: readonly BackgroundLoop[];
  /** Aborts long work, so that the rounds end. */
  abort(): void;
  /** After the last round. */
  close(): Promise<void>;
}

const FAILED_ROUND_MS = 1_000;

/** Repeats a round of background work, one at a time, until stopped. A failed round is logged and tried again. */
export class BackgroundLoop {
  private timer: NodeJS.Timeout | undefined;
  /** When the timer fires; Infinity without one. */
  private dueAt = Infinity;
  private running: Promise<void> | undefined;
  private wokenWhileRunning = false;
  private stopped = true;

  constructor(private readonly options: LoopOptions) {}

  get wokenBy(): Channel | undefined {
    return this.options.wokenBy;
  }

  start(): void {
    this.stopped = false;
    this.schedule(0);
  }

  /** Runs a round soon. */
  wake(): void {
    if (this.running) this.wokenWhileRunning = true;
    else this.schedule(this.options.minGapMs ?? 0);
  }

  /** Resolves when the round in progress, if any, has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    this.dueAt = Infinity;
    await this.running;
  }

  /** Moves the next round forward, never back: continuous wakes must not delay it. */
  private schedule(delayMs: number): void {
    const dueAt = performance.now() + delayMs;
    if (this.stopped || dueAt >= this.dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = dueAt;
    this.timer = setTimeout(() => {
      this.dueAt = Infinity;
      this.running = this.runRound();
    }, delayMs);
  }

  private async runRound(): Promise<void> {
    const { name, log, intervalMs, minGapMs = 0, round } = this.options;
    this.wokenWhileRunning = false;
    let wantedMs: number | null = null;
    try {
      wantedMs = await round();
    } catch (err) {
      log.warn({ err, loop: name }, 'a round of background work failed');
      wantedMs = FAILED_ROUND_MS;
      this.wokenWhileRunning = false;
    }
    this.running = undefined;
    const next = Math.min(intervalMs, wantedMs ?? intervalMs);
    this.schedule(this.wokenWhileRunning ? minGapMs : next);
  }
}
