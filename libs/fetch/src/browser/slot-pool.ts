import { createPool, type Pool } from 'generic-pool';
import { BrowserUnavailableError } from './browser-errors.js';
import type { BrowserFleet } from './browser-fleet.js';
import type { ChromiumProcess } from './chromium-process.js';
import { type PoolSettings, slotsPerBrowser } from './pool-options.js';

/** The right to one open page in a browser that others share. */
export interface PageSlot {
  readonly kind: 'slot';
  readonly chromium: ChromiumProcess;
}

/**
 * generic-pool never rejects a waiter when a resource cannot be made: it creates another, at once
 * and for ever. So a failure is a resource too, which the next taker receives and destroys.
 */
interface MissingSlot {
  readonly kind: 'missing';
  /** Null: there is no memory for another browser now; one may wait. */
  readonly error: BrowserUnavailableError | null;
  readonly since: number;
}

export type SlotOffer = PageSlot | MissingSlot;

const STALE_FAILURE_MS = 1_000;
const LONGEST_LOOK_MS = 10_000;

/**
 * Page slots of all browsers, kept by generic-pool: made with a browser, tested before use, evicted
 * idle.
 */
export function createSlotPool(fleet: BrowserFleet, settings: PoolSettings): Pool<SlotOffer> {
  const { maxBrowsers, pagesPerBrowser, warmBrowsers, idleBrowserMs } = settings;
  const max = maxBrowsers * slotsPerBrowser(settings);
  const warmSlots = Math.max(0, warmBrowsers - 1) * pagesPerBrowser + Math.min(1, warmBrowsers);
  return createPool<SlotOffer>(
    {
      create: () => makeSlot(fleet),
      destroy: async (slot) => {
        if (slot.kind === 'slot') await fleet.releaseSlot(slot.chromium);
      },
      validate: (slot) => isFit(fleet, slot),
    },
    {
      max,
      min: Math.min(max, warmSlots),
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

async function makeSlot(fleet: BrowserFleet): Promise<SlotOffer> {
  try {
    const chromium = await fleet.takeSlot();
    if (chromium !== null) return { kind: 'slot', chromium };
    return { kind: 'missing', error: null, since: performance.now() };
  } catch (error) {
    return { kind: 'missing', error: asUnavailable(error), since: performance.now() };
  }
}

async function isFit(fleet: BrowserFleet, slot: SlotOffer): Promise<boolean> {
  if (slot.kind === 'slot') return fleet.isFit(slot.chromium);
  return performance.now() - slot.since < STALE_FAILURE_MS;
}

function asUnavailable(error: unknown): BrowserUnavailableError {
  if (error instanceof BrowserUnavailableError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new BrowserUnavailableError('launch', text, 0, { cause: error });
}
