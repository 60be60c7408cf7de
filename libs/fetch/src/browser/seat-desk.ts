import { createPool, type Pool } from 'generic-pool';
import { BrowserUnavailableError } from './browser-errors.js';
import type { BrowserFleet } from './browser-fleet.js';
import type { ChromiumProcess } from './chromium-process.js';
import type { PoolSettings } from './pool-options.js';

/** The right to one open page in a browser that others share. */
export interface Seat {
  readonly kind: 'seat';
  readonly chromium: ChromiumProcess;
}

/**
 * generic-pool never tells a waiter that a resource cannot be made: it asks for another, at once and
 * for ever. So a failure is a resource too, which the next taker gets and throws away.
 */
interface MissingSeat {
  readonly kind: 'missing';
  /** Null: there is no memory for another browser now; one may wait. */
  readonly error: BrowserUnavailableError | null;
  readonly since: number;
}

export type SeatOffer = Seat | MissingSeat;

const STALE_FAILURE_MS = 1_000;
const LONGEST_LOOK_MS = 10_000;

/** Seats of all browsers, kept by generic-pool: made with a browser, tested before use, evicted idle. */
export function createSeatPool(fleet: BrowserFleet, settings: PoolSettings): Pool<SeatOffer> {
  const { maxBrowsers, pagesPerBrowser, warmBrowsers, idleBrowserMs } = settings;
  const max = maxBrowsers * pagesPerBrowser;
  const warmSeats = Math.max(0, warmBrowsers - 1) * pagesPerBrowser + Math.min(1, warmBrowsers);
  return createPool<SeatOffer>(
    {
      create: () => makeSeat(fleet),
      destroy: async (seat) => {
        if (seat.kind === 'seat') await fleet.leaveSeat(seat.chromium);
      },
      validate: (seat) => isFit(fleet, seat),
    },
    {
      max,
      min: Math.min(max, warmSeats),
      testOnBorrow: true,
      // Started when orphans are reaped, or by the first task.
      autostart: false,
      // Last in, first out: the others fall idle and their browser may close.
      fifo: false,
      evictionRunIntervalMillis: Math.min(LONGEST_LOOK_MS, idleBrowserMs),
      numTestsPerEvictionRun: max,
      softIdleTimeoutMillis: idleBrowserMs,
      idleTimeoutMillis: -1,
    },
  );
}

async function makeSeat(fleet: BrowserFleet): Promise<SeatOffer> {
  try {
    const chromium = await fleet.takeSeat();
    if (chromium !== null) return { kind: 'seat', chromium };
    return { kind: 'missing', error: null, since: performance.now() };
  } catch (error) {
    return { kind: 'missing', error: asUnavailable(error), since: performance.now() };
  }
}

async function isFit(fleet: BrowserFleet, seat: SeatOffer): Promise<boolean> {
  if (seat.kind === 'seat') return fleet.isFit(seat.chromium);
  return performance.now() - seat.since < STALE_FAILURE_MS;
}

function asUnavailable(error: unknown): BrowserUnavailableError {
  if (error instanceof BrowserUnavailableError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new BrowserUnavailableError('launch', text, 0, { cause: error });
}
