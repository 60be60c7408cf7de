import { BrokerUnavailableError, QueueFullError, RequestTimeoutError } from './task-errors.js';
import type { RequestOptions } from './task-queue.js';

/** Maximum number of pending requests in one process; further ones are refused as by a full queue. */
export const MAX_PENDING_REPLIES = 10_000;

interface Waiter {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly release: () => void;
}

/** Pending requests by correlation id. */
export class PendingReplies {
  private readonly waiters = new Map<string, Waiter>();
  private lastId = 0;

  get size(): number {
    return this.waiters.size;
  }

  /** @throws QueueFullError if too many are pending already, or the signal's reason if it is aborted. */
  open(options: RequestOptions): { readonly id: string; readonly reply: Promise<unknown> } {
    options.signal?.throwIfAborted();
    if (this.waiters.size >= MAX_PENDING_REPLIES)
      throw new QueueFullError('Too many requests wait for replies');
    const id = (++this.lastId).toString(36);
    return {
      id,
      reply: new Promise((resolve, reject) => this.wait(id, options, { resolve, reject })),
    };
  }

  /** A reply without a pending request is ignored. */
  answer(id: string, value: unknown): void {
    this.take(id)?.resolve(value);
  }

  fail(id: string, error: unknown): void {
    this.take(id)?.reject(error);
  }

  /** The reply channel is lost: no reply can arrive any more. */
  failAll(message: string): void {
    for (const id of [...this.waiters.keys()]) this.fail(id, new BrokerUnavailableError(message));
  }

  private wait(
    id: string,
    options: RequestOptions,
    settle: Pick<Waiter, 'resolve' | 'reject'>,
  ): void {
    const { timeoutMs, signal } = options;
    const timer = setTimeout(
      () => this.fail(id, new RequestTimeoutError(`No reply within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const onAbort = (): void => this.fail(id, signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    this.waiters.set(id, { ...settle, release });
  }

  private take(id: string): Waiter | undefined {
    const waiter = this.waiters.get(id);
    this.waiters.delete(id);
    waiter?.release();
    return waiter;
  }
}
