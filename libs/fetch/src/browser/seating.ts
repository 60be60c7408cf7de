import type { Pool } from 'generic-pool';
import { PoolSaturatedError } from './browser-errors.js';
import type { BrowserFleet } from './browser-fleet.js';
import { contextKeyOf, KeptContexts, type Place } from './kept-contexts.js';
import type { LeaseRequest, PageDoor, PoolSettings } from './pool-options.js';
import { createSeatPool, type Seat, type SeatOffer } from './seat-desk.js';
import { WaitingLine } from './waiting-line.js';

/** What a waiter is given: a bare seat, or one with a context that was kept for its key. */
export interface Grant<D extends PageDoor> {
  readonly seat: Seat;
  readonly place: Place<D> | null;
}

/**
 * Who gets which seat: tasks in line on one side, seats of the browsers and kept contexts on the
 * other. A context of the task's key is preferred to a bare seat, and given up for one when short.
 */
export class Seating<D extends PageDoor> {
  private readonly seats: Pool<SeatOffer>;
  private readonly line: WaitingLine<Grant<D>>;
  private readonly kept: KeptContexts<D>;
  /** Ends the turn that each taken seat was given in. */
  private readonly turns = new Map<Seat, () => void>();
  private taken = 0;
  private asking = 0;
  private isClosed = false;

  constructor(
    private readonly settings: PoolSettings<D>,
    private readonly fleet: BrowserFleet,
    /** Resolves when browsers may be launched. */
    private readonly opened: Promise<unknown>,
    /** Closes a context that nobody asked for in time, and gives its seat back. */
    end: (place: Place<D>) => void,
  ) {
    this.seats = createSeatPool(fleet, settings);
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
    this.seats.start();
    await this.seats.ready();
  }

  /** @throws PoolSaturatedError | BrowserUnavailableError | the signal's reason */
  async take(request: LeaseRequest): Promise<Grant<D>> {
    if (this.isClosed) throw new PoolSaturatedError('closed');
    const key = contextKeyOf(request);
    const place = key === null ? null : this.kept.take(key);
    const startedAtMs = performance.now();
    const tell = (outcome: 'served' | 'gave_up') =>
      this.settings.events.onWait?.(performance.now() - startedAtMs, outcome);
    try {
      const grant = place === null ? await this.wait(request) : { seat: place.seat, place };
      tell('served');
      return grant;
    } catch (error) {
      tell('gave_up');
      throw error;
    }
  }

  /** Passes a cleared context on, to one in line or to be kept; false: it is of no use. */
  passOn(place: Place<D>): boolean {
    const { seat, open, key } = place;
    if (this.isClosed || key === null || !seat.chromium.isUsable || !open.isReusable) return false;
    const give = this.line.nextFitting((request) => contextKeyOf(request) === key);
    if (give !== null) {
      give(() => Promise.resolve({ seat, place }));
      return true;
    }
    if (this.line.length > 0) return false;
    this.kept.keep(place);
    return true;
  }

  async giveBack(seat: Seat): Promise<void> {
    this.taken--;
    this.turns.get(seat)?.();
    this.turns.delete(seat);
    if (seat.chromium.isUsable) await this.seats.release(seat);
    else await this.seats.destroy(seat);
    this.tend();
  }

  /** Asks for as many seats as there are tasks in line and room for; gives up kept contexts if short. */
  tend(): void {
    this.kept.dropWhere(({ seat }) => !seat.chromium.isUsable);
    const room = this.fleet.capacity - this.taken - this.asking;
    const wanted = this.line.length - this.asking;
    for (let n = Math.min(room, wanted); n > 0; n--) void this.askForSeat();
    if (wanted > Math.max(0, room)) this.kept.dropOldest();
  }

  /** No seat is given any more; who waits is refused. */
  refuse(): void {
    this.isClosed = true;
    for (const give of this.line.clear())
      give(() => Promise.reject(new PoolSaturatedError('closed')));
  }

  dropKept(): void {
    this.kept.dropWhere(() => true);
  }

  async close(): Promise<void> {
    await this.seats.drain();
    await this.seats.clear();
  }

  private wait(request: LeaseRequest): Promise<Grant<D>> {
    const granted = this.line.join(request);
    const tend = () => this.tend();
    void this.opened.then(tend, tend);
    return granted;
  }

  private async askForSeat(): Promise<void> {
    this.asking++;
    const offer = await this.seats.acquire().catch(() => null);
    this.asking--;
    // Null: the pool closes, and nobody waits any more.
    if (offer === null) return;
    if (offer.kind === 'missing') {
      await this.seats.destroy(offer);
      const { error } = offer;
      // Without memory for another browser the line waits for a page to end; that tends it.
      if (error === null) return;
      const refused = this.line.next(this.fleet.capacity);
      refused?.give(() => Promise.reject(error));
      refused?.release();
      // Those who may not have a page yet are told when one ends.
      return refused === null ? undefined : this.tend();
    }
    const turn = this.line.next(this.fleet.capacity);
    if (turn === null) return this.seats.release(offer);
    this.taken++;
    this.turns.set(offer, turn.release);
    turn.give(() => Promise.resolve({ seat: offer, place: null }));
  }
}
