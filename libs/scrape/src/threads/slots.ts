import { TurnLine, type TenantTurns, type Turn, type TurnRequest } from '@app/turns';

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

type SlotRequest = TurnRequest & Required<SlotPriority>;

/** While both kinds wait, one of this many free slots goes to crawl work: it is slow, but never starved. */
const URGENT_IN_A_ROW = 4;

/**
 * The slots of threads. A free slot goes to interactive work before crawl work, then to the tenant whose turn it is
 * (see `TenantTurns`). Work of one tenant runs in order; a tenant that is alone may have all slots.
 *
 * With `keepsOne` the last of several slots is reserved for short work: interactive, not large, and of a tenant
 * with little recent work (see {@link RecentUse}). Long work of others never delays it.
 */
export class Slots {
  private readonly line: TurnLine<SlotRequest>;
  /** Slots assigned to interactive work while crawl work could have had them. */
  private urgentInARow = 0;
  private readonly kept: number;
  private readonly use: RecentUse;

  constructor(
    total: number,
    { keepsOne = false, now = () => performance.now() }: SlotsOptions = {},
  ) {
    this.line = new TurnLine<SlotRequest>({ total }, (turns) => this.next(turns));
    this.kept = keepsOne && total > 1 ? 1 : 0;
    this.use = new RecentUse(now);
  }

  /** Null if none became free in time, or the caller cancelled. */
  async acquire({
    urgency = 'interactive',
    tenantId = null,
    isLarge = false,
    ...terms
  }: SlotPriority & Omit<TurnRequest, 'owner'>): Promise<Slot | null> {
    const owner = tenantId === null ? null : { tenantId, isFree: false };
    const turn = await this.line.take({ ...terms, owner, urgency, tenantId, isLarge });
    return typeof turn === 'string' ? null : this.slotOf(turn, tenantId);
  }

  private slotOf(turn: Turn, tenantId: string | null): Slot {
    const use = this.use.begin(tenantId);
    return {
      release: (usedMs) => {
        use.end(usedMs);
        turn.release();
      },
    };
  }

  private next(turns: TenantTurns<SlotRequest>): SlotRequest | null {
    const hasSpare = turns.free > this.kept;
    const mayTake = ({ urgency, tenantId, isLarge }: SlotRequest): boolean =>
      hasSpare || (urgency === 'interactive' && !isLarge && this.use.isLittle(tenantId));
    const isCrawl = (one: SlotRequest): boolean => one.urgency === 'crawl' && mayTake(one);
    const isUrgent = (one: SlotRequest): boolean => one.urgency !== 'crawl' && mayTake(one);
    const isCrawlWaiting = turns.peek(isCrawl) !== null;
    const isCrawlDue = isCrawlWaiting && this.urgentInARow >= URGENT_IN_A_ROW;
    const urgent = isCrawlDue ? null : turns.next(isUrgent);
    if (urgent !== null) {
      if (isCrawlWaiting) this.urgentInARow++;
      return urgent;
    }
    if (isCrawlWaiting) this.urgentInARow = 0;
    return turns.next(isCrawl);
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
