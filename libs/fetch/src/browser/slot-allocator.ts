import type { Pool } from 'generic-pool';
import { PoolSaturatedError } from './browser-errors.js';
import type { BrowserFleet } from './browser-fleet.js';
import type { LeaseRequest, ProxyPort, PoolSettings } from './pool-options.js';
import { createSlotPool, type PageSlot, type SlotOffer } from './slot-pool.js';
import { WaitingLine } from './waiting-line.js';
import type { OpenContext } from './open-context.js';

/** Granted to a waiter: a bare page slot, or one with a context that was kept for its key. */
export interface Grant<D extends ProxyPort> {
  readonly slot: PageSlot;
  readonly slotContext: SlotContext<D> | null;
}

/**
 * Assigns page slots: tasks in line on one side, slots of the browsers and kept contexts on the
 * other. A context of the task's key is preferred to a bare slot, and dropped for one when slots
 * are short.
 */
export class SlotAllocator<D extends ProxyPort> {
  private readonly slots: Pool<SlotOffer>;
  private readonly line: WaitingLine<Grant<D>>;
  private readonly kept: KeptContexts<D>;
  /** Ends the turn in which each taken slot was granted. */
  private readonly turns = new Map<PageSlot, () => void>();
  private taken = 0;
  private asking = 0;
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
    this.kept = new KeptContexts(settings.keepContextMs, end);
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
    const key = contextKeyOf(request);
    const slotContext = key === null ? null : this.kept.take(key);
    const startedAtMs = performance.now();
    const report = (outcome: 'served' | 'gave_up') =>
      this.settings.events.onWait?.(performance.now() - startedAtMs, outcome);
    try {
      const grant =
        slotContext === null ? await this.wait(request) : { slot: slotContext.slot, slotContext };
      report('served');
      return grant;
    } catch (error) {
      report('gave_up');
      throw error;
    }
  }

  /** Passes a cleared context on, to one in line or to be kept; false: it is of no use. */
  passOn(slotContext: SlotContext<D>): boolean {
    const { slot, open, key } = slotContext;
    if (this.isClosed || key === null || !slot.chromium.isUsable || !open.isReusable) return false;
    const give = this.line.nextFitting((request) => contextKeyOf(request) === key);
    if (give !== null) {
      give(() => Promise.resolve({ slot, slotContext }));
      return true;
    }
    if (this.line.length > 0) return false;
    this.kept.keep(slotContext);
    return true;
  }

  async giveBack(slot: PageSlot): Promise<void> {
    this.taken--;
    this.turns.get(slot)?.();
    this.turns.delete(slot);
    if (slot.chromium.isUsable) await this.slots.release(slot);
    else await this.slots.destroy(slot);
    this.tend();
  }

  /** Requests a slot for each task in line, as capacity allows; drops kept contexts when short. */
  tend(): void {
    this.kept.dropWhere(({ slot }) => !slot.chromium.isUsable);
    const room = this.fleet.capacity - this.taken - this.asking;
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
  readonly key: string | null;
}

interface Kept<D extends ProxyPort> {
  readonly slotContext: SlotContext<D>;
  readonly timer: NodeJS.Timeout;
}

/** Everything that must be alike for two pages to follow each other in one context. */
export function contextKeyOf(request: LeaseRequest): string | null {
  const { contextKey, country, stealth, mobile, viewport } = request;
  if (contextKey === null) return null;
  return JSON.stringify([contextKey, country, stealth, mobile, viewport.width, viewport.height]);
}

/**
 * Cleared contexts between two pages of their key, still in their page slots, for a few seconds.
 */
class KeptContexts<D extends ProxyPort> {
  private readonly kept = new Set<Kept<D>>();

  constructor(
    private readonly keepMs: number,
    private readonly drop: (slotContext: SlotContext<D>) => void,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  keep(slotContext: SlotContext<D>): void {
    const timer = setTimeout(() => this.end(kept), this.keepMs);
    const kept = { slotContext, timer };
    this.kept.add(kept);
  }

  /** The context kept last for the key; null when there is none on a living browser. */
  take(key: string): SlotContext<D> | null {
    for (const kept of [...this.kept].reverse()) {
      if (kept.slotContext.key !== key || !kept.slotContext.slot.chromium.isUsable) continue;
      this.remove(kept);
      return kept.slotContext;
    }
    return null;
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
