/** Set by `npm run test:full`: every mode, every row of long tables, large samples. */
export const isFullRun = process.env['TRAWL_TEST_FULL'] === 'yes';

/** Rows of a table of tests: one or two for each kind, and those that only the full run adds. */
export function casesOf<T>(kinds: readonly T[], { full }: { readonly full: readonly T[] }): T[] {
  return isFullRun ? [...kinds, ...full] : [...kinds];
}

/** A test of the full run alone: one that waits for seconds. */
export function itInFull(name: string, test: () => Promise<void>, timeoutMs?: number): void {
  if (isFullRun) it(name, test, timeoutMs);
}
