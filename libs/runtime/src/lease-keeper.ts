import type { Logger } from '@app/telemetry';

export interface LeaseKeeperOptions<T> {
  /** What is leased, for the log: `slots of calls`. */
  readonly kind: string;
  readonly log: Logger;
  /** A process that dies holds its leases for so long. */
  readonly leaseMs: number;
  /** Extends leases by `leaseMs`. @returns those that are lost, as far as it can tell */
  readonly renew: (held: readonly T[]) => Promise<readonly T[]>;
  /** Finds leases that are lost for another reason, sooner than `renew` would. @default none */
  readonly check?: {
    readonly everyMs: number;
    readonly findLost: (held: readonly T[]) => Promise<readonly T[]>;
  };
}

/**
 * Renews the leases that this process holds, all of them together, three times within a lease, and aborts the work of
 * those that are lost: a stopped process that wakes up again must not go on with work that another has taken over.
 */
export class LeaseKeeper<T> {
  private readonly work = new Map<T, AbortController>();
  private timers: readonly NodeJS.Timeout[] = [];

  constructor(private readonly options: LeaseKeeperOptions<T>) {}

  get held(): readonly T[] {
    return [...this.work.keys()];
  }

  /** @returns aborted once the lease is lost */
  hold(lease: T): AbortSignal {
    const abort = new AbortController();
    this.work.set(lease, abort);
    if (this.timers.length === 0) this.start();
    return abort.signal;
  }

  /** Renews it no longer. False: it was not held, or is lost. */
  release(lease: T): boolean {
    const wasHeld = this.work.delete(lease);
    if (this.work.size === 0) this.close();
    return wasHeld;
  }

  /** Aborts its work. */
  lose(lease: T): void {
    const abort = this.work.get(lease);
    // A lease whose work ended meanwhile is not held any more.
    if (this.release(lease)) abort?.abort(new Error('the lease is lost'));
  }

  close(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
  }

  private start(): void {
    const { leaseMs, renew, check } = this.options;
    const renewal = this.every(leaseMs / 3, renew);
    this.timers = check ? [renewal, this.every(check.everyMs, check.findLost)] : [renewal];
  }

  private every(ms: number, findLost: LeaseKeeperOptions<T>['renew']): NodeJS.Timeout {
    const { kind, log } = this.options;
    let isBusy = false;
    const round = async (): Promise<void> => {
      // A slow database must not pile up statements.
      if (isBusy) return;
      isBusy = true;
      try {
        for (const lease of await findLost(this.held)) this.lose(lease);
      } catch (err) {
        log.warn({ err, leases: this.work.size }, `the leases of ${kind} were not renewed`);
      } finally {
        isBusy = false;
      }
    };
    return setInterval(() => void round(), ms).unref();
  }
}
