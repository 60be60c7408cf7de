import type { TaskOwner } from '@app/contracts';

/** A tenant may hold at most this many times the slots that stay free for the others. */
const HELD_PER_FREE_SLOT = 2;
/** Tasks without an owner take turns like those of one more tenant. */
const UNOWNED: TaskOwner = { tenantId: '', isFree: false };

/** Slots that tasks are worked on in. */
export interface SlotLimits {
  /** Tasks in work at a time. */
  readonly total: number;
  /** Of them, those that all tenants on the free plan together may hold. @default all */
  readonly free?: number;
  /**
   * Of them, those that one tenant may hold. `threshold`: one that holds some may take another only while it then
   * holds at most twice the number of free slots. @default all
   */
  readonly perTenant?: number | 'threshold';
  /** False: tasks start in the order of their arrival, independent of their tenant. @default true */
  readonly isFair?: boolean;
}

/** One queue: `concurrency` tasks in the order of their arrival. */
export function slotsInOrder(concurrency: number): SlotLimits {
  return { total: concurrency, isFair: false };
}

/**
 * `concurrency` tasks for a tenant that is alone, half as many again for those that come meanwhile, and
 * half of `concurrency` for the free plan.
 */
export function slotsByTenant(concurrency: number): SlotLimits {
  return {
    total: concurrency + Math.ceil(concurrency / HELD_PER_FREE_SLOT),
    free: Math.min(concurrency, Math.max(1, Math.floor(concurrency / 2))),
    perTenant: 'threshold',
  };
}

interface Waiting<T> {
  readonly item: T;
  readonly arrival: number;
}

interface Tenant<T> {
  readonly owner: TaskOwner;
  held: number;
  /** When its last turn began or ended. */
  lastTurn: number;
  /** In order of arrival. */
  waiting: Waiting<T>[];
}

/** The task that a tenant would start next. */
interface Candidate<T> {
  readonly tenant: Tenant<T>;
  readonly item: T;
  /** Its place among the waiting tasks of the tenant. */
  readonly at: number;
  /** Since when the tenant waits for this turn. */
  readonly since: number;
}

/**
 * The tasks that wait for a slot of one consumer, a page slot of a browser or a thread, and the tenants that
 * hold the slots.
 *
 * The tenant that holds the fewest slots is next; among equals, the one that waits longest since its last turn
 * ended, or since its task came. So tenants with one slot take turns, however many tasks one of them has waiting,
 * and no stream of new tenants passes one that waits.
 *
 * With the dynamic threshold (Choudhury and Hahne, 1998) one tenant alone gets `concurrency` slots; the next one
 * finds the rest free and leaves a third of it to the third: a newcomer need not wait until pages of others end. The
 * same rule divides the share of the free plan.
 */
export class TenantTurns<T> {
  private readonly tenants = new Map<string, Tenant<T>>();
  /** Counts arrivals, and turns that begin or end. */
  private clock = 0;
  private held = 0;
  private heldByFree = 0;
  private waitingCount = 0;

  constructor(private slots: SlotLimits) {}

  get waiting(): number {
    return this.waitingCount;
  }

  /** Slots that are held by none. */
  get free(): number {
    return this.slots.total - this.held;
  }

  /** The waiting tasks of one tenant, or of all tenants on the free plan. */
  waitingOf(owner: TaskOwner): number {
    if (!owner.isFree) return this.tenants.get(owner.tenantId)?.waiting.length ?? 0;
    let count = 0;
    for (const tenant of this.tenants.values())
      if (tenant.owner.isFree) count += tenant.waiting.length;
    return count;
  }

  /** Takes effect for the next task; slots that are held stay held. */
  resize(slots: SlotLimits): void {
    this.slots = slots;
  }

  add(item: T, owner: TaskOwner | null): void {
    this.tenantOf(owner).waiting.push({ item, arrival: this.clock++ });
    this.waitingCount++;
  }

  /**
   * Assigns a slot to the next task. Its holder must {@link release} it. Null: none may start now.
   * @param fits tasks that may start. @default all
   */
  next(fits: (item: T) => boolean = () => true): T | null {
    const next = this.candidate(fits);
    if (next === null) return null;
    next.tenant.waiting.splice(next.at, 1);
    this.waitingCount--;
    this.hold(next.tenant, 1);
    return next.item;
  }

  /** The task that {@link next} would assign a slot to. */
  peek(fits: (item: T) => boolean = () => true): T | null {
    return this.candidate(fits)?.item ?? null;
  }

  release(owner: TaskOwner | null): void {
    const tenant = this.tenantOf(owner);
    this.hold(tenant, -1);
    this.forgetIdle(tenant);
  }

  /** Takes out one waiting task. False: it does not wait, or not any more. */
  withdraw(item: T, owner: TaskOwner | null): boolean {
    const tenant = this.tenantOf(owner);
    const index = tenant.waiting.findIndex((waiting) => waiting.item === item);
    if (index >= 0) tenant.waiting.splice(index, 1);
    if (index >= 0) this.waitingCount--;
    this.forgetIdle(tenant);
    return index >= 0;
  }

  /** Takes out the waiting tasks that `isGone` names, in order of arrival. */
  remove(isGone: (item: T) => boolean): readonly T[] {
    const removed: Waiting<T>[] = [];
    for (const tenant of this.tenants.values()) {
      removed.push(...tenant.waiting.filter(({ item }) => isGone(item)));
      tenant.waiting = tenant.waiting.filter(({ item }) => !isGone(item));
      this.forgetIdle(tenant);
    }
    this.waitingCount -= removed.length;
    return removed.sort((a, b) => a.arrival - b.arrival).map(({ item }) => item);
  }

  private candidate(fits: (item: T) => boolean): Candidate<T> | null {
    let best: Candidate<T> | null = null;
    for (const tenant of this.tenants.values()) {
      if (tenant.waiting.length === 0 || !this.mayHoldMore(tenant)) continue;
      const at = tenant.waiting.findIndex(({ item }) => fits(item));
      const first = tenant.waiting[at];
      if (first === undefined) continue;
      const one = { tenant, at, item: first.item, since: Math.max(first.arrival, tenant.lastTurn) };
      if (best === null || comesBefore(one, best)) best = one;
    }
    return best;
  }

  private mayHoldMore({ owner, held }: Tenant<T>): boolean {
    const { total, free = total, perTenant = total } = this.slots;
    const mayTake = (room: number): boolean =>
      perTenant === 'threshold' ? leavesEnough(held, room) : room > 0 && held < perTenant;
    return mayTake(total - this.held) && (!owner.isFree || mayTake(free - this.heldByFree));
  }

  private hold(tenant: Tenant<T>, change: 1 | -1): void {
    tenant.lastTurn = this.clock++;
    tenant.held += change;
    this.held += change;
    if (tenant.owner.isFree) this.heldByFree += change;
  }

  /** The plan is that of the first task of a tenant that is here; a changed one counts once it was idle. */
  private tenantOf(owner: TaskOwner | null): Tenant<T> {
    const { tenantId, isFree } = this.countedAs(owner);
    const known = this.tenants.get(tenantId);
    if (known) return known;
    const tenant: Tenant<T> = {
      owner: { tenantId, isFree },
      held: 0,
      lastTurn: 0,
      waiting: [],
    };
    this.tenants.set(tenantId, tenant);
    return tenant;
  }

  private countedAs(owner: TaskOwner | null): TaskOwner {
    return (this.slots.isFair === false ? null : owner) ?? UNOWNED;
  }

  private forgetIdle({ owner, held, waiting }: Tenant<T>): void {
    if (held === 0 && waiting.length === 0) this.tenants.delete(owner.tenantId);
  }
}

/** Whether one who holds `held` slots may take one of `room` free ones. */
function leavesEnough(held: number, room: number): boolean {
  if (room <= 0) return false;
  return held === 0 || held + 1 <= HELD_PER_FREE_SLOT * (room - 1);
}

function comesBefore<T>(one: Candidate<T>, other: Candidate<T>): boolean {
  if (one.tenant.held !== other.tenant.held) return one.tenant.held < other.tenant.held;
  return one.since < other.since;
}
