import type { Fingerprint } from '@app/tech';

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
