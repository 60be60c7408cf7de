import type { TaskOwner } from '@app/contracts';
import { slotsByTenant, TenantTurns } from '@app/turns';
import { PoolSaturatedError } from './browser-errors.js';
import type { LeaseRequest } from './pool-options.js';

/** While the first of a tenant, or of the crawls, has waited less than this, one that fits may pass it. */
const PASSING_ALLOWED_MS = 1_000;

interface Waiter<T> {
  readonly request: LeaseRequest;
  readonly owner: TaskOwner;
  readonly since: number;
  readonly settle: (give: () => Promise<T>) => void;
}

/** The turn of one task. Its page slot counts as held until `release`, which is called once. */
export interface PageTurn<T> {
  readonly give: (give: () => Promise<T>) => void;
  readonly release: () => void;
}

/**
 * Tasks that wait for a page slot: interactive ones before crawl pages. The tenants of interactive
 * ones take turns (see `TenantTurns`), so the slow pages of one tenant, of the free plan or of
 * crawls never hold every slot. Pages of crawls come in order of arrival: their tenants take turns
 * at the dispatcher. A task that gives up (deadline, signal) is out of the line at once.
 */
export class WaitingLine<T> {
  private readonly waiters = {
    interactive: new Set<Waiter<T>>(),
    crawl: new Set<Waiter<T>>(),
  } as const;
  private readonly turns = new TenantTurns<Waiter<T>>({ total: 0 });
  private heldByCrawls = 0;
  private unowned = 0;

  constructor(private readonly maxWaiting: number) {}

  get length(): number {
    return this.waiters.interactive.size + this.waiters.crawl.size;
  }

  /** @throws PoolSaturatedError; the signal's reason when it was aborted */
  async join(request: LeaseRequest): Promise<T> {
    request.signal?.throwIfAborted();
    if (request.deadline.isPassed) throw new PoolSaturatedError('deadline');
    if (this.length >= this.maxWaiting) throw new PoolSaturatedError('line_full');
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const settle = (give: () => Promise<T>) => resolve(give());
    const waiter = { request, owner: this.ownerOf(request), since: performance.now(), settle };
    const leave = (reason: unknown) => {
      // Out of the line in the same breath: a slot given to one who left would be lost.
      this.remove(waiter);
      reject(reason);
    };
    const giveUp = () => leave(request.signal?.reason);
    const tooLate = () => leave(new PoolSaturatedError('deadline'));
    const timer = setTimeout(tooLate, request.deadline.remainingMs());
    request.signal?.addEventListener('abort', giveUp, { once: true });
    this.add(waiter);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', giveUp);
      this.remove(waiter);
    }
  }

  /**
   * Takes the next task out of the line, for a slot that is free.
   * @param capacity pages that a tenant alone, or the crawls, may have open; half as many more are for those that come
   * meanwhile (see `slotsByTenant`)
   * @param fits tasks that can use the slot: a task of the tenant whose turn it is. @default all
   * @returns null when no waiting task may have it
   */
  next(
    capacity: number,
    fits: (request: LeaseRequest) => boolean = () => true,
  ): PageTurn<T> | null {
    const slots = slotsByTenant(capacity);
    this.turns.resize({ ...slots, total: Math.max(0, slots.total - this.heldByCrawls) });
    const first = this.turns.peek();
    if (first === null) return this.nextCrawl(capacity, fits);
    const waiter = this.turns.next(
      (one) =>
        one.owner.tenantId === first.owner.tenantId && mayPass(one, first) && fits(one.request),
    );
    if (waiter === null) return null;
    this.waiters.interactive.delete(waiter);
    return { give: waiter.settle, release: () => this.turns.release(waiter.owner) };
  }

  /** Takes all out of the line. */
  clear(): readonly PageTurn<T>['give'][] {
    const all = [...this.waiters.interactive, ...this.waiters.crawl];
    for (const waiter of all) this.remove(waiter);
    return all.map(({ settle }) => settle);
  }

  private nextCrawl(
    capacity: number,
    fits: (request: LeaseRequest) => boolean,
  ): PageTurn<T> | null {
    const [first] = this.waiters.crawl;
    if (first === undefined || this.heldByCrawls >= capacity) return null;
    const waiter = [...this.waiters.crawl].find((one) => mayPass(one, first) && fits(one.request));
    if (waiter === undefined) return null;
    this.waiters.crawl.delete(waiter);
    this.heldByCrawls++;
    return { give: waiter.settle, release: () => void this.heldByCrawls-- };
  }

  private add(waiter: Waiter<T>): void {
    this.waiters[waiter.request.priority].add(waiter);
    if (waiter.request.priority === 'interactive') this.turns.add(waiter, waiter.owner);
  }

  private remove(waiter: Waiter<T>): void {
    const { request, owner } = waiter;
    const wasWaiting = this.waiters[request.priority].delete(waiter);
    if (wasWaiting && request.priority === 'interactive') this.turns.withdraw(waiter, owner);
  }

  /** A task without an owner is a tenant of its own. */
  private ownerOf({ owner }: LeaseRequest): TaskOwner {
    return owner ?? { tenantId: `unowned ${this.unowned++}`, isFree: false };
  }
}

function mayPass<T>(one: Waiter<T>, first: Waiter<T>): boolean {
  return one === first || performance.now() - first.since <= PASSING_ALLOWED_MS;
}
