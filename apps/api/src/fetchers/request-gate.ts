import { QueueFullError, RequestTimeoutError } from '@app/broker';
import { slotsByTenant, TenantTurns, type TaskOwner } from '@app/contracts';

/** Requests of one tenant that may wait for their turn, and of all tenants on the free plan together. */
export const MAX_WAITING_REQUESTS = 1_000;

export interface GateOptions {
  /** Requests of one tenant that is alone under way at a time; see {@link slotsByTenant} for those of others. */
  readonly outstanding: number;
  /** @default MAX_WAITING_REQUESTS */
  readonly maxWaiting?: number;
}

export interface GatedRequest {
  readonly owner: TaskOwner;
  /** Epoch milliseconds: whose turn has not come by then is refused. */
  readonly deadlineAtMs: number;
  /** Takes a request that waits out of the line. One under way is left alone. */
  readonly signal: AbortSignal;
}

interface Waiter {
  readonly owner: TaskOwner;
  readonly begin: () => void;
}

/**
 * Bounds what this process has in one queue of the broker, whose tasks are served in order of arrival: tenants
 * take turns, so no tenant fills the queue, and what fetchers take ahead, before the others. A request
 * counts until its work settles, also when its caller hung up: its task is in the queue still.
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
   * Does the work when the turn of its tenant comes.
   * @throws QueueFullError | RequestTimeoutError | the signal's reason, all before the work; what `work` throws
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
      () => leave(new RequestTimeoutError('The turn of the tenant did not come in time')),
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
