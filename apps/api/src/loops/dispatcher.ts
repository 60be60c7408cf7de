import type { Runtime } from '@app/runtime';
import { deleteOutbox, DispatchRounds, type DispatchedBatch } from '@app/store';

/** The broker is asked for its queue length at most this often; between, dispatched pages are added up. */
const DEPTH_TTL_MS = 200;

/**
 * Leases due pages and publishes them, keeping only a small window in the broker so that cancel and
 * fairness act at once. Safe in any number of replicas: rows are locked, a message is only a hint.
 */
export class Dispatcher {
  private readonly rounds: DispatchRounds;
  private depth = 0;
  private depthReadAt = -Infinity;

  constructor(private readonly runtime: Runtime) {
    this.rounds = new DispatchRounds(runtime.store, {
      leaseMs: runtime.settings.leaseMs,
      publish: (batches) => this.publish(batches),
    });
  }

  /** One round; see BackgroundLoop. */
  async round(): Promise<number | null> {
    const { queue, settings } = this.runtime;
    // Leasing pages that cannot be published would only let their leases run out.
    if (!queue.isConnected) await queue.ping();
    const room = settings.crawlQueueTarget - (await this.queueDepth());
    if (room <= 0) return DEPTH_TTL_MS;
    const { pages, waitMs } = await this.rounds.round(room);
    this.depth += pages;
    return waitMs;
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

  private async queueDepth(): Promise<number> {
    const now = performance.now();
    if (now - this.depthReadAt > DEPTH_TTL_MS) {
      this.depth = await this.runtime.queue.depth('crawl');
      this.depthReadAt = now;
    }
    return this.depth;
  }
}
