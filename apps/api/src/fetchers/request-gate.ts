import { QueueFullError, RequestTimeoutError } from '@app/broker';
import { Deadline, type TaskOwner } from '@app/contracts';
import { slotsByTenant, TurnLine } from '@app/turns';

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

/**
 * Bounds this process's tasks in one broker queue, which are served in order of arrival: tenants take turns, so no
 * tenant fills the queue, or the fetchers' prefetch, ahead of the others. A request counts until its work settles,
 * also after its client disconnected: its task is still in the queue.
 */
export class RequestGate {
  private readonly line: TurnLine;
  private readonly maxWaiting: number;

  constructor({ outstanding, maxWaiting = MAX_WAITING_REQUESTS }: GateOptions) {
    this.line = new TurnLine(slotsByTenant(outstanding));
    this.maxWaiting = maxWaiting;
  }

  get waiting(): number {
    return this.line.waiting;
  }

  /**
   * Does the work when the tenant's turn comes.
   * @throws QueueFullError | RequestTimeoutError | the signal's reason, all before the work; errors of `work`
   */
  async run<T>({ owner, deadlineAtMs, signal }: GatedRequest, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    this.requireRoom(owner);
    const turn = await this.line.take({ owner, deadline: Deadline.at(deadlineAtMs), signal });
    if (typeof turn === 'string') {
      signal.throwIfAborted();
      throw new RequestTimeoutError("The tenant's turn did not come in time");
    }
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      turn.release();
    }
  }

  private requireRoom(owner: TaskOwner): void {
    const waiting = this.line.waitingOf(owner);
    if (waiting >= this.maxWaiting)
      throw new QueueFullError(`${waiting} requests wait already, at most ${this.maxWaiting} may`);
  }
}
