import { stat, statfs } from 'node:fs/promises';
import type { BrowserFleet } from './browser-fleet.js';
import type { BrowserPoolSnapshot } from './pool-events.js';

/** The gauges of this moment. */
export async function takeSnapshot(
  fleet: BrowserFleet,
  slotAllocator: Pick<BrowserPoolSnapshot, 'waiters' | 'contextsKept'>,
): Promise<BrowserPoolSnapshot> {
  const browsers = [...fleet.all];
  const bytes = browsers.map(({ residentBytes }) => residentBytes);
  const live = browsers.filter(({ isUsable }) => isUsable);
  const busy = live.filter((chromium) => chromium.busy > 0).length;
  return {
    instances: {
      idle: live.length - busy,
      busy,
      launching: fleet.launchingCount,
      retiring: browsers.length - live.length,
    },
    capacity: fleet.capacity,
    waiters: slotAllocator.waiters,
    pagesOpen: sum(browsers.map((chromium) => chromium.busy)),
    contextsKept: slotAllocator.contextsKept,
    residentBytes: { sum: sum(bytes), max: Math.max(0, ...bytes) },
    processes: {
      live: sum(browsers.map(({ processes }) => processes.live)),
      zombie: sum(browsers.map(({ processes }) => processes.zombie)),
    },
    sharedMemoryBytes: await sharedMemoryBytes(),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
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
