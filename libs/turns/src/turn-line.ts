import type { Deadline, TaskOwner } from '@app/contracts';
import { TenantTurns, type SlotLimits } from './tenant-turns.js';

/** One call that waits for its turn. */
export interface TurnRequest {
  /** Null: like those of one more tenant. */
  readonly owner: TaskOwner | null;
  /** A slot that is free is assigned after it, too. */
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
}

/** A slot that is held; release it once. */
export interface Turn {
  release(): void;
}

/** Why there is no turn: the deadline passed, the signal was aborted, or the line is closed. */
export type TurnOutcome = Turn | 'late' | 'aborted' | 'closed';

/** A bounded number of slots; calls that find none free wait for their turn: see {@link TenantTurns}. */
export class TurnLine<R extends TurnRequest = TurnRequest> {
  private readonly turns: TenantTurns<R>;
  private readonly waiters = new Map<R, (outcome: TurnOutcome) => void>();
  private isClosed = false;

  /** @param next chooses the call that begins. @default the next one in turn */
  constructor(
    limits: SlotLimits,
    private readonly next = (turns: TenantTurns<R>): R | null => turns.next(),
  ) {
    this.turns = new TenantTurns(limits);
  }

  get waiting(): number {
    return this.turns.waiting;
  }

  /** The waiting calls of one tenant, or of all tenants on the free plan. */
  waitingOf(owner: TaskOwner): number {
    return this.turns.waitingOf(owner);
  }

  /** Never rejects. */
  take(request: R): Promise<TurnOutcome> {
    const { owner, deadline, signal } = request;
    if (this.isClosed) return Promise.resolve('closed');
    if (signal?.aborted) return Promise.resolve('aborted');
    return new Promise((resolve) => {
      const own = { ...request };
      const leave = (why: 'late' | 'aborted'): void => {
        // Out of the line in the same breath: a slot assigned to one who left would be lost.
        if (this.turns.withdraw(own, owner)) this.settle(own, why);
      };
      const onAbort = (): void => leave('aborted');
      const timer = setTimeout(() => leave('late'), deadline.remainingMs());
      signal?.addEventListener('abort', onAbort, { once: true });
      this.waiters.set(own, (outcome) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        resolve(outcome);
      });
      this.turns.add(own, owner);
      this.assign();
    });
  }

  /** All current and later calls get `closed`. Slots that are held stay held. */
  close(): void {
    this.isClosed = true;
    for (const request of this.turns.remove(() => true)) this.settle(request, 'closed');
  }

  private assign(): void {
    for (let next = this.next(this.turns); next !== null; next = this.next(this.turns)) {
      const { owner } = next;
      const release = (): void => {
        this.turns.release(owner);
        this.assign();
      };
      this.settle(next, { release });
    }
  }

  private settle(request: R, outcome: TurnOutcome): void {
    const waiter = this.waiters.get(request);
    this.waiters.delete(request);
    waiter?.(outcome);
  }
}
