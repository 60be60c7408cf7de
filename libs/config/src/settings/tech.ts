import { integer, text, type Field } from '../fields.js';

/** Technology detection. */
export const TECH_SETTINGS = {
  techFingerprintsPath: text(
    'TECH_FINGERPRINTS_PATH',
    'File or folder of additional fingerprints, in the JSON form of Wappalyzer; default: only those of this build.',
    { fallback: '' },
  ),
  techScanThreads: integer(
    'TECH_SCAN_THREADS',
    'Threads of one scanner that one tenant may use at once; one more is reserved for the others. 0: one less than the processors.',
    { fallback: 0, min: 0, max: 256 },
  ),
  techScanConcurrency: integer(
    'TECH_SCAN_CONCURRENCY',
    'Scans that one scanner takes from the queue at once, including those that wait for a thread; shared between tenants like SCRAPE_CONCURRENCY.',
    { fallback: 64, min: 1, max: 1_000 },
  ),
  techScanBudgetMs: integer(
    'TECH_SCAN_BUDGET_MS',
    'Time to match one page; the result then has the technologies found so far.',
    { fallback: 1_000, min: 10, max: 60_000 },
  ),
  techScanHardMs: integer(
    'TECH_SCAN_HARD_MS',
    'A scan that takes longer is ended with its thread.',
    { fallback: 3_000, min: 50, max: 120_000 },
  ),
  techScanMaxOldSpaceMib: integer(
    'TECH_SCAN_MAX_OLD_SPACE_MIB',
    'Heap of one scan thread, MiB; a scan that needs more is ended with it.',
    { fallback: 512, min: 64, max: 1_048_576 },
  ),
  techCooldownMinutes: integer(
    'TECH_COOLDOWN_MINUTES',
    "How long a scanner refuses a tenant's scans after it ended 5 of them within 10 minutes.",
    { fallback: 10, min: 1, max: 10_080 },
  ),
  techRequestBudgetMs: integer(
    'TECH_REQUEST_BUDGET_MS',
    'Total time for the scans of all pages of one enrichment.',
    { fallback: 20_000, min: 100, max: 600_000 },
  ),
  techDeepBudgetMs: integer(
    'TECH_DEEP_BUDGET_MS',
    'Time for the deep scan of one enrichment, in a browser.',
    { fallback: 15_000, min: 100, max: 600_000 },
  ),
} as const satisfies Record<string, Field<unknown>>;
