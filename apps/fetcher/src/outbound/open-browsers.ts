import type { Settings } from '@app/config';
import { findChromium } from '@app/fetch';
import type { Runtime } from '@app/runtime';
import type { BrowserTerms } from '../browser/browser-messages.js';
import { BrowserProcess } from '../browser/browser-process.js';
import { browserUser } from '../browser/browser-user.js';
import { browserEvents, watchBrowsers } from './browser-metrics.js';

const MIB = 1024 ** 2;
/** A Chromium is replaced after so many pages, and at this age: it grows slowly, and updates reach it. */
const RECYCLE_PAGES = 200;
const RECYCLE_AGE_MS = 60 * 60_000;
/** Requests that one page may make. */
const MAX_PAGE_REQUESTS = 1_000;

/** The browsers of this fetcher, local and remote; null if none is available or wanted. */
export function openBrowsers(
  runtime: Pick<Runtime, 'settings' | 'log' | 'metrics'>,
): BrowserProcess | null {
  const { settings, log, metrics } = runtime;
  const pool = poolTerms(settings);
  if (pool === null && settings.browserMax > 0) {
    log.warn('no Chromium was found: pages that need one are not rendered; see CHROMIUM_PATH');
  }
  if (pool === null && settings.browserWsUrl === undefined) return null;
  const events = browserEvents(runtime);
  const browsers = new BrowserProcess({
    terms: browserTerms(settings, pool),
    events,
    onDenied: (stage) => metrics.ssrfDenied.inc({ stage }),
    onLog: ({ level, text, fields }) => log[level](fields, text),
    onLost: () => metrics.browserCrashes.inc({ reason: 'process' }),
  });
  if (pool !== null) watchBrowsers(metrics, browsers);
  return browsers;
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

/** Null: no browser is wanted or found. */
export function poolTerms(settings: Settings): BrowserTerms['pool'] {
  const executablePath = settings.browserMax === 0 ? null : findChromium(settings.chromiumPath);
  if (executablePath === null) return null;
  return {
    executablePath,
    userAgentSuffix: settings.userAgent,
    sandbox: settings.browserSandbox,
    maxBrowsers: settings.browserMax,
    pagesPerBrowser: settings.browserPages,
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
