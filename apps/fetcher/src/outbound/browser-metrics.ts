import { statfs } from 'node:fs/promises';
import type { BrowserPoolEvents, BrowserPoolSnapshot } from '@app/fetch';
import type { Runtime } from '@app/runtime';
import type { Metrics } from '@app/telemetry';

/** Counts the pool's events. */
export function browserEvents({
  metrics,
  log,
}: Pick<Runtime, 'log' | 'metrics'>): BrowserPoolEvents {
  return {
    onLaunch: ({ ok }, durationMs) => {
      metrics.browserLaunches.inc({ result: ok ? 'ok' : 'error' });
      metrics.browserLaunchSeconds.observe(durationMs / 1_000);
    },
    onWait: (waitMs) => metrics.browserWaitSeconds.observe(waitMs / 1_000),
    onCrash: (reason) => metrics.browserCrashes.inc({ reason }),
    onRecycle: (reason) => metrics.browserRecycles.inc({ reason }),
    onSandbox: (isOn, reason) => {
      if (isOn) log.info('Chromium runs in its sandbox');
      else log.warn({ reason }, 'Chromium runs without its sandbox');
    },
  };
}

/** Values between two browser processes. */
const NO_BROWSERS: BrowserPoolSnapshot = {
  instances: { idle: 0, busy: 0, launching: 0, retiring: 0 },
  capacity: 0,
  waiters: 0,
  pagesOpen: 0,
  contextsKept: 0,
  residentBytes: { sum: 0, max: 0 },
  processes: { live: 0, zombie: 0 },
  sharedMemoryBytes: null,
};

/** Gauges of the pool, read when metrics are scraped. */
export function watchBrowsers(
  metrics: Metrics,
  browsers: { snapshot(): Promise<BrowserPoolSnapshot | null> },
): void {
  metrics.onCollect(async () => {
    const now = (await browsers.snapshot()) ?? NO_BROWSERS;
    for (const [state, count] of Object.entries(now.instances))
      metrics.browserInstances.set({ state }, count);
    metrics.browserCapacity.set(now.capacity);
    metrics.browserWaiters.set(now.waiters);
    metrics.browserPagesOpen.set(now.pagesOpen);
    metrics.browserMemory.set({ stat: 'sum' }, now.residentBytes.sum);
    metrics.browserMemory.set({ stat: 'max' }, now.residentBytes.max);
    metrics.browserProcesses.set({ state: 'live' }, now.processes.live);
    metrics.browserProcesses.set({ state: 'zombie' }, now.processes.zombie);
    if (now.sharedMemoryBytes === null) return;
    metrics.shmUsed.set(now.sharedMemoryBytes);
    const { blocks, bsize } = await statfs('/dev/shm');
    metrics.shmSize.set(blocks * bsize);
  });
}
