import { QueueFullError, RequestTimeoutError } from '@app/broker';
import { slotsByTenant, TenantTurns, type TaskOwner } from '@app/contracts';

/** Waiting requests allowed per tenant, and for all tenants on the free plan together. */
export const MAX_WAITING_REQUESTS = 1_000;

export interface GateOptions {
  /** Running requests of a tenant that is alone; see {@link slotsByTenant} for several tenants. */
  readonly outstanding: number;
  /** @default MAX_WAITING_REQUESTS */
  readonly maxWaiting?: number;
}

export interface GatedRequest {
  readonly owner: TaskOwner;
  /** Epoch milliseconds: a request whose turn has not come by then is rejected. */
  readonly deadlineAtMs: number;
  /** Removes a waiting request from the queue. A running one is not affected. */
  readonly signal: AbortSignal;
}

interface Waiter {
  readonly owner: TaskOwner;
  readonly begin: () => void;
}

/**
 * Bounds this process's tasks in one broker queue, which are served in order of arrival: tenants take turns, so no
 * tenant fills the queue, or the fetchers' prefetch, ahead of the others. A request counts until its work settles,
 * also after its client disconnected: its task is still in the queue.
 */
export class RequestGate {
  private readonly turns: TenantTurns<Waiter>;
  private readonly maxWaiting: number;
  private waitingOnFree = 0;

  constructor({ outstanding, maxWaiting = MAX_WAITING_REQUESTS }: GateOptions) {
    this.turns = new TenantTurns(slotsByTenant(outstanding));
    this.maxWaiting = maxWaiting;
  }

  get waiting(): number {
    return this.turns.waiting;
  }

  /**
   * Does the work when the tenant's turn comes.
   * @throws QueueFullError | RequestTimeoutError | the signal's reason, all before the work; errors of `work`
   */
  async run<T>(request: GatedRequest, work: () => Promise<T>): Promise<T> {
    const { owner, signal } = request;
    signal.throwIfAborted();
    await this.wait(request);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.turns.release(owner);
      this.beginWaiting();
    }
  }

  private async wait({ owner, deadlineAtMs, signal }: GatedRequest): Promise<void> {
    this.requireRoom(owner);
    const turn = Promise.withResolvers<void>();
    const waiter: Waiter = { owner, begin: turn.resolve };
    const leave = (reason: unknown): void => {
      if (this.leave(waiter)) turn.reject(reason);
    };
    const onAbort = (): void => leave(signal.reason);
    const timer = setTimeout(
      () => leave(new RequestTimeoutError("The tenant's turn did not come in time")),
      Math.max(0, deadlineAtMs - Date.now()),
    );
    signal.addEventListener('abort', onAbort, { once: true });
    this.join(waiter);
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  private requireRoom(owner: TaskOwner): void {
    const waiting = owner.isFree ? this.waitingOnFree : this.turns.waitingOf(owner);
    if (waiting >= this.maxWaiting)
      throw new QueueFullError(`${waiting} requests wait already, at most ${this.maxWaiting} may`);
  }

  private join(waiter: Waiter): void {
    if (waiter.owner.isFree) this.waitingOnFree++;
    this.turns.add(waiter, waiter.owner);
    this.beginWaiting();
  }

  /** False: its turn has come. */
  private leave(waiter: Waiter): boolean {
    const { owner } = waiter;
    const isWaiting = this.turns.withdraw(waiter, owner);
    if (isWaiting && owner.isFree) this.waitingOnFree--;
    return isWaiting;
  }

  private beginWaiting(): void {
    for (let next = this.turns.next(); next !== null; next = this.turns.next()) {
      if (next.owner.isFree) this.waitingOnFree--;
      next.begin();
    }
  }
}
