import type { FilteringProxy, ProxySession } from '@app/egress';
import { BrowserPool, findChromium } from '@app/fetch';
import type { Runtime } from '@app/runtime';
import { browserEvents, watchBrowsers } from './browser-metrics.js';

const MIB = 1024 ** 2;

/** The browsers of this fetcher; null where there is none, or none is wanted. */
export function openBrowserPool(
  runtime: Runtime,
  proxy: FilteringProxy,
): BrowserPool<ProxySession> | null {
  const { settings, log, metrics } = runtime;
  if (settings.browserMax === 0) return null;
  const executablePath = findChromium(settings.chromiumPath);
  if (executablePath === null) {
    log.warn('no Chromium was found: pages that need one are not rendered; see CHROMIUM_PATH');
    return null;
  }
  const pool = new BrowserPool({
    executablePath,
    refusingUrl: proxy.refusingUrl,
    openSession: (options) =>
      proxy.openSession({
        ...options,
        onBlocked: () => metrics.ssrfDenied.inc({ stage: 'subresource' }),
      }),
    userAgentSuffix: settings.userAgent,
    sandbox: settings.browserSandbox,
    maxBrowsers: settings.browserMax,
    pagesPerBrowser: settings.browserPages,
    warmBrowsers: Math.min(settings.browserWarm, settings.browserMax),
    maxPagesPerBrowser: settings.browserRecyclePages,
    maxBrowserAgeMs: settings.browserRecycleMinutes * 60_000,
    maxRssMiB: settings.browserMaxRssMib,
    maxTotalRssMiB: settings.browserMaxRssMib * settings.browserMax,
    pageBudget: {
      maxRequests: settings.browserPageRequests,
      maxBytes: settings.browserPageMib * MIB,
    },
    maxWaiting:
      settings.scrapeConcurrency + settings.screenshotConcurrency + settings.crawlConcurrency,
    events: browserEvents(runtime),
  });
  void pool.ready().then(
    (report) => log.info({ report, executablePath }, 'browser pool is ready'),
    (err: unknown) => log.warn({ err }, 'the browser pool is not ready yet'),
  );
  watchBrowsers(metrics, pool);
  return pool;
}
