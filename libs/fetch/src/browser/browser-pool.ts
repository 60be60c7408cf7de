import { stat, statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'generic-pool';
import {
  BrowserLostError,
  PageCrashedError,
  PageTimeoutError,
  PoolSaturatedError,
} from './browser-errors.js';
import { BrowserFleet } from './browser-fleet.js';
import type { ChromiumProcess } from './chromium-process.js';
import { contextKeyOf, KeptContexts, type Place } from './kept-contexts.js';
import { OpenContext } from './open-context.js';
import type { BrowserPoolSnapshot } from './pool-events.js';
import {
  poolSettings,
  type BrowserPoolOptions,
  type LeaseRequest,
  type PageDoor,
  type PageLease,
  type PoolSettings,
  type WithPageOptions,
} from './pool-options.js';
import { reapOrphans, type ReapReport } from './reap-orphans.js';
import { createSeatPool, type Seat, type SeatOffer } from './seat-desk.js';
import { WaitingLine } from './waiting-line.js';
import { withinBound } from './within-bound.js';

/** A second try with less time than this would only end late. */
const LEAST_RETRY_MS = 1_000;
/** Work that watches the deadline itself ends by its own account first. */
const DEADLINE_GRACE_MS = 250;
const DISCONNECT_NOTICE_MS = 1_000;

/** What a waiter is given: a bare seat, or one with a context that was kept for its key. */
type Grant<D extends PageDoor> = { readonly seat: Seat; readonly place: Place<D> | null };

/**
 * Chromium processes and the pages in them. A task gets a seat (the right to one open page in a
 * browser that others share) and on it a context of its own, closed on every way out: cookies,
 * storage, cache and HTTP authentication never cross. Tasks with one `contextKey` may follow each
 * other in one context, cleared in between.
 *
 * A browser is lost alone: its tasks fail with {@link BrowserLostError}, another takes its place.
 * States of a browser: launching → live → retiring (finishes its pages) → gone; or lost at any time.
 */
export class BrowserPool<D extends PageDoor = PageDoor> {
  private readonly settings: PoolSettings<D>;
  private readonly fleet: BrowserFleet;
  private readonly seats: Pool<SeatOffer>;
  private readonly line: WaitingLine<Grant<D>>;
  private readonly kept: KeptContexts<D>;
  private readonly endings = new Set<Promise<void>>();
  /** Orphans first: they hold memory and disk that the first launch may need. */
  private readonly reaped: Promise<ReapReport>;
  private taken = 0;
  private asking = 0;
  private working = 0;
  private isClosing = false;
  private closed: Promise<void> | null = null;
  private readonly onIdle = new Set<() => void>();

  constructor(options: BrowserPoolOptions<D>) {
    this.settings = poolSettings(options);
    const { maxWaiting, keepContextMs, scratchRoot } = this.settings;
    this.reaped = reapOrphans(scratchRoot);
    // Told by ready(); a sweep that failed keeps no task from its page.
    this.reaped.catch(() => undefined);
    this.line = new WaitingLine(maxWaiting);
    this.kept = new KeptContexts(keepContextMs, (place) => this.endPlace(place));
    this.fleet = new BrowserFleet(this.settings, () => this.tend());
    this.seats = createSeatPool(this.fleet, this.settings);
  }

  /** Resolves when what dead owners left is gone and the warm browsers are up. */
  async ready(): Promise<ReapReport> {
    const report = await this.reaped;
    if (this.settings.warmBrowsers > 0) {
      this.seats.start();
      await this.seats.ready();
    }
    return report;
  }

  /**
   * Runs `work` on a page. When it settles, or its time is over, the page is taken from it.
   * @throws PoolSaturatedError no seat in time; BrowserUnavailableError no Chromium starts;
   *   BrowserLostError, PageCrashedError, PageTimeoutError while at work; what `work` throws; the
   *   signal's reason
   */
  async withPage<T>(
    request: LeaseRequest,
    work: (lease: PageLease<D>) => Promise<T>,
    { isRepeatable = false }: WithPageOptions = {},
  ): Promise<T> {
    try {
      return await this.attempt(request, work);
    } catch (error) {
      if (!(error instanceof BrowserLostError)) throw error;
      const mayRepeat = isRepeatable || error.phase === 'opening';
      if (!mayRepeat || request.deadline.remainingMs() < LEAST_RETRY_MS) throw error;
      return this.attempt(request, work);
    }
  }

  /** Takes no new pages; those open may finish within `boundMs`, then everything is killed. */
  async drain(boundMs: number): Promise<void> {
    this.isClosing = true;
    this.refuseWaiters();
    const bound = new AbortController();
    const idle = new Promise<void>((resolve) => this.onIdle.add(resolve));
    this.tellIdle();
    // Aborted when the last page ended first.
    const late = pause(boundMs, undefined, { signal: bound.signal }).catch(() => undefined);
    await Promise.race([idle, late]);
    bound.abort();
    await this.close();
  }

  /** Ends everything now; tasks at work fail with {@link BrowserLostError}. */
  close(): Promise<void> {
    this.closed ??= this.endAll();
    return this.closed;
  }

  private async endAll(): Promise<void> {
    this.isClosing = true;
    this.refuseWaiters();
    await this.reaped.catch(() => undefined);
    this.kept.dropWhere(() => true);
    await this.fleet.close(this.working > 0 ? 'kill' : 'close');
    await Promise.all(this.endings);
    await this.seats.drain();
    await this.seats.clear();
  }

  async snapshot(): Promise<BrowserPoolSnapshot> {
    const browsers = [...this.fleet.all];
    const bytes = browsers.map(({ residentBytes }) => residentBytes);
    const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
    const live = browsers.filter(({ isUsable }) => isUsable);
    const busy = live.filter((chromium) => chromium.busy > 0).length;
    return {
      instances: {
        idle: live.length - busy,
        busy,
        launching: this.fleet.launchingCount,
        retiring: browsers.length - live.length,
      },
      capacity: this.fleet.capacity,
      waiters: this.line.length,
      pagesOpen: sum(browsers.map((chromium) => chromium.busy)),
      contextsKept: this.kept.size,
      residentBytes: { sum: sum(bytes), max: Math.max(0, ...bytes) },
      processes: {
        live: sum(browsers.map(({ processes }) => processes.live)),
        zombie: sum(browsers.map(({ processes }) => processes.zombie)),
      },
      sharedMemoryBytes: await sharedMemoryBytes(),
    };
  }

  private async attempt<T>(
    request: LeaseRequest,
    work: (lease: PageLease<D>) => Promise<T>,
  ): Promise<T> {
    const grant = await this.takeSeat(request);
    this.working++;
    try {
      const place = grant.place ?? (await this.open(request, grant.seat));
      return await this.workOn(place, request, work);
    } finally {
      this.working--;
      this.tellIdle();
    }
  }

  private async workOn<T>(
    place: Place<D>,
    request: LeaseRequest,
    work: (lease: PageLease<D>) => Promise<T>,
  ): Promise<T> {
    let isWell = false;
    try {
      const value = await this.guarded(place, request, work);
      isWell = true;
      return value;
    } finally {
      // Not waited for: the answer is there, the seat follows when it is clean.
      this.track(this.finish(place, isWell));
    }
  }

  private async takeSeat(request: LeaseRequest): Promise<Grant<D>> {
    if (this.isClosing) throw new PoolSaturatedError('closed');
    const key = contextKeyOf(request);
    const place = key === null ? null : this.kept.take(key);
    const startedAtMs = performance.now();
    const tell = (outcome: 'served' | 'gave_up') =>
      this.settings.events.onWait?.(performance.now() - startedAtMs, outcome);
    try {
      const grant = place === null ? await this.waitForSeat(request) : { seat: place.seat, place };
      this.fleet.enter(grant.seat.chromium);
      tell('served');
      return grant;
    } catch (error) {
      tell('gave_up');
      throw error;
    }
  }

  private waitForSeat(request: LeaseRequest): Promise<Grant<D>> {
    const granted = this.line.join(request);
    const tend = () => this.tend();
    void this.reaped.then(tend, tend);
    return granted;
  }

  /** Asks for as many seats as there are tasks in line and room for; gives up kept contexts if short. */
  private tend(): void {
    this.kept.dropWhere(({ seat }) => !seat.chromium.isUsable);
    const room = this.fleet.capacity - this.taken - this.asking;
    const wanted = this.line.length - this.asking;
    for (let n = Math.min(room, wanted); n > 0; n--) void this.askForSeat();
    if (wanted > Math.max(0, room)) this.kept.dropOldest();
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
      this.line.next()?.(() => Promise.reject(error));
      return this.tend();
    }
    const give = this.line.next();
    if (give === null) return this.seats.release(offer);
    this.taken++;
    give(() => Promise.resolve({ seat: offer, place: null }));
  }

  private async open(request: LeaseRequest, seat: Seat): Promise<Place<D>> {
    const opening = this.openContext(request, seat.chromium);
    const { deadline, signal } = request;
    try {
      const open = await raceTask(opening, seat.chromium, deadline.remainingMs(), signal);
      return { seat, open, key: contextKeyOf(request) };
    } catch (error) {
      this.track(this.abandonOpening(opening, seat));
      if (error instanceof BrowserLostError || !seat.chromium.browser.isConnected()) {
        throw await lostError(seat, 'opening', error);
      }
      throw error;
    }
  }

  private async openContext(
    request: LeaseRequest,
    chromium: ChromiumProcess,
  ): Promise<OpenContext<D>> {
    const { pageBudget, openSession, userAgentSuffix } = this.settings;
    const session = await openSession({ country: request.country, ...pageBudget });
    try {
      const { browser } = chromium;
      const opening = OpenContext.open(browser, request, session, userAgentSuffix);
      // A command to a browser that has just died may stay without an answer.
      return await Promise.race([opening, rejectWhenLost(chromium, 'opening')]);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** The task went; whatever still opens is closed, or the browser that does not get there killed. */
  private async abandonOpening(opening: Promise<OpenContext<D>>, seat: Seat): Promise<void> {
    const { closeTimeoutMs } = this.settings;
    try {
      const open = await withinBound(opening, closeTimeoutMs, () => new Unanswered());
      await this.closeContext({ seat, open, key: null });
    } catch (error) {
      if (error instanceof Unanswered) await seat.chromium.kill('unresponsive');
      else this.fleet.retire(seat.chromium, 'error');
    }
    this.fleet.leave(seat.chromium);
    await this.giveBack(seat);
  }

  private async guarded<T>(
    place: Place<D>,
    { deadline, signal }: LeaseRequest,
    work: (lease: PageLease<D>) => Promise<T>,
  ): Promise<T> {
    const { open, seat } = place;
    const { page, context, session, cdp } = open;
    const lease = { page, context, session, cdp, isReused: open.uses > 1 };
    const done = Promise.race([work(lease), rejectWhenCrashed(open)]);
    const boundMs = deadline.remainingMs() + DEADLINE_GRACE_MS;
    try {
      return await raceTask(done, seat.chromium, boundMs, signal);
    } catch (error) {
      if (!seat.chromium.browser.isConnected()) throw await lostError(seat, 'working', error);
      if (await open.hasJustCrashed()) throw new PageCrashedError({ cause: error });
      throw error;
    }
  }

  /** The page's task is over: kept for the next of its key, or closed. */
  private async finish(place: Place<D>, isWell: boolean): Promise<void> {
    const { seat, open, key } = place;
    this.fleet.leave(seat.chromium);
    const isKept = isWell && key !== null && this.mayKeep(place) && (await this.clear(place));
    if (!isKept || !seat.chromium.isUsable || this.isClosing) return this.end(place);
    const give = this.line.nextFitting((request) => contextKeyOf(request) === key);
    if (give !== null) return give(() => Promise.resolve({ seat, place }));
    if (this.line.length > 0 || !open.isReusable) return this.end(place);
    this.kept.keep(place);
  }

  private mayKeep({ open, seat }: Place<D>): boolean {
    const isYoung = open.uses < this.settings.maxContextUses;
    return isYoung && open.isReusable && seat.chromium.isUsable && !this.isClosing;
  }

  private async clear({ open }: Place<D>): Promise<boolean> {
    try {
      await withinBound(open.clear(), this.settings.closeTimeoutMs, () => new Unanswered());
      return true;
    } catch {
      // A page that cannot be cleared is closed instead.
      return false;
    }
  }

  private endPlace(place: Place<D>): void {
    this.track(this.end(place));
  }

  private async end(place: Place<D>): Promise<void> {
    await this.closeContext(place);
    await this.giveBack(place.seat);
  }

  private async closeContext({ seat, open }: Place<D>): Promise<void> {
    try {
      await withinBound(open.close(), this.settings.closeTimeoutMs, () => new Unanswered());
    } catch (error) {
      // A context that does not close costs its browser; one that is gone with its browser is closed.
      if (error instanceof Unanswered) await seat.chromium.kill('unresponsive');
    }
  }

  private async giveBack(seat: Seat): Promise<void> {
    this.taken--;
    if (seat.chromium.isUsable) await this.seats.release(seat);
    else await this.seats.destroy(seat);
    this.tend();
  }

  private refuseWaiters(): void {
    for (let give = this.line.next(); give !== null; give = this.line.next()) {
      give(() => Promise.reject(new PoolSaturatedError('closed')));
    }
  }

  private track(ending: Promise<void>): void {
    this.endings.add(ending);
    void ending.finally(() => this.endings.delete(ending));
  }

  private tellIdle(): void {
    if (this.working > 0) return;
    for (const tell of this.onIdle) tell();
    this.onIdle.clear();
  }
}

class Unanswered extends Error {}

/** The task's promise, ended early by its deadline, its signal or the loss of its browser. */
async function raceTask<T>(
  task: Promise<T>,
  chromium: ChromiumProcess,
  boundMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const giveUp = () => aborted.reject(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted === true) giveUp();
  const lost = rejectWhenLost(chromium, 'working');
  const first = Promise.race([task, aborted.promise, lost]);
  // Heard or not, none of them may end the process later.
  for (const one of [task, aborted.promise, lost]) one.catch(() => undefined);
  try {
    return await withinBound(first, boundMs, () => new PageTimeoutError());
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

async function rejectWhenCrashed(open: OpenContext): Promise<never> {
  await open.crashed;
  throw new PageCrashedError();
}

async function rejectWhenLost(
  chromium: ChromiumProcess,
  phase: BrowserLostError['phase'],
): Promise<never> {
  await chromium.lost;
  throw chromium.lostError(phase);
}

/** The page's error often comes before the news of why the browser went. */
async function lostError(
  { chromium }: Seat,
  phase: BrowserLostError['phase'],
  cause: unknown,
): Promise<BrowserLostError> {
  const late = () => new Unanswered();
  // Without news it counts as disconnected.
  await withinBound(chromium.lost, DISCONNECT_NOTICE_MS, late).catch(() => undefined);
  return chromium.lostError(phase, cause);
}

async function sharedMemoryBytes(): Promise<number | null> {
  try {
    await stat('/dev/shm');
    const { blocks, bfree, bsize } = await statfs('/dev/shm');
    return (blocks - bfree) * bsize;
  } catch {
    // Not on this system.
    return null;
  }
}
