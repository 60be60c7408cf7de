import type { Deadline } from '@app/contracts';

export interface ScanTurnsOptions {
  /** Turns assigned at a time: one for each thread. */
  readonly total: number;
  /** Maximum of these per tenant. Below `total`, a tenant's slow scans never occupy every thread. */
  readonly perTenant: number;
}

/** Permission to use a thread. Its owner releases it, once. */
export interface ScanTurn {
  release(): void;
}

/** `late`: no thread was free in time. `closed`: this process starts no more scans. */
export type TurnOutcome = ScanTurn | 'late' | 'closed';

interface Waiter {
  readonly settle: (outcome: TurnOutcome) => void;
}

/** Tenants whose last turn is remembered; a forgotten one counts as new. */
const MAX_REMEMBERED = 10_000;

/**
 * Assigns threads: of the waiting tenants to the one with the fewest turns, and of those to the one with the
 * oldest last turn. However many scans a tenant has waiting, none of them precedes another tenant's first,
 * and no tenant is passed over forever.
 */
export class ScanTurns {
  private free: number;
  private readonly perTenant: number;
  private readonly held = new Map<string, number>();
  private readonly queues = new Map<string, Waiter[]>();
  /** Number of each tenant's last turn, in ascending order. */
  private readonly lastTurns = new Map<string, number>();
  private turns = 0;
  private isClosed = false;

  constructor({ total, perTenant }: ScanTurnsOptions) {
    this.free = total;
    this.perTenant = perTenant;
  }

  /** Waiting scans. */
  get waiting(): number {
    let count = 0;
    for (const queue of this.queues.values()) count += queue.length;
    return count;
  }

  /** Waits for a turn until the deadline. An aborted signal ends the wait as `late`. */
  take(tenantId: string, deadline: Deadline, signal?: AbortSignal): Promise<TurnOutcome> {
    if (this.isClosed) return Promise.resolve('closed');
    if (deadline.isPassed || signal?.aborted) return Promise.resolve('late');
    return new Promise((resolve) => {
      const settle = (outcome: TurnOutcome): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      const waiter: Waiter = { settle };
      const giveUp = (): void => {
        this.forget(tenantId, waiter);
        settle('late');
      };
      const timer = setTimeout(giveUp, deadline.remainingMs());
      signal?.addEventListener('abort', giveUp);
      this.queues.set(tenantId, [...(this.queues.get(tenantId) ?? []), waiter]);
      this.assign();
    });
  }

  /** All current and later waiters get `closed`. Assigned turns are kept. */
  close(): void {
    this.isClosed = true;
    const waiters = [...this.queues.values()].flat();
    this.queues.clear();
    for (const { settle } of waiters) settle('closed');
  }

  private assign(): void {
    while (this.free > 0) {
      const tenantId = this.nextTenant();
      const waiter = tenantId === undefined ? undefined : this.queues.get(tenantId)?.[0];
      if (tenantId === undefined || waiter === undefined) return;
      this.forget(tenantId, waiter);
      waiter.settle(this.turnOf(tenantId));
    }
  }

  private nextTenant(): string | undefined {
    let next:
      { readonly tenantId: string; readonly held: number; readonly lastTurn: number } | undefined;
    for (const tenantId of this.queues.keys()) {
      const held = this.held.get(tenantId) ?? 0;
      const lastTurn = this.lastTurns.get(tenantId) ?? 0;
      if (held >= this.perTenant) continue;
      const isBefore =
        next === undefined || held < next.held || (held === next.held && lastTurn < next.lastTurn);
      if (isBefore) next = { tenantId, held, lastTurn };
    }
    return next?.tenantId;
  }

  private turnOf(tenantId: string): ScanTurn {
    this.free--;
    this.held.set(tenantId, (this.held.get(tenantId) ?? 0) + 1);
    this.remember(tenantId);
    return {
      release: () => {
        const held = (this.held.get(tenantId) ?? 1) - 1;
        if (held > 0) this.held.set(tenantId, held);
        else this.held.delete(tenantId);
        this.free++;
        this.assign();
      },
    };
  }

  private forget(tenantId: string, waiter: Waiter): void {
    const left = (this.queues.get(tenantId) ?? []).filter((one) => one !== waiter);
    if (left.length > 0) this.queues.set(tenantId, left);
    else this.queues.delete(tenantId);
  }

  private remember(tenantId: string): void {
    this.lastTurns.delete(tenantId);
    this.lastTurns.set(tenantId, ++this.turns);
    for (const [oldest] of this.lastTurns) {
      if (this.lastTurns.size <= MAX_REMEMBERED) break;
      this.lastTurns.delete(oldest);
    }
  }
}
