import type { Technology } from '../technology.js';

/** Joins what the pages of a site show: of each technology the highest confidence and the first version. */
export function mergeTechnologies(lists: readonly (readonly Technology[])[]): Technology[] {
  const byName = new Map<string, Technology>();
  for (const technology of lists.flat()) {
    const known = byName.get(technology.name);
    byName.set(technology.name, known === undefined ? technology : joined(known, technology));
  }
  return sortTechnologies([...byName.values()]);
}

function joined(known: Technology, other: Technology): Technology {
  const { name, category } = known;
  const version = known.version ?? other.version;
  const confidence = Math.max(known.confidence, other.confidence);
  return { name, category, confidence, ...(version !== undefined && { version }) };
}

/** By confidence (highest first), category, name; by code points, so the same on every machine. */
export function sortTechnologies(technologies: readonly Technology[]): Technology[] {
  return [...technologies].sort(
    (a, b) =>
      b.confidence - a.confidence || compare(a.category, b.category) || compare(a.name, b.name),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
