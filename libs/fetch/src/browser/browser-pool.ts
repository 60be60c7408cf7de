import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { BrowserLostError, PageCrashedError } from './browser-errors.js';
import { BrowserFleet, takeSnapshot } from './browser-fleet.js';
import { type ChromiumProcess, withinBound } from './chromium-process.js';
import { contextKeyOf, type SlotContext, SlotAllocator } from './slot-allocator.js';
import { OpenContext } from './open-context.js';
import type { BrowserPoolSnapshot } from './pool-events.js';
import {
  poolSettings,
  type BrowserPoolOptions,
  type ContextLook,
  type LeaseRequest,
  type ProxyPort,
  type LeasedPage,
  type PoolSettings,
} from './pool-options.js';
import { reapOrphans, type ReapReport } from './reap-orphans.js';
import type { PageSlot } from './slot-pool.js';
import { lostError, raceTask, rejectWhenLost } from './task-race.js';

/** A second try with less time than this would only end late. */
const LEAST_RETRY_MS = 1_000;
/** Work that watches the deadline itself ends by its own account first. */
const DEADLINE_GRACE_MS = 250;

/**
 * Chromium processes and the pages in them. A task gets a page slot (the right to one open page in
 * a browser that others share) and in it a context of its own, closed on every way out: cookies,
 * storage, cache and HTTP authentication never cross. Tasks with one `contextKey` may follow each
 * other in one context, cleared in between.
 *
 * A browser is lost alone: its tasks are begun once more if they may be, or fail with {@link BrowserLostError}; another
 * takes its place.
 * States of a browser: launching → live → retiring (finishes its pages) → gone; or lost at any
 * time.
 */
export class BrowserPool<D extends ProxyPort = ProxyPort> {
  private readonly settings: PoolSettings<D>;
  private readonly fleet: BrowserFleet;
  private readonly slotAllocator: SlotAllocator<D>;
  private readonly endings = new Set<Promise<void>>();
  /** Orphans first: they hold memory and disk that the first launch may need. */
  private readonly reaped: Promise<ReapReport>;
  private working = 0;
  private closed: Promise<void> | null = null;
  private readonly onIdle = new Set<() => void>();

  constructor(options: BrowserPoolOptions<D>) {
    this.settings = poolSettings(options);
    this.reaped = reapOrphans(this.settings.scratchRoot);
    // ready() reports a failed sweep; it keeps no task from its page.
    this.reaped.catch(() => undefined);
    this.fleet = new BrowserFleet(this.settings, () => this.slotAllocator.tend());
    this.slotAllocator = new SlotAllocator(this.settings, this.fleet, this.reaped, (slotContext) =>
      this.track(this.end(slotContext)),
    );
  }

  /** Resolves when what dead owners left is gone and the warm browsers are up. */
  async ready(): Promise<ReapReport> {
    const report = await this.reaped;
    if (this.settings.warmBrowsers > 0) await this.slotAllocator.warm();
    return report;
  }

  /**
   * Runs `work` on a page. When it settles, or its time is over, the page is taken from it.
   * @throws PoolSaturatedError no page slot in time; BrowserUnavailableError no Chromium starts;
   *   BrowserLostError, PageCrashedError, PageTimeoutError while at work; what `work` throws; the
   *   signal's reason
   */
  async withPage<T>(request: LeaseRequest, work: (lease: LeasedPage<D>) => Promise<T>): Promise<T> {
    try {
      return await this.attempt(request, work);
    } catch (error) {
      if (!(error instanceof BrowserLostError) || this.closed) throw error;
      const mayRepeat = request.isRepeatable || error.phase === 'opening';
      if (!mayRepeat || request.deadline.remainingMs() < LEAST_RETRY_MS) throw error;
      return this.attempt(request, work);
    }
  }

  /** Takes no new pages; those open may finish within `boundMs`, then everything is killed. */
  async drain(boundMs: number): Promise<void> {
    this.slotAllocator.refuse();
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
    this.slotAllocator.refuse();
    await this.reaped.catch(() => undefined);
    this.slotAllocator.dropKept();
    await this.fleet.close(this.working > 0 ? 'kill' : 'close');
    await Promise.all(this.endings);
    await this.slotAllocator.close();
  }

  snapshot(): Promise<BrowserPoolSnapshot> {
    return takeSnapshot(this.fleet, this.slotAllocator);
  }

  private async attempt<T>(
    request: LeaseRequest,
    work: (lease: LeasedPage<D>) => Promise<T>,
  ): Promise<T> {
    const grant = await this.slotAllocator.take(request);
    this.fleet.enter(grant.slot.chromium);
    this.working++;
    try {
      const slotContext = grant.slotContext ?? (await this.open(request, grant.slot));
      const own = { ...slotContext, key: contextKeyOf(request), isSpare: false };
      return await this.workOn(own, request, work);
    } finally {
      this.working--;
      this.tellIdle();
    }
  }

  private async workOn<T>(
    slotContext: SlotContext<D>,
    request: LeaseRequest,
    work: (lease: LeasedPage<D>) => Promise<T>,
  ): Promise<T> {
    let isWell = false;
    try {
      const value = await this.guarded(slotContext, request, work);
      isWell = true;
      return value;
    } finally {
      // Not waited for: the result is there, the page slot is freed once it is clean.
      this.track(this.finish(slotContext, isWell));
    }
  }

  private async open(request: LeaseRequest, slot: PageSlot): Promise<SlotContext<D>> {
    const opening = this.openContext(request, slot.chromium);
    const { deadline, signal } = request;
    try {
      const open = await raceTask(opening, slot.chromium, deadline.remainingMs(), signal);
      return { slot, open, look: request, key: null, isSpare: false };
    } catch (error) {
      this.track(this.abandonOpening(opening, slot));
      // A command's own error comes a turn before the news that the browser is gone.
      await nextTurn();
      if (error instanceof BrowserLostError || !slot.chromium.browser.isConnected()) {
        throw await lostError(slot.chromium, 'opening', error);
      }
      throw error;
    }
  }

  private async openContext(
    request: ContextLook,
    chromium: ChromiumProcess,
  ): Promise<OpenContext<D>> {
    const { pageBudget, openSession, userAgentSuffix } = this.settings;
    const session = await openSession({ country: request.country, ...pageBudget });
    try {
      const { browser } = chromium;
      const opening = OpenContext.open(browser, request, session, userAgentSuffix);
      // A command to a browser that has just died may stay without a response.
      return await Promise.race([opening, rejectWhenLost(chromium, 'opening')]);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /**
   * The task went; a context still opening is closed, or its browser killed when that takes too
   * long.
   */
  private async abandonOpening(opening: Promise<OpenContext<D>>, slot: PageSlot): Promise<void> {
    const { closeTimeoutMs } = this.settings;
    const { chromium } = slot;
    try {
      const open = await chromium.withinBound(opening, closeTimeoutMs, () => new Unresponsive());
      await this.closeContext(slot, open);
    } catch (error) {
      if (error instanceof Unresponsive) await chromium.kill('unresponsive');
      else this.fleet.retire(chromium, 'error');
    }
    this.fleet.leave(chromium);
    await this.slotAllocator.giveBack(slot);
  }

  private async guarded<T>(
    slotContext: SlotContext<D>,
    { deadline, signal }: LeaseRequest,
    work: (lease: LeasedPage<D>) => Promise<T>,
  ): Promise<T> {
    const { open, slot } = slotContext;
    const { page, context, session, cdp } = open;
    const discard = () => open.discard();
    const lease = { page, context, session, cdp, isReused: open.uses > 1, discard };
    const done = Promise.race([work(lease), rejectWhenCrashed(open)]);
    const boundMs = deadline.remainingMs() + DEADLINE_GRACE_MS;
    try {
      return await raceTask(done, slot.chromium, boundMs, signal);
    } catch (error) {
      // The page's own error comes a turn before the news that it crashed, or that its browser is gone.
      await nextTurn();
      if (!slot.chromium.browser.isConnected())
        throw await lostError(slot.chromium, 'working', error);
      if (open.hasCrashed) throw new PageCrashedError({ cause: error });
      throw error;
    }
  }

  /** The page's task is over: kept for the next of its key, or closed. */
  private async finish(slotContext: SlotContext<D>, isWell: boolean): Promise<void> {
    this.fleet.leave(slotContext.slot.chromium);
    const isPassedOn =
      isWell &&
      this.mayKeep(slotContext) &&
      (await this.clear(slotContext)) &&
      this.slotAllocator.passOn(slotContext);
    if (!isPassedOn) await this.end(slotContext);
  }

  /** Before it is cleared: afterwards it may have become of no use, which `passOn` sees. */
  private mayKeep({ open, slot, key }: SlotContext<D>): boolean {
    const isYoung = open.uses < this.settings.maxContextUses;
    return key !== null && isYoung && open.isReusable && slot.chromium.isUsable;
  }

  private async clear({ open }: SlotContext<D>): Promise<boolean> {
    try {
      await withinBound(open.clear(), this.settings.closeTimeoutMs, () => new Unresponsive());
      return true;
    } catch {
      // A page that cannot be cleared is closed instead.
      return false;
    }
  }

  private async end(slotContext: SlotContext<D>): Promise<void> {
    const { slot, open } = slotContext;
    await this.closeContext(slot, open);
    const isSpareKept =
      this.slotAllocator.wantsSpare(slotContext) && (await this.makeAhead(slotContext));
    if (!isSpareKept) await this.slotAllocator.giveBack(slot);
  }

  /** Opens a context for a task that is yet to come, like the one before. False: it is of no use. */
  private async makeAhead({ slot, look }: SlotContext<D>): Promise<boolean> {
    try {
      // As long as it takes: one that a busy browser opens late is no reason to end the pages of others.
      const open = await this.openContext(look, slot.chromium);
      if (this.slotAllocator.passOn({ slot, open, look, key: null, isSpare: true })) return true;
      await this.closeContext(slot, open);
    } catch {
      this.fleet.retire(slot.chromium, 'error');
    }
    return false;
  }

  private async closeContext(slot: PageSlot, open: OpenContext<D>): Promise<void> {
    const { closeTimeoutMs } = this.settings;
    try {
      await slot.chromium.withinBound(open.close(), closeTimeoutMs, () => new Unresponsive());
    } catch (error) {
      // A context that does not close costs its browser; one that is gone with its browser is
      // closed.
      if (error instanceof Unresponsive) await slot.chromium.kill('unresponsive');
    }
  }

  private track(ending: Promise<void>): void {
    this.endings.add(ending);
    void ending.finally(() => this.endings.delete(ending));
  }

  private tellIdle(): void {
    if (this.working > 0) return;
    for (const notify of this.onIdle) notify();
    this.onIdle.clear();
  }
}

class Unresponsive extends Error {}

async function rejectWhenCrashed(open: OpenContext): Promise<never> {
  await open.crashed;
  throw new PageCrashedError();
}
