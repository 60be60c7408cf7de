import { PoolSaturatedError } from './browser-errors.js';
import type { LeaseRequest } from './pool-options.js';

/** While the first in line has waited less than this, one with the fitting context may pass it. */
const PASSING_ALLOWED_MS = 1_000;

interface Waiter<T> {
  readonly request: LeaseRequest;
  readonly since: number;
  readonly settle: (give: () => Promise<T>) => void;
}

/**
 * Tasks that wait for a seat: interactive ones before crawl pages, else in order of arrival. One that
 * gives up (deadline, signal) is out of the line at once.
 */
export class WaitingLine<T> {
  private readonly waiters = {
    interactive: new Set<Waiter<T>>(),
    crawl: new Set<Waiter<T>>(),
  } as const;

  constructor(private readonly maxWaiting: number) {}

  get length(): number {
    return this.waiters.interactive.size + this.waiters.crawl.size;
  }

  /** @throws PoolSaturatedError; the signal's reason when it was aborted */
  async join(request: LeaseRequest): Promise<T> {
    request.signal?.throwIfAborted();
    if (request.deadline.isPassed) throw new PoolSaturatedError('deadline');
    if (this.length >= this.maxWaiting) throw new PoolSaturatedError('line_full');
    const waiters = this.waiters[request.priority];
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const settle = (give: () => Promise<T>) => resolve(give());
    const waiter = { request, since: performance.now(), settle };
    const leave = (reason: unknown) => {
      // Out of the line in the same breath: a seat given to one who left would be lost.
      waiters.delete(waiter);
      reject(reason);
    };
    const giveUp = () => leave(request.signal?.reason);
    const tooLate = () => leave(new PoolSaturatedError('deadline'));
    const timer = setTimeout(tooLate, request.deadline.remainingMs());
    request.signal?.addEventListener('abort', giveUp, { once: true });
    waiters.add(waiter);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', giveUp);
      waiters.delete(waiter);
    }
  }

  /** Takes the first out of the line; null when nobody waits. */
  next(): ((give: () => Promise<T>) => void) | null {
    return this.take(this.first());
  }

  /** Takes out one whom `fits` says yes to, if fairness to the first in line allows it. */
  nextFitting(fits: (request: LeaseRequest) => boolean): ((give: () => Promise<T>) => void) | null {
    const first = this.first();
    if (first === null) return null;
    if (fits(first.request)) return this.take(first);
    if (performance.now() - first.since > PASSING_ALLOWED_MS) return null;
    const peers = this.waiters[first.request.priority];
    return this.take([...peers].find(({ request }) => fits(request)) ?? null);
  }

  private first(): Waiter<T> | null {
    const { interactive, crawl } = this.waiters;
    for (const waiter of interactive) return waiter;
    for (const waiter of crawl) return waiter;
    return null;
  }

  private take(waiter: Waiter<T> | null): ((give: () => Promise<T>) => void) | null {
    if (waiter === null) return null;
    this.waiters[waiter.request.priority].delete(waiter);
    return waiter.settle;
  }
}
