import type { Runtime } from '@app/runtime';
import { deleteOutbox } from './outbox.js';
import { DispatchRounds } from './dispatch-rounds.js';
import { leasedPages, type DispatchedBatch } from './dispatch-pages.js';
import { BrokerRoom } from './broker-room.js';

/**
 * While the queue is full, ending pages wake the round; the timer covers cases without an event.
 */
const FULL_WAIT_MS = 50;

/**
 * Leases due pages and publishes them, keeping only a small window in the broker so that cancel and
 * fairness act at once. Safe in any number of replicas: rows are locked, a message is only a hint.
 */
export class Dispatcher {
  private readonly rounds: DispatchRounds;
  private readonly room: BrokerRoom;

  constructor(
    private readonly runtime: Pick<Runtime, 'database' | 'settings' | 'metrics' | 'queue'>,
  ) {
    this.room = new BrokerRoom({ mostWaiting: runtime.settings.crawlQueueTarget });
    this.rounds = new DispatchRounds(runtime.database, {
      leaseMs: runtime.settings.leaseMs,
      publish: (batches) => this.publish(batches),
    });
  }

  /** One round; see BackgroundLoop. */
  async round(): Promise<number | null> {
    const { queue, database } = this.runtime;
    // Leasing pages that cannot be published would only let their leases run out.
    if (!queue.isConnected) await queue.ping();
    const waiting = await queue.depth('crawl');
    const room = this.room.pages(await leasedPages(database), waiting);
    if (room <= 0) return FULL_WAIT_MS;
    const { pages, waitMs } = await this.rounds.round(room);
    this.room.used(pages >= room);
    return pages >= room ? FULL_WAIT_MS : waitMs;
  }

  /** Unconfirmed messages stay in the outbox for the relay. A message expires with its lease. */
  private async publish(batches: readonly DispatchedBatch[]): Promise<void> {
    const { queue, database, settings, metrics } = this.runtime;
    const startedAt = performance.now();
    await queue.publishMany(
      'crawl',
      batches.flatMap(({ messages }) => messages),
      { ttlMs: settings.leaseMs },
    );
    metrics.outboxLag.observe((performance.now() - startedAt) / 1_000);
    await deleteOutbox(
      database,
      batches.map(({ outboxId }) => outboxId),
    );
  }
}
