import type { FetchRung } from '@app/fetch';
import type { Runtime } from '@app/runtime';
import { loadBuiltInFingerprints, loadFingerprints, type Fingerprint } from '@app/tech';
import { PageFetcher, type PageFetcherOptions } from '../page/page-fetcher.js';
import { DeepScan } from './deep-scan.js';
import { globalPathsOf } from './global-paths.js';
import { TechScans } from './tech-scans.js';

/** A page that waits longer for a scanner waits in vain: each is busy with the hardest of pages. */
const QUEUE_WAIT_MS = 2_000;

/** @param pageOptions how pages are fetched else */
export function openTechScans(
  runtime: Pick<Runtime, 'settings' | 'log' | 'queue' | 'blobs'>,
  pageOptions: PageFetcherOptions,
): TechScans {
  const { queue, blobs, log, settings } = runtime;
  const fingerprints = [...loadBuiltInFingerprints(), ...operatorsFingerprints(runtime)];
  return new TechScans({
    queue,
    blobs,
    log,
    requestBudgetMs: settings.techRequestBudgetMs,
    patienceMs: settings.techScanHardMs + QUEUE_WAIT_MS,
    deep: new DeepScan({
      globalPaths: globalPathsOf(fingerprints),
      budgetMs: settings.techDeepBudgetMs,
    }),
    browsers: new PageFetcher({ ...pageOptions, rungs: pageOptions.rungs.filter(isWatching) }),
  });
}

/** A browser of the second try would only take the time of the first. */
function isWatching({ rung, onlyAfterBlocked = false }: FetchRung): boolean {
  return rung === 'headless' && !onlyAfterBlocked;
}

/** A scanner refuses to start with a bad file; here it costs its globals, and that is said. */
function operatorsFingerprints({
  settings,
  log,
}: Pick<Runtime, 'settings' | 'log'>): readonly Fingerprint[] {
  const { techFingerprintsPath: path } = settings;
  if (path === '') return [];
  try {
    return loadFingerprints(path).fingerprints;
  } catch (err) {
    log.error({ err, path }, 'globals of the fingerprints in TECH_FINGERPRINTS_PATH are not read');
    return [];
  }
}
