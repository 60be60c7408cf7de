import type { Fingerprint } from '@app/tech';

/**
 * Globals that fingerprints look at: the `globalPaths` of the set that they compile to, without the
 * patterns, which are compiled where pages are scanned.
 */
export function globalPathsOf(fingerprints: readonly Fingerprint[]): readonly string[] {
  // Of those of one name the last counts.
  const byName = new Map(fingerprints.map((one) => [one.name, one]));
  const paths = [...byName.values()].flatMap(({ js }) => Object.keys(js ?? {}));
  return [...new Set(paths)].sort();
}
