import type { Deadline } from '@app/contracts';

/** Whether a caller waits for the result. */
export type Urgency = 'interactive' | 'crawl';

/** The criteria for the order in which slots are assigned. */
export interface SlotPriority {
  /** @default interactive */
  readonly urgency?: Urgency;
  /** Null: of no tenant. @default null */
  readonly tenantId?: string | null;
  /** Work that is likely to take long. @default false */
  readonly isLarge?: boolean;
}

export interface SlotsOptions {
  /** Keeps one of several slots for short work. @default false */
  readonly keepsOne?: boolean;
  /** Milliseconds. @default performance.now */
  readonly now?: () => number;
}

/** An acquired slot; release it once. */
export interface Slot {
  /** @param usedMs CPU time of the work; without it, the time since the slot was acquired counts */
  release(usedMs?: number): void;
}

interface Waiter extends Required<SlotPriority> {
  readonly take: (slot: Slot) => void;
}

/** While both kinds wait, one of this many free slots goes to crawl work: it is slow, but never starved. */
const URGENT_IN_A_ROW = 4;

/**
 * A bounded number of slots. Callers that find none free wait until their deadline. A free slot goes to
 * interactive work before crawl work, then to the tenant with the fewest slots, then to the one whose last turn is
 * oldest: while several tenants wait, none exceeds its share, and with one slot they take turns. Work of one tenant
 * runs in order.
 *
 * With `keepsOne` the last of several slots is reserved for short work: interactive, not large, and of a tenant
 * with little recent work (see {@link RecentUse}). Long work of others never delays it.
 */
export class Slots {
  private free: number;
  private readonly waiting = new Set<Waiter>();
  /** Slots held by each tenant that holds any. */
  private readonly held = new Map<string | null, number>();
  /** The last turn of each tenant that holds slots or waits for them: the count of slots until then. */
  private readonly served = new Map<string | null, number>();
  private count = 0;
  /** Slots assigned to interactive work since the last one for crawl work. */
  private urgentInARow = 0;
  private readonly kept: number;
  private readonly use: RecentUse;

  constructor(
    count: number,
    { keepsOne = false, now = () => performance.now() }: SlotsOptions = {},
  ) {
    this.free = count;
    this.kept = keepsOne && count > 1 ? 1 : 0;
    this.use = new RecentUse(now);
  }

  /** Null if none became free in time, or the caller cancelled. */
  async acquire(
    deadline: Deadline,
    signal?: AbortSignal,
    { urgency = 'interactive', tenantId = null, isLarge = false }: SlotPriority = {},
  ): Promise<Slot | null> {
    if (this.mayTake({ urgency, tenantId, isLarge })) return this.slotFor(tenantId);
    if (deadline.isPassed || signal?.aborted) return null;
    return new Promise((resolve) => {
      const end = (slot: Slot | null): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(slot);
      };
      const waiter: Waiter = { urgency, tenantId, isLarge, take: end };
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

  private mayTake({ urgency, tenantId, isLarge }: Required<SlotPriority>): boolean {
    if (this.free > this.kept) return true;
    return this.free > 0 && urgency === 'interactive' && !isLarge && this.use.isLittle(tenantId);
  }

  private slotFor(tenantId: string | null): Slot {
    this.free--;
    this.held.set(tenantId, (this.held.get(tenantId) ?? 0) + 1);
    this.served.set(tenantId, ++this.count);
    const use = this.use.begin(tenantId);
    return {
      release: (usedMs) => {
        use.end(usedMs);
        this.release(tenantId);
      },
    };
  }

  private release(tenantId: string | null): void {
    const left = (this.held.get(tenantId) ?? 0) - 1;
    if (left > 0) this.held.set(tenantId, left);
    else this.held.delete(tenantId);
    this.free++;
    const next = this.next();
    if (next) next.take(this.slotFor(next.tenantId));
    this.forgetIdle();
  }

  /** Tenants without work are forgotten. */
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

  /** The first waiter of the tenant whose turn it is. */
  private nextOf(urgency: Urgency): Waiter | undefined {
    let best: Waiter | undefined;
    for (const waiter of this.waiting) {
      if (waiter.urgency !== urgency || !this.mayTake(waiter)) continue;
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

/** Half-life of a tenant's use. */
const HALF_LIFE_MS = 5_000;
/** Work that takes less than this share of the time counts as little. */
const LITTLE_SHARE = 0.3;
const LITTLE_MS = (LITTLE_SHARE * HALF_LIFE_MS) / Math.LN2;
/** Maximum number of tenants, beyond which those with long past use are forgotten. */
const MANY_TENANTS = 1_000;

type TenantId = string | null;

interface Use {
  readonly ms: number;
  readonly atMs: number;
}

/** Running work. */
interface RunningWork {
  /** @param usedMs time of the work; without it, the time since it began counts */
  end(usedMs?: number): void;
}

/** Recent work time of each tenant: the older, the less it counts. */
export class RecentUse {
  private readonly past = new Map<TenantId, Use>();
  private readonly running = new Set<{ readonly tenantId: TenantId; readonly sinceMs: number }>();

  constructor(private readonly now: () => number) {}

  isLittle(tenantId: TenantId): boolean {
    let ms = this.pastMs(tenantId);
    for (const work of this.running)
      if (work.tenantId === tenantId) ms += this.now() - work.sinceMs;
    return ms < LITTLE_MS;
  }

  begin(tenantId: TenantId): RunningWork {
    const work = { tenantId, sinceMs: this.now() };
    this.running.add(work);
    return {
      end: (usedMs = this.now() - work.sinceMs) => {
        this.running.delete(work);
        this.past.set(tenantId, { ms: this.pastMs(tenantId) + usedMs, atMs: this.now() });
        if (this.past.size > MANY_TENANTS) this.forgetIdle();
      },
    };
  }

  private pastMs(tenantId: TenantId): number {
    const use = this.past.get(tenantId);
    return use === undefined ? 0 : use.ms * 2 ** ((use.atMs - this.now()) / HALF_LIFE_MS);
  }

  private forgetIdle(): void {
    for (const tenantId of this.past.keys())
      if (this.pastMs(tenantId) < 1) this.past.delete(tenantId);
  }
}
