import type { Deadline } from '@app/contracts';

/** Whether a caller waits for the result. */
export type Urgency = 'interactive' | 'crawl';

/** Whose turn a slot is taken in. */
export interface Turn {
  /** @default interactive */
  readonly urgency?: Urgency;
  /** Null: of no tenant. @default null */
  readonly tenantId?: string | null;
}

/** A slot that was acquired; release it once. */
export interface Slot {
  release(): void;
}

interface Waiter {
  readonly urgency: Urgency;
  readonly tenantId: string | null;
  readonly take: (slot: Slot) => void;
}

/** Of that many slots that become free while both wait, one goes to crawl work: slow, never starved. */
const URGENT_IN_A_ROW = 4;

/**
 * A bounded number of slots. Callers that find none wait as long as their deadline allows. A slot that
 * becomes free goes to interactive work before crawl work, then to the tenant that holds the fewest slots,
 * then to the one that was served longest ago: while several tenants wait, none holds more than its share,
 * and with one slot they take turns. Work of one tenant is served in order.
 */
export class Slots {
  private free: number;
  private readonly waiting = new Set<Waiter>();
  /** Slots held by each tenant that holds any. */
  private readonly held = new Map<string | null, number>();
  /** When a tenant was served last, of those that hold slots or wait for them: the count of slots until then. */
  private readonly served = new Map<string | null, number>();
  private count = 0;
  /** Slots given to interactive work since crawl work had its turn. */
  private urgentInARow = 0;

  constructor(count: number) {
    this.free = count;
  }

  /** Null when none became free in time, or the caller gave up. */
  async acquire(
    deadline: Deadline,
    signal?: AbortSignal,
    { urgency = 'interactive', tenantId = null }: Turn = {},
  ): Promise<Slot | null> {
    if (this.free > 0) {
      this.free--;
      return this.slotFor(tenantId);
    }
    if (deadline.isPassed || signal?.aborted) return null;
    return new Promise((resolve) => {
      const end = (slot: Slot | null): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(slot);
      };
      const waiter: Waiter = { urgency, tenantId, take: end };
      const giveUp = (): void => {
        this.waiting.delete(waiter);
        this.forgetIdle();
        end(null);
      };
      const timer = setTimeout(giveUp, deadline.remainingMs());
      signal?.addEventListener('abort', giveUp);
      this.waiting.add(waiter);
    });
  }

  private slotFor(tenantId: string | null): Slot {
    this.held.set(tenantId, (this.held.get(tenantId) ?? 0) + 1);
    this.served.set(tenantId, ++this.count);
    return { release: () => this.release(tenantId) };
  }

  private release(tenantId: string | null): void {
    const left = (this.held.get(tenantId) ?? 0) - 1;
    if (left > 0) this.held.set(tenantId, left);
    else this.held.delete(tenantId);
    const next = this.next();
    if (next) next.take(this.slotFor(next.tenantId));
    else this.free++;
    this.forgetIdle();
  }

  /** Nothing is kept of tenants once no work is left. */
  private forgetIdle(): void {
    if (this.held.size === 0 && this.waiting.size === 0) this.served.clear();
  }

  private next(): Waiter | undefined {
    const isCrawlDue = this.urgentInARow >= URGENT_IN_A_ROW;
    const crawl = this.nextOf('crawl');
    const interactive = this.nextOf('interactive');
    const next = isCrawlDue ? (crawl ?? interactive) : (interactive ?? crawl);
    if (next === undefined) return undefined;
    this.waiting.delete(next);
    const hasPassedOver = next.urgency === 'interactive' && crawl !== undefined;
    this.urgentInARow = hasPassedOver ? this.urgentInARow + 1 : 0;
    return next;
  }

  /** The first of the tenant whose turn it is. */
  private nextOf(urgency: Urgency): Waiter | undefined {
    let best: Waiter | undefined;
    for (const waiter of this.waiting) {
      if (waiter.urgency !== urgency) continue;
      if (best === undefined || this.isBefore(waiter.tenantId, best.tenantId)) best = waiter;
    }
    return best;
  }

  private isBefore(one: string | null, other: string | null): boolean {
    const more = (this.held.get(one) ?? 0) - (this.held.get(other) ?? 0);
    if (more !== 0) return more < 0;
    return (this.served.get(one) ?? 0) < (this.served.get(other) ?? 0);
  }
}
