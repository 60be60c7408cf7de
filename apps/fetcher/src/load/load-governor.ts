import type { TaskConsumer } from '@app/broker';
import { containerMemory } from '@app/processes';

const CHECK_MS = 1_000;

/**
 * Slows the crawl down before memory or event loop are exhausted: halves its concurrency while the
 * process is overloaded, then restores one slot per second. Scrapes have and keep their own share.
 */
export class LoadGovernor {
  private timer: NodeJS.Timeout | undefined;
  private slots: number;

  constructor(
    private readonly consumer: Pick<TaskConsumer, 'setConcurrency'>,
    private readonly maxSlots: number,
    private readonly signals: Pick<
      LoadSignals,
      'start' | 'stop' | 'isOverloaded'
    > = new LoadSignals(),
  ) {
    this.slots = maxSlots;
  }

  start(): void {
    this.signals.start();
    this.timer = setInterval(() => this.adjust(), CHECK_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.signals.stop();
  }

  private adjust(): void {
    const wanted = this.signals.isOverloaded()
      ? Math.max(1, Math.floor(this.slots / 2))
      : Math.min(this.maxSlots, this.slots + 1);
    if (wanted === this.slots) return;
    this.slots = wanted;
    this.consumer.setConcurrency(wanted);
  }
}

const EVERY_MS = 500;
/** A timer that is later than this says that heartbeats are late too. */
const MAX_LATE_MS = 250;
/** Time that a decision covers, and the share of it in which the timer may be late. */
const COVERED_MS = 5_000;
const MAX_LATE_SHARE = 0.6;
/** Share of the container's memory above which no more work is taken. */
const MAX_MEMORY_SHARE = 0.85;

interface LoadSignalsOptions {
  /** @default that of the container, browsers and threads included */
  readonly memory?: () => { readonly used: number; readonly limit: number } | null;
}

/** Whether this process is loaded so much that taking more work would harm the work it has. */
export class LoadSignals {
  /** The intervals at whose end the timer was late. */
  private late: readonly { readonly endedAtMs: number; readonly tookMs: number }[] = [];
  private lastMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LoadSignalsOptions = {}) {}

  start(): void {
    this.lastMs = performance.now();
    this.timer = setInterval(() => this.sample(), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  isOverloaded(): boolean {
    const lateMs = this.late.reduce((sum, { tookMs }) => sum + tookMs, 0);
    return this.isMemoryShort() || lateMs > MAX_LATE_SHARE * COVERED_MS;
  }

  private sample(): void {
    const endedAtMs = performance.now();
    const tookMs = endedAtMs - this.lastMs;
    this.lastMs = endedAtMs;
    const late =
      tookMs > EVERY_MS + MAX_LATE_MS ? [...this.late, { endedAtMs, tookMs }] : this.late;
    this.late = late.filter((one) => one.endedAtMs > endedAtMs - COVERED_MS);
  }

  private isMemoryShort(): boolean {
    const memory = (this.options.memory ?? containerMemory)();
    return memory !== null && memory.used > memory.limit * MAX_MEMORY_SHARE;
  }
}
