import type { Deadline } from '@app/contracts';

export interface ScanTurnsOptions {
  /** Turns that are given out at a time: one for each thread. */
  readonly total: number;
  /** Of these, most that one tenant holds. Below `total`, its slow scans never hold every thread. */
  readonly perTenant: number;
}

/** Permission to use a thread. Who got it gives it back, once. */
export interface ScanTurn {
  release(): void;
}

/** `late`: no thread was free in time. `closed`: this process begins no scans any more. */
export type TurnOutcome = ScanTurn | 'late' | 'closed';

interface Waiter {
  readonly tell: (outcome: TurnOutcome) => void;
}

/** Tenants whose last turn is remembered; who was forgotten counts as one that never had any. */
const MAX_REMEMBERED = 10_000;

/**
 * Who may use a thread next: of the tenants that wait the one that holds the fewest, and of those the
 * one whose last turn is longest ago. However many scans a tenant has waiting, none of them goes before
 * another tenant's first, and nobody is passed over for ever.
 */
export class ScanTurns {
  private free: number;
  private readonly perTenant: number;
  private readonly held = new Map<string, number>();
  private readonly queues = new Map<string, Waiter[]>();
  /** Number of each tenant's last turn, in the order of these numbers. */
  private readonly lastTurns = new Map<string, number>();
  private turns = 0;
  private isClosed = false;

  constructor({ total, perTenant }: ScanTurnsOptions) {
    this.free = total;
    this.perTenant = perTenant;
  }

  /** Scans that wait for a thread. */
  get waiting(): number {
    let count = 0;
    for (const queue of this.queues.values()) count += queue.length;
    return count;
  }

  /** Waits for a turn as long as the deadline allows. An aborted signal ends the wait as `late`. */
  take(tenantId: string, deadline: Deadline, signal?: AbortSignal): Promise<TurnOutcome> {
    if (this.isClosed) return Promise.resolve('closed');
    if (deadline.isPassed || signal?.aborted) return Promise.resolve('late');
    return new Promise((resolve) => {
      const tell = (outcome: TurnOutcome): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      const waiter: Waiter = { tell };
      const giveUp = (): void => {
        this.forget(tenantId, waiter);
        tell('late');
      };
      const timer = setTimeout(giveUp, deadline.remainingMs());
      signal?.addEventListener('abort', giveUp);
      this.queues.set(tenantId, [...(this.queues.get(tenantId) ?? []), waiter]);
      this.handOut();
    });
  }

  /** Who waits is told `closed`, and whoever comes later. Turns that are held stay so. */
  close(): void {
    this.isClosed = true;
    const waiters = [...this.queues.values()].flat();
    this.queues.clear();
    for (const { tell } of waiters) tell('closed');
  }

  private handOut(): void {
    while (this.free > 0) {
      const tenantId = this.nextTenant();
      const waiter = tenantId === undefined ? undefined : this.queues.get(tenantId)?.[0];
      if (tenantId === undefined || waiter === undefined) return;
      this.forget(tenantId, waiter);
      waiter.tell(this.turnOf(tenantId));
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
        this.handOut();
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
