import { extendLeases, stoppedJobs, type ClaimedPage } from '../frontier/claim-pages.js';
import { type Database } from '@app/database';
import type { Logger } from '@app/telemetry';

/** How soon a cancelled job is noticed; well under the 5 s within which its last request may leave. */
const STOP_CHECK_MS = 1_000;

/** A page this process is working on. */
export interface PageLease {
  readonly page: ClaimedPage;
  /** Aborts when the job was stopped, or when another worker has the page. */
  readonly signal: AbortSignal;
}

interface Held extends PageLease {
  readonly abort: AbortController;
}

/**
 * Keeps the leases of pages in work alive (heartbeat every third of a lease) and aborts the work of
 * those that are lost: a stopped process that wakes up again must not go on with a page that another
 * has taken over.
 */
export class LeaseKeeper {
  private readonly held = new Map<string, Held>();
  private readonly timers: NodeJS.Timeout[];
  private busy = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
    private readonly leaseMs: number,
  ) {
    this.timers = [
      setInterval(() => void this.once('extend', () => this.extend()), leaseMs / 3),
      setInterval(() => void this.once('stop', () => this.abortStopped()), STOP_CHECK_MS),
    ];
  }

  hold(page: ClaimedPage): PageLease {
    const abort = new AbortController();
    const lease: Held = { page, abort, signal: abort.signal };
    // The same page delivered twice: the older claim's write would be refused anyway.
    this.held.get(keyOf(page))?.abort.abort(new Error('claimed again'));
    this.held.set(keyOf(page), lease);
    return lease;
  }

  /** Pages of a job that this process is working on. */
  countOf(jobId: string): number {
    let count = 0;
    for (const { page } of this.held.values()) if (page.jobId === jobId) count++;
    return count;
  }

  release({ page }: PageLease): void {
    const key = keyOf(page);
    if (this.held.get(key)?.page.fence === page.fence) this.held.delete(key);
  }

  close(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  /** A slow database must not pile up checks. */
  private async once(name: string, work: () => Promise<void>): Promise<void> {
    if (this.busy.has(name) || this.held.size === 0) return;
    this.busy.add(name);
    try {
      await work();
    } catch (err) {
      this.log.warn({ err }, 'leases could not be checked');
    } finally {
      this.busy.delete(name);
    }
  }

  private async extend(): Promise<void> {
    const leases = [...this.held.values()];
    const kept = await extendLeases(
      this.database,
      leases.map(({ page }) => page),
      this.leaseMs,
    );
    const alive = new Set(kept.map((lease) => `${keyOf(lease)}/${lease.fence}`));
    for (const lease of leases) {
      if (!alive.has(`${keyOf(lease.page)}/${lease.page.fence}`)) this.abort(lease, 'lease lost');
    }
  }

  private async abortStopped(): Promise<void> {
    const jobs = new Set([...this.held.values()].map(({ page }) => page.jobId));
    const stopped = new Set(await stoppedJobs(this.database, [...jobs]));
    for (const lease of this.held.values()) {
      if (stopped.has(lease.page.jobId)) this.abort(lease, 'job stopped');
    }
  }

  private abort(lease: Held, reason: string): void {
    // A lease that ended normally meanwhile is not in the map any more.
    if (this.held.get(keyOf(lease.page)) === lease) lease.abort.abort(new Error(reason));
  }
}

function keyOf(page: { readonly jobId: string; readonly urlKey: string }): string {
  return `${page.jobId}/${page.urlKey}`;
}
