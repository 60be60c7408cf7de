import type { FetchRung } from '@app/fetch';
import type { Runtime } from '@app/runtime';
import {
  hardLimitMs,
  loadBuiltInFingerprints,
  loadFingerprints,
  type Fingerprint,
} from '@app/tech';
import { PageFetcher, type PageFetcherOptions } from '../page/page-fetcher.js';
import { DeepScan } from './deep-scan.js';
import { TechScans } from './tech-scans.js';

/** A page that waits longer for a scanner waits in vain: each is busy with a worst-case page. */
const QUEUE_WAIT_MS = 2_000;
/** Time for the scans of all pages of one enrichment, waiting included. */
const REQUEST_BUDGET_MS = 20_000;
/** Specification, tech_meta `deep_budget`: the default. */
const DEEP_BUDGET_MS = 15_000;

/** @param pageOptions options of the other fetches */
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
    requestBudgetMs: REQUEST_BUDGET_MS,
    maxWaitMs: hardLimitMs(settings.techScanBudgetMs) + QUEUE_WAIT_MS,
    deep: new DeepScan({
      globalPaths: globalPathsOf(fingerprints),
      budgetMs: DEEP_BUDGET_MS,
    }),
    browsers: new PageFetcher({ ...pageOptions, rungs: pageOptions.rungs.filter(isWatching) }),
  });
}

/** A browser on the retry would only cost the first one's time. */
function isWatching({ rung, onlyAfterBlocked = false }: FetchRung): boolean {
  return rung === 'headless' && !onlyAfterBlocked;
}

/** A scanner refuses to start with an invalid file; here only its globals are missing, and that is logged. */
function operatorsFingerprints({
  settings,
  log,
}: Pick<Runtime, 'settings' | 'log'>): readonly Fingerprint[] {
  const { techFingerprintsPath: path } = settings;
  if (path === '') return [];
  try {
    return loadFingerprints(path).fingerprints;
  } catch (err) {
    log.error(
      { err, path },
      'the fingerprints in TECH_FINGERPRINTS_PATH cannot be read; their globals are not checked',
    );
    return [];
  }
}

/**
 * Globals that fingerprints need: the `globalPaths` of the compiled set, without the patterns, which are
 * compiled where pages are scanned.
 */
export function globalPathsOf(fingerprints: readonly Fingerprint[]): readonly string[] {
  // Of entries with the same name the last one counts.
  const byName = new Map(fingerprints.map((one) => [one.name, one]));
  const paths = [...byName.values()].flatMap(({ js }) => Object.keys(js ?? {}));
  return [...new Set(paths)].sort();
}
