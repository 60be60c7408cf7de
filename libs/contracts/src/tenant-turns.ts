/** The tenant a task is worked on for. */
export interface TaskOwner {
  readonly tenantId: string;
  /** On the free plan: all such tenants share one part of the slots. */
  readonly isFree: boolean;
}

/** A tenant may hold at most this many times the slots that stay free for the others. */
const HELD_PER_FREE_SLOT = 2;
/** Tasks without an owner take turns like those of one more tenant. */
const UNOWNED: TaskOwner = { tenantId: '', isFree: false };

/** Slots that tasks are worked on in. */
export interface SlotLimits {
  /** Tasks in work at a time. */
  readonly total: number;
  /** Of them, those that all tenants on the free plan together may hold. */
  readonly free: number;
  /** False: tasks start in the order of their arrival, independent of their tenant. */
  readonly isFair: boolean;
}

/** One queue: `concurrency` tasks in the order of their arrival. */
export function slotsInOrder(concurrency: number): SlotLimits {
  return { total: concurrency, free: concurrency, isFair: false };
}

/**
 * `concurrency` tasks for a tenant that is alone, half as many again for those that come meanwhile, and
 * half of `concurrency` for the free plan.
 */
export function slotsByTenant(concurrency: number): SlotLimits {
  return {
    total: concurrency + Math.ceil(concurrency / HELD_PER_FREE_SLOT),
    free: Math.min(concurrency, Math.max(1, Math.floor(concurrency / 2))),
    isFair: true,
  };
}

interface Waiting<T> {
  readonly item: T;
  readonly arrival: number;
}

interface Tenant<T> {
  readonly owner: TaskOwner;
  held: number;
  /** In order of arrival. */
  waiting: Waiting<T>[];
}

/**
 * The tasks that wait for a slot of one consumer, or a page slot of a browser, and the tenants that
 * hold the slots.
 *
 * The tenant that holds the fewest slots is next; among equals, the one with the longest waiting
 * first task. A tenant that holds none may take any free slot. One that holds some may take another
 * only while it then holds at most twice the number of free slots (the dynamic threshold of
 * Choudhury and Hahne, 1998). So one tenant alone gets `concurrency` slots; the next one finds the
 * rest free and leaves a third of it to the third: a newcomer need not wait until pages of others
 * end. The same rule divides the share of the free plan.
 */
export class TenantTurns<T> {
  private readonly tenants = new Map<string, Tenant<T>>();
  private arrivals = 0;
  private held = 0;
  private heldByFree = 0;
  private waitingCount = 0;

  constructor(private slots: SlotLimits) {}

  get waiting(): number {
    return this.waitingCount;
  }

  /** The waiting tasks of one tenant. */
  waitingOf(owner: TaskOwner | null): number {
    return this.tenants.get(this.countedAs(owner).tenantId)?.waiting.length ?? 0;
  }

  /** Takes effect for the next task; slots that are held stay held. */
  resize(slots: SlotLimits): void {
    this.slots = slots;
  }

  add(item: T, owner: TaskOwner | null): void {
    this.tenantOf(owner).waiting.push({ item, arrival: this.arrivals++ });
    this.waitingCount++;
  }

  /**
   * Assigns a slot to the next task. Its holder must {@link release} it. Null: none may start now.
   */
  next(): T | null {
    if (this.held >= this.slots.total) return null;
    const tenant = this.nextTenant();
    const first = tenant?.waiting.shift();
    if (tenant === null || first === undefined) return null;
    this.waitingCount--;
    this.hold(tenant, 1);
    return first.item;
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

  private nextTenant(): Tenant<T> | null {
    let best: Tenant<T> | null = null;
    for (const tenant of this.tenants.values()) {
      if (tenant.waiting.length === 0 || !this.mayHoldMore(tenant)) continue;
      if (best === null || comesBefore(tenant, best)) best = tenant;
    }
    return best;
  }

  private mayHoldMore({ owner, held }: Tenant<T>): boolean {
    const { total, free, isFair } = this.slots;
    if (!isFair) return true;
    if (owner.isFree && !leavesEnough(held, free - this.heldByFree)) return false;
    return leavesEnough(held, total - this.held);
  }

  private hold(tenant: Tenant<T>, change: 1 | -1): void {
    tenant.held += change;
    this.held += change;
    if (tenant.owner.isFree) this.heldByFree += change;
  }

  /** The plan is that of the first task of a tenant that is here; a changed one counts once it was idle. */
  private tenantOf(owner: TaskOwner | null): Tenant<T> {
    const { tenantId, isFree } = this.countedAs(owner);
    const known = this.tenants.get(tenantId);
    if (known) return known;
    const tenant: Tenant<T> = { owner: { tenantId, isFree }, held: 0, waiting: [] };
    this.tenants.set(tenantId, tenant);
    return tenant;
  }

  private countedAs(owner: TaskOwner | null): TaskOwner {
    return (this.slots.isFair ? owner : null) ?? UNOWNED;
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

function comesBefore<T>(one: Tenant<T>, other: Tenant<T>): boolean {
  if (one.held !== other.held) return one.held < other.held;
  return (one.waiting[0]?.arrival ?? Infinity) < (other.waiting[0]?.arrival ?? Infinity);
}
