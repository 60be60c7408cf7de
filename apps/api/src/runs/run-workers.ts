import { ApiError } from '@app/contracts';
import { BackgroundLoop, LeaseKeeper, type Loop, type LoopGroup, type Runtime } from '@app/runtime';
import { BadRowError } from '../connectors/connector-rows.js';

/** Runs of one kind that one process works on at a time. */
const WORKERS = 4;
/** The run of a dead worker goes on elsewhere after this time; a live one renews it three times as often. */
export const RUN_LEASE_MS = 15_000;
/** A run that fails, or loses its worker, this often never succeeds. */
export const MAX_RUN_ATTEMPTS = 3;
/** Before the second attempt; later ones wait longer. */
export const RUN_RETRY_MS = 5_000;
/** Rows of one transaction, and how long the first of them waits for others. */
export const PART_ROWS = 100;
export const PART_MS = 1_000;

/** The run is no longer this worker's: it was cancelled or deleted, or its lease went to another one. */
export class LostRunError extends Error {
  override readonly name = 'LostRunError';
}

/** The workers of a process for one kind of run of connectors: pulls, or feeds. */
export class RunWorkers {
  private readonly stop = new AbortController();
  private loops: readonly BackgroundLoop[] = [];

  constructor(
    private readonly kind: 'pull' | 'feed',
    private readonly log: Runtime['log'],
  ) {}

  /** Aborted when the process stops. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** Its loops, for the process to start and stop: each claims a run, works on it, and claims the next. */
  open<Claimed>(
    claim: () => Promise<Claimed | null>,
    work: (claimed: Claimed) => Promise<void>,
  ): LoopGroup {
    const { kind, log } = this;
    const round = async (): Promise<number | null> => {
      const claimed = this.stopping.aborted ? null : await claim();
      if (claimed === null) return null;
      await work(claimed);
      return 0;
    };
    const loop: Loop = { name: kind, intervalMs: 1_000, round };
    this.loops = Array.from({ length: WORKERS }, () => new BackgroundLoop({ ...loop, log }));
    return {
      loops: this.loops,
      abort: () => this.stop.abort(new Error('stopping')),
      close: () => Promise.resolve(),
    };
  }

  /** A run waits. */
  wake(): void {
    for (const loop of this.loops) loop.wake();
  }

  /** Renews a lease until `release` is called; `lost` is aborted once it is another worker's. */
  keepLease(renew: () => Promise<boolean>): { readonly lost: AbortSignal; release(): void } {
    const leases = new LeaseKeeper<null>({
      kind: `${this.kind}s`,
      log: this.log,
      leaseMs: RUN_LEASE_MS,
      renew: async (held) => ((await renew()) ? [] : held),
    });
    return { lost: leases.hold(null), release: () => leases.close() };
  }
}

/** Another attempt would end the same. */
export function isFinal(error: unknown): boolean {
  if (error instanceof BadRowError) return true;
  return error instanceof ApiError && (error.row.status < 500 || error.isPermanent);
}

/** Why a run failed, as its tenant reads it. @param run such as `pull`, and the longest time of one */
export function problemOf(
  error: unknown,
  run: { readonly name: string; readonly longest: string },
): string {
  if (error instanceof BadRowError) return `The ${run.name} failed: ${error.message}.`;
  if (error instanceof ApiError) return error.sentence;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `The ${run.name} took longer than ${run.longest}. Its rows so far are kept.`;
  return 'The connector failed. Its rows so far are kept.';
}
