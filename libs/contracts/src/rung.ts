/** The fetch methods, cheapest first (specification: "Cascade rung values in escalation order"). */
export const RUNGS = ['unblock', 'plain', 'headless', 'hosted_crawler', 'hosted_browser'] as const;
export type Rung = (typeof RUNGS)[number];

/** Level of a rung in the cascade, 0 to 4. */
export function rungLevel(rung: Rung): number {
  return RUNGS.indexOf(rung);
}

/** Values of `metadata.fetchMethod` (specification: Scrape result). */
export type FetchMethod =
  'fetch' | 'plain' | 'headless' | 'stealth' | 'hosted_crawler' | 'hosted_browser';
