import type { Pool } from 'generic-pool';
import { PoolSaturatedError } from './browser-errors.js';
import type { BrowserFleet } from './browser-fleet.js';
import type { ContextLook, LeaseRequest, ProxyPort, PoolSettings } from './pool-options.js';
import { createSlotPool, type PageSlot, type SlotOffer } from './slot-pool.js';
import { WaitingLine } from './waiting-line.js';
import type { OpenContext } from './open-context.js';

/** Granted to a waiter: a bare page slot, or one with a context that was kept for its key or made ahead. */
export interface Grant<D extends ProxyPort> {
  readonly slot: PageSlot;
  readonly slotContext: SlotContext<D> | null;
}

/**
 * Assigns page slots: tasks in line on one side, slots of the browsers and kept contexts on the
 * other. A context of the task's key is preferred to one that was made ahead, and that to a bare slot; they are
 * dropped for one when slots are short.
 */
export class SlotAllocator<D extends ProxyPort> {
  private readonly slots: Pool<SlotOffer>;
  private readonly line: WaitingLine<Grant<D>>;
  private readonly kept: KeptContexts<D>;
  /** Ends the turn in which each taken slot was granted. */
  private readonly turns = new Map<PageSlot, () => void>();
  private taken = 0;
  private asking = 0;
  /** In which a context is being made ahead. */
  private spareSlot: PageSlot | null = null;
  private isClosed = false;

  constructor(
    private readonly settings: PoolSettings<D>,
    private readonly fleet: BrowserFleet,
    /** Resolves when browsers may be launched. */
    private readonly opened: Promise<unknown>,
    /** Closes a context that no task took in time, and frees its slot. */
    end: (slotContext: SlotContext<D>) => void,
  ) {
    this.slots = createSlotPool(fleet, settings);
    this.line = new WaitingLine(settings.maxWaiting);
    this.kept = new KeptContexts(end);
  }

  get waiters(): number {
    return this.line.length;
  }

  get contextsKept(): number {
    return this.kept.size;
  }

  /** Resolves when the warm browsers are up. */
  async warm(): Promise<void> {
    this.slots.start();
    await this.slots.ready();
  }

  /** @throws PoolSaturatedError | BrowserUnavailableError | the signal's reason */
  async take(request: LeaseRequest): Promise<Grant<D>> {
    if (this.isClosed) throw new PoolSaturatedError('closed');
    const startedAtMs = performance.now();
    const report = (outcome: 'served' | 'gave_up') =>
      this.settings.events.onWait?.(performance.now() - startedAtMs, outcome);
    try {
      const grant = await this.wait(request);
      report('served');
      return grant;
    } catch (error) {
      report('gave_up');
      throw error;
    }
  }

  /** Passes a cleared context on, to one in line or to be kept; false: it is of no use. */
  passOn(slotContext: SlotContext<D>): boolean {
    const { slot, open, isSpare } = slotContext;
    if (slot === this.spareSlot) this.spareSlot = null;
    if (this.isClosed || !slot.chromium.isUsable || !open.isReusable) return false;
    // A kept context counts for no tenant, and the next in turn may be one of another.
    this.endTurn(slot);
    if (this.offer(slotContext)) return true;
    if (this.line.length > 0) return false;
    const { keepContextMs, spareContextMs } = this.settings;
    this.kept.keep(slotContext, isSpare ? spareContextMs : keepContextMs);
    return true;
  }

  /** Whether to make a context ahead of the next task in the slot of one that is closed: then it counts for no tenant. */
  wantsSpare({ slot, isSpare }: SlotContext<D>): boolean {
    if (isSpare || this.settings.spareContextMs === 0 || this.isClosed) return false;
    if (this.spareSlot !== null || this.kept.hasSpare) return false;
    if (this.line.length > 0 || !slot.chromium.isUsable) return false;
    this.endTurn(slot);
    this.spareSlot = slot;
    return true;
  }

  /** To the task whose turn it is, if the context fits it. */
  private offer(slotContext: SlotContext<D>): boolean {
    const { slot, key, isSpare, look } = slotContext;
    const fits = (request: LeaseRequest): boolean =>
      isSpare ? lookKey(request) === lookKey(look) : contextKeyOf(request) === key;
    const turn = this.line.next(this.fleet.capacity, fits);
    if (turn === null) return false;
    this.turns.set(slot, turn.release);
    turn.give(() => Promise.resolve({ slot, slotContext }));
    return true;
  }

  private endTurn(slot: PageSlot): void {
    this.turns.get(slot)?.();
    this.turns.delete(slot);
  }

  async giveBack(slot: PageSlot): Promise<void> {
    this.taken--;
    if (slot === this.spareSlot) this.spareSlot = null;
    this.endTurn(slot);
    if (slot.chromium.isUsable) await this.slots.release(slot);
    else await this.slots.destroy(slot);
    this.tend();
  }

  /** Requests a slot for each task in line, as capacity allows; drops kept contexts when short. */
  tend(): void {
    this.kept.dropWhere(({ slot }) => !slot.chromium.isUsable);
    if (this.line.length > 0) {
      this.kept.takeWhere((slotContext) => !slotContext.isSpare && this.offer(slotContext));
      this.kept.takeWhere((slotContext) => slotContext.isSpare && this.offer(slotContext));
    }
    const room = this.fleet.slots - this.taken - this.asking;
    const wanted = this.line.length - this.asking;
    for (let n = Math.min(room, wanted); n > 0; n--) void this.requestSlot();
    if (wanted > Math.max(0, room)) this.kept.dropOldest();
  }

  /** No slot is granted any more; waiting tasks are refused. */
  refuse(): void {
    this.isClosed = true;
    for (const give of this.line.clear())
      give(() => Promise.reject(new PoolSaturatedError('closed')));
  }

  dropKept(): void {
    this.kept.dropWhere(() => true);
  }

  async close(): Promise<void> {
    await this.slots.drain();
    await this.slots.clear();
  }

  private wait(request: LeaseRequest): Promise<Grant<D>> {
    const granted = this.line.join(request);
    const tend = () => this.tend();
    void this.opened.then(tend, tend);
    return granted;
  }

  private async requestSlot(): Promise<void> {
    this.asking++;
    const offer = await this.slots.acquire().catch(() => null);
    this.asking--;
    // Null: the pool closes, and no task waits any more.
    if (offer === null) return;
    if (offer.kind === 'missing') {
      await this.slots.destroy(offer);
      const { error } = offer;
      // Without memory for another browser the line waits for a page to end.
      if (error === null) return;
      const refused = this.line.next(this.fleet.capacity);
      refused?.give(() => Promise.reject(error));
      refused?.release();
      // Tasks that may not have a page yet are served when one ends.
      return refused === null ? undefined : this.tend();
    }
    const turn = this.line.next(this.fleet.capacity);
    if (turn === null) return this.slots.release(offer);
    this.taken++;
    this.turns.set(offer, turn.release);
    turn.give(() => Promise.resolve({ slot: offer, slotContext: null }));
  }
}

/** A context in its page slot. */
export interface SlotContext<D extends ProxyPort> {
  readonly slot: PageSlot;
  readonly open: OpenContext<D>;
  readonly look: ContextLook;
  /** Of the tasks that may follow each other in it; null: none may. */
  readonly key: string | null;
  /** Made ahead: no task has had it. */
  readonly isSpare: boolean;
}

interface Kept<D extends ProxyPort> {
  readonly slotContext: SlotContext<D>;
  readonly timer: NodeJS.Timeout;
}

/** Everything that must be alike for two pages to follow each other in one context. */
export function contextKeyOf(request: LeaseRequest): string | null {
  const { contextKey } = request;
  return contextKey === null ? null : JSON.stringify([contextKey, lookKey(request)]);
}

function lookKey({ country, stealth, mobile, viewport }: ContextLook): string {
  return JSON.stringify([country, stealth, mobile, viewport.width, viewport.height]);
}

/**
 * Contexts that wait for a task in their page slots: cleared ones of a key for a few seconds, and those made ahead.
 */
class KeptContexts<D extends ProxyPort> {
  private readonly kept = new Set<Kept<D>>();

  constructor(private readonly drop: (slotContext: SlotContext<D>) => void) {}

  get size(): number {
    return this.kept.size;
  }

  get hasSpare(): boolean {
    return [...this.kept].some(({ slotContext }) => slotContext.isSpare);
  }

  keep(slotContext: SlotContext<D>, ms: number): void {
    const timer = setTimeout(() => this.end(kept), ms);
    const kept = { slotContext, timer };
    this.kept.add(kept);
  }

  /** Takes out those that `isTaken`, the one kept last first. */
  takeWhere(isTaken: (slotContext: SlotContext<D>) => boolean): void {
    for (const kept of [...this.kept].reverse()) if (isTaken(kept.slotContext)) this.remove(kept);
  }

  /** Drops the context that waits longest, to free its page slot. */
  dropOldest(): void {
    for (const kept of this.kept) return this.end(kept);
  }

  /** Gives up those for which `isDue`. */
  dropWhere(isDue: (slotContext: SlotContext<D>) => boolean): void {
    for (const kept of [...this.kept]) if (isDue(kept.slotContext)) this.end(kept);
  }

  private end(kept: Kept<D>): void {
    this.remove(kept);
    this.drop(kept.slotContext);
  }

  private remove(kept: Kept<D>): void {
    clearTimeout(kept.timer);
    this.kept.delete(kept);
  }
}
