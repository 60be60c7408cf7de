import type { TaskConsumer } from '@app/broker';
import { LoadSignals } from './load-signals.js';

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
