import type { Runtime } from '@app/runtime';
import {
  deleteOutbox,
  dispatchCandidates,
  leasePages,
  nextDueInMs,
  type Candidate,
  type DispatchedBatch,
} from '@app/store';

const MAX_CANDIDATES = 64;
/** The broker is asked for its queue length at most this often; between, dispatched pages are added up. */
const DEPTH_TTL_MS = 200;

/** What is due already waits for somebody else's lock, for a moment. */
const MIN_WAIT_MS = 5;

/**
 * Leases due pages and publishes them, keeping only a small window in the broker so that cancel and
 * fairness act at once. Safe in any number of replicas: rows are locked, a message is only a hint.
 */
export class Dispatcher {
  private depth = 0;
  private depthReadAt = -Infinity;

  constructor(private readonly runtime: Runtime) {}

  /** One round; see BackgroundLoop. */
  async round(): Promise<number | null> {
    const { queue, store, settings } = this.runtime;
    // Leasing pages that cannot be published would only let their leases run out.
    if (!queue.isConnected) await queue.ping();
    const room = settings.crawlQueueTarget - (await this.queueDepth());
    if (room <= 0) return DEPTH_TTL_MS;
    const candidates = await dispatchCandidates(store, Math.min(room, MAX_CANDIDATES));
    if (candidates.length > 0) {
      const perCandidate = Math.max(1, Math.floor(room / candidates.length));
      const { pages, isMore } = await this.dispatch(candidates, perCandidate);
      if (pages > 0 && isMore) return 0;
    }
    // Whatever was leased now: a host whose pause ends meanwhile is nobody's to announce.
    const inMs = await nextDueInMs(store);
    return inMs === null ? null : Math.max(inMs, MIN_WAIT_MS);
  }

  private async dispatch(
    candidates: readonly Candidate[],
    perCandidate: number,
  ): Promise<{ pages: number; isMore: boolean }> {
    const { store, settings } = this.runtime;
    let pages = 0;
    let isMore = false;
    for (const [, own] of Map.groupBy(candidates, (candidate) => candidate.tenantId)) {
      const batches = await leasePages(store, own, { perCandidate, leaseMs: settings.leaseMs });
      await this.publish(batches);
      for (const { messages } of batches) {
        pages += messages.length;
        isMore ||= messages.length === perCandidate;
      }
    }
    this.depth += pages;
    return { pages, isMore };
  }

  /** What is not confirmed stays in the outbox for the relay. A message outlives its lease by nothing. */
  private async publish(batches: readonly DispatchedBatch[]): Promise<void> {
    if (batches.length === 0) return;
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
