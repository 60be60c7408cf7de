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
  techScanBudgetMs: integer(
    'TECH_SCAN_BUDGET_MS',
    'Time to match one page; the result then has the technologies found so far. A scan that takes three times as long is ended with its thread.',
    { fallback: 1_000, min: 50, max: 60_000 },
  ),
} as const satisfies Record<string, Field<unknown>>;
