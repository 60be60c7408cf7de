import { setTimeout as pause } from 'node:timers/promises';
import { BrowserLostError, PageCrashedError } from './browser-errors.js';
import { BrowserFleet } from './browser-fleet.js';
import type { ChromiumProcess } from './chromium-process.js';
import { contextKeyOf, type Place } from './kept-contexts.js';
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
import { takeSnapshot } from './pool-snapshot.js';
import { reapOrphans, type ReapReport } from './reap-orphans.js';
import type { Seat } from './seat-desk.js';
import { Seating } from './seating.js';
import { lostError, raceTask, rejectWhenLost } from './task-race.js';
import { withinBound } from './within-bound.js';

/** A second try with less time than this would only end late. */
const LEAST_RETRY_MS = 1_000;
/** Work that watches the deadline itself ends by its own account first. */
const DEADLINE_GRACE_MS = 250;

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
  private readonly seating: Seating<D>;
  private readonly endings = new Set<Promise<void>>();
  /** Orphans first: they hold memory and disk that the first launch may need. */
  private readonly reaped: Promise<ReapReport>;
  private working = 0;
  private closed: Promise<void> | null = null;
  private readonly onIdle = new Set<() => void>();

  constructor(options: BrowserPoolOptions<D>) {
    this.settings = poolSettings(options);
    this.reaped = reapOrphans(this.settings.scratchRoot);
    // Told by ready(); a sweep that failed keeps no task from its page.
    this.reaped.catch(() => undefined);
    this.fleet = new BrowserFleet(this.settings, () => this.seating.tend());
    this.seating = new Seating(this.settings, this.fleet, this.reaped, (place) =>
      this.track(this.end(place)),
    );
  }

  /** Resolves when what dead owners left is gone and the warm browsers are up. */
  async ready(): Promise<ReapReport> {
    const report = await this.reaped;
    if (this.settings.warmBrowsers > 0) await this.seating.warm();
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
    this.seating.refuse();
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
    this.seating.refuse();
    await this.reaped.catch(() => undefined);
    this.seating.dropKept();
    await this.fleet.close(this.working > 0 ? 'kill' : 'close');
    await Promise.all(this.endings);
    await this.seating.close();
  }

  snapshot(): Promise<BrowserPoolSnapshot> {
    return takeSnapshot(this.fleet, this.seating);
  }

  private async attempt<T>(
    request: LeaseRequest,
    work: (lease: PageLease<D>) => Promise<T>,
  ): Promise<T> {
    const grant = await this.seating.take(request);
    this.fleet.enter(grant.seat.chromium);
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

  private async open(request: LeaseRequest, seat: Seat): Promise<Place<D>> {
    const opening = this.openContext(request, seat.chromium);
    const { deadline, signal } = request;
    try {
      const open = await raceTask(opening, seat.chromium, deadline.remainingMs(), signal);
      return { seat, open, key: contextKeyOf(request) };
    } catch (error) {
      this.track(this.abandonOpening(opening, seat));
      if (error instanceof BrowserLostError || !seat.chromium.browser.isConnected()) {
        throw await lostError(seat.chromium, 'opening', error);
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
    await this.seating.giveBack(seat);
  }

  private async guarded<T>(
    place: Place<D>,
    { deadline, signal }: LeaseRequest,
    work: (lease: PageLease<D>) => Promise<T>,
  ): Promise<T> {
    const { open, seat } = place;
    const { page, context, session, cdp } = open;
    const discard = () => open.discard();
    const lease = { page, context, session, cdp, isReused: open.uses > 1, discard };
    const done = Promise.race([work(lease), rejectWhenCrashed(open)]);
    const boundMs = deadline.remainingMs() + DEADLINE_GRACE_MS;
    try {
      return await raceTask(done, seat.chromium, boundMs, signal);
    } catch (error) {
      if (!seat.chromium.browser.isConnected())
        throw await lostError(seat.chromium, 'working', error);
      if (await open.hasJustCrashed()) throw new PageCrashedError({ cause: error });
      throw error;
    }
  }

  /** The page's task is over: kept for the next of its key, or closed. */
  private async finish(place: Place<D>, isWell: boolean): Promise<void> {
    this.fleet.leave(place.seat.chromium);
    const isPassedOn =
      isWell && this.mayKeep(place) && (await this.clear(place)) && this.seating.passOn(place);
    if (!isPassedOn) await this.end(place);
  }

  /** Before it is cleared: afterwards it may have become of no use, which `passOn` sees. */
  private mayKeep({ open, seat, key }: Place<D>): boolean {
    const isYoung = open.uses < this.settings.maxContextUses;
    return key !== null && isYoung && open.isReusable && seat.chromium.isUsable;
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

  private async end(place: Place<D>): Promise<void> {
    await this.closeContext(place);
    await this.seating.giveBack(place.seat);
  }

  private async closeContext({ seat, open }: Place<D>): Promise<void> {
    try {
      await withinBound(open.close(), this.settings.closeTimeoutMs, () => new Unanswered());
    } catch (error) {
      // A context that does not close costs its browser; one that is gone with its browser is closed.
      if (error instanceof Unanswered) await seat.chromium.kill('unresponsive');
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

async function rejectWhenCrashed(open: OpenContext): Promise<never> {
  await open.crashed;
  throw new PageCrashedError();
}
