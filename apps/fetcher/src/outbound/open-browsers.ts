import { statfs } from 'node:fs/promises';
import type { Settings } from '@app/config';
import type { SignRequest } from '@app/egress';
import type { LaunchResult, BrowserPoolEvents, BrowserPoolSnapshot } from '@app/fetch';
import type { Runtime } from '@app/runtime';
import type { Metrics } from '@app/telemetry';
import type { BrowserTerms } from '../browser/browser-messages.js';
import { BrowserProcess } from '../browser/browser-process.js';
import { browserUser } from '../browser/browser-user.js';

const MIB = 1024 ** 2;
/** A Chromium is replaced after so many pages, and at this age: it grows slowly, and updates reach it. */
const RECYCLE_PAGES = 200;
const RECYCLE_AGE_MS = 60 * 60_000;
/** A browser context made ahead of the next task waits so long. */
const SPARE_CONTEXT_MS = 30_000;
/** Requests that one page may make. */
const MAX_PAGE_REQUESTS = 1_000;

/** The fix for operators when no local browser runs, in one line. */
export const BROWSER_FIX =
  'Unset CHROMIUM_PATH and run npm start, which finds or gets a Chromium; or install one (Debian: apt-get install chromium-headless-shell) and name it in CHROMIUM_PATH. npm run doctor tries it.';
const NOT_FOUND = 'no Chromium was found and CHROMIUM_PATH is not set';

export interface Browsers {
  /** Null if neither a local nor a remote browser is configured. */
  readonly process: BrowserProcess | null;
  /** The local browsers, once one was tried; null if none are wanted. */
  readonly tried: Promise<LaunchResult | null>;
}

type Ports = Pick<Runtime, 'settings' | 'log' | 'metrics' | 'health'>;

/**
 * The browsers of this fetcher, local and remote. Their first launch is logged; health reports the latest.
 * @param signRequest signs what local browsers request under our name; without it nothing is signed
 */
export function openBrowsers(ports: Ports, signRequest?: SignRequest): Browsers {
  const { settings, log, metrics } = ports;
  const pool = poolTerms(settings);
  const browsers =
    pool === null && settings.browserWsUrl === undefined
      ? null
      : new BrowserProcess({
          ...{ terms: browserTerms(settings, pool), signRequest },
          events: browserEvents(ports),
          onDenied: (stage) => metrics.ssrfDenied.inc({ stage }),
          onLog: ({ level, text, fields }) => log[level](fields, text),
          onLost: () => metrics.browserCrashes.inc({ reason: 'process' }),
        });
  if (!wantsBrowser(settings)) return { process: browsers, tried: Promise.resolve(null) };
  if (pool !== null && browsers !== null) watchBrowsers(metrics, browsers);
  return { process: browsers, tried: watchLaunches(ports, pool === null ? null : browsers) };
}

/** Health and log of the local browsers. A process without one still serves pages that need none. */
function watchLaunches(
  { log, health }: Ports,
  browsers: BrowserProcess | null,
): Promise<LaunchResult> {
  const missing: LaunchResult = { ok: false, problem: NOT_FOUND };
  health.require({
    ...{ name: 'browser', fix: BROWSER_FIX, isNeeded: false },
    check: async () => {
      const latest = browsers?.latest ?? (await browsers?.tried) ?? missing;
      if (!latest.ok) throw new Error(latest.problem);
    },
  });
  const tried = browsers?.tried ?? Promise.resolve(missing);
  void tried.then((result) => {
    if (result.ok) log.info({ version: result.version }, 'pages that need scripts are rendered');
    else log.error({ ...result, fix: BROWSER_FIX }, 'pages that need scripts are NOT rendered');
  });
  return tried;
}

function wantsBrowser({ browser, browserMax }: Settings): boolean {
  return browser !== 'none' && browserMax > 0;
}

/** The settings that a browser process gets. */
export function browserTerms(settings: Settings, pool: BrowserTerms['pool']): BrowserTerms {
  const { fetchAllowPrivate, egressDeny, outboundProxies, outboundProxyResolvesNames } = settings;
  const { runAs, scratchRoot } = browserUser();
  return {
    egress: { fetchAllowPrivate, egressDeny, outboundProxies, outboundProxyResolvesNames },
    pool: pool && { ...pool, scratchRoot },
    hostedUrl: settings.browserWsUrl ?? null,
    runAs,
  };
}

/** Null: no local browser is wanted, or none is known. */
function poolTerms(settings: Settings): BrowserTerms['pool'] {
  const { chromiumPath: executablePath } = settings;
  if (!wantsBrowser(settings) || executablePath === undefined) return null;
  return {
    executablePath,
    userAgentSuffix: settings.userAgent,
    sandbox: settings.browserSandbox,
    maxBrowsers: settings.browserMax,
    pagesPerBrowser: settings.browserPages,
    spareContextMs: SPARE_CONTEXT_MS,
    warmBrowsers: Math.min(settings.browserWarm, settings.browserMax),
    maxPagesPerBrowser: RECYCLE_PAGES,
    maxBrowserAgeMs: RECYCLE_AGE_MS,
    maxRssMiB: settings.browserMaxRssMib,
    maxTotalRssMiB: settings.browserMaxRssMib * settings.browserMax,
    pageBudget: {
      maxRequests: MAX_PAGE_REQUESTS,
      maxBytes: settings.browserPageMib * MIB,
    },
    maxWaiting: settings.scrapeConcurrency + settings.callConcurrency + settings.crawlConcurrency,
  };
}

/** Counts the pool's events. */
function browserEvents({ metrics, log }: Pick<Runtime, 'log' | 'metrics'>): BrowserPoolEvents {
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
function watchBrowsers(
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
