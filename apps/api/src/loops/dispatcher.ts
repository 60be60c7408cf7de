import type { Runtime } from '@app/runtime';
import { deleteOutbox, DispatchRounds, leasedPages, type DispatchedBatch } from '@app/store';

/**
 * Pages that wait in the broker beside those that are worked on: who comes next waits this part of a
 * page's time for them, and no fetcher waits for the next page.
 */
const WAITING_PART = 0.25;
const LEAST_WAITING = 2;
const CAPACITY_HALF_LIFE_MS = 2_000;
/** While the queue is full, pages that end wake the round; this is for what nobody announces. */
const FULL_WAIT_MS = 50;

/**
 * Leases due pages and publishes them, keeping only a small window in the broker so that cancel and
 * fairness act at once. Safe in any number of replicas: rows are locked, a message is only a hint.
 */
export class Dispatcher {
  private readonly rounds: DispatchRounds;
  private peak = { working: 0, atMs: 0 };

  constructor(private readonly runtime: Runtime) {
    this.rounds = new DispatchRounds(runtime.store, {
      leaseMs: runtime.settings.leaseMs,
      publish: (batches) => this.publish(batches),
    });
  }

  /** One round; see BackgroundLoop. */
  async round(): Promise<number | null> {
    const { queue } = this.runtime;
    // Leasing pages that cannot be published would only let their leases run out.
    if (!queue.isConnected) await queue.ping();
    const room = await this.room();
    if (room <= 0) return FULL_WAIT_MS;
    const { pages, waitMs } = await this.rounds.round(room);
    return pages >= room ? FULL_WAIT_MS : waitMs;
  }

  /** As many pages as the fetchers work on, and a part of that to wait. */
  private async room(): Promise<number> {
    const { queue, store, settings } = this.runtime;
    const depth = await queue.depth('crawl');
    const leased = await leasedPages(store);
    const capacity = this.capacity(Math.max(0, leased - depth));
    const waiting = Math.max(LEAST_WAITING, Math.ceil(capacity * WAITING_PART));
    return Math.min(capacity + waiting - leased, settings.crawlQueueTarget - depth);
  }

  /** The most that was worked on of late: pages end in groups, and those that follow are not to come one by one. */
  private capacity(working: number): number {
    const nowMs = performance.now();
    const kept = this.peak.working * 0.5 ** ((nowMs - this.peak.atMs) / CAPACITY_HALF_LIFE_MS);
    this.peak = { working: Math.max(working, kept), atMs: nowMs };
    return Math.ceil(this.peak.working);
  }

  /** What is not confirmed stays in the outbox for the relay. A message outlives its lease by nothing. */
  private async publish(batches: readonly DispatchedBatch[]): Promise<void> {
    const { queue, store, settings, metrics } = this.runtime;
    const startedAt = performance.now();
    await queue.publishMany(
      'crawl',
      batches.flatMap(({ messages }) => messages),
      { ttlMs: settings.leaseMs },
    );
    metrics.outboxLag.observe((performance.now() - startedAt) / 1_000);
    await deleteOutbox(
      store,
      batches.map(({ outboxId }) => outboxId),
    );
  }
}
