import type { Fingerprint, ScanInput } from '@app/tech';
import { ScanPool, type ScanPoolOptions } from '../src/scan-pool.js';

/** A technology that is detected on any page with the generator. */
export const PLAIN: Fingerprint = {
  name: 'Plainpress',
  category: 'CMS',
  meta: { generator: '^Plainpress(?: ([\\d.]+))?\\;version:\\1' },
};
/** The group and its backreference keep it from the linear engine; a mismatch takes 2^n steps. */
export const ENDLESS: Fingerprint = {
  name: 'Endless',
  category: 'CMS',
  headers: { 'x-endless': '^(a|aa)+\\1\\1b$' },
};

export const HARMLESS_HTML = '<meta name="generator" content="Plainpress 1.2">';
export const ENDLESS_HEADERS = { 'x-endless': [`${'a'.repeat(120)}c`] };

export const inputOf = (over: Partial<ScanInput> = {}): ScanInput => ({
  url: 'https://page.example/',
  headers: {},
  cookies: {},
  html: HARMLESS_HTML,
  ...over,
});

/** As a thread gets it. */
export function written(over: Partial<ScanInput> = {}): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(inputOf(over)));
}

export const SCAN_THREAD = new URL('./scan-thread.mjs', import.meta.url);
export const LOST_THREAD = new URL('./lost-thread.mjs', import.meta.url);

/** One thread that gets lost as the page says, unless the options differ. */
export function openScanPool(over: Partial<ScanPoolOptions> = {}): ScanPool {
  return new ScanPool({
    fingerprints: [PLAIN, ENDLESS],
    threads: 1,
    maxHeapMb: 128,
    budgetMs: 60_000,
    hardMs: 60_000,
    module: LOST_THREAD,
    onProblem: (cause) => {
      throw new Error('a scan thread broke', { cause });
    },
    ...over,
  });
}
