import type { Technology } from '../technology.js';
import type { Finding } from './evidence.js';
import type { FingerprintSet, TechnologyFacts } from './fingerprint-set.js';

/** Percent by name. */
type Sure = ReadonlyMap<string, number>;

/**
 * What follows from the findings: what needs another technology or category counts beside it only, what is
 * excluded is gone (of two that exclude each other the surer stays), what is implied comes with it, at most as
 * sure as what implies it.
 */
export function conclude(
  { technologies, byName: table }: Pick<FingerprintSet, 'technologies' | 'byName'>,
  findings: ReadonlyMap<number, Finding>,
): Technology[] {
  const found = new Map<string, Finding>();
  for (const [index, finding] of findings) {
    const facts = technologies[index];
    if (facts !== undefined) found.set(facts.name, finding);
  }
  const sure = withoutExcluded(table, found);
  return sortTechnologies(
    [...sure].flatMap(([name, percent]) => {
      const category = table.get(name)?.category;
      const version = found.get(name)?.version ?? '';
      if (category === undefined) return [];
      return [{ name, category, confidence: percent / 100, ...(version && { version }) }];
    }),
  );
}

type Table = ReadonlyMap<string, TechnologyFacts>;
type Found = ReadonlyMap<string, Finding>;

/** Each round bans at least one more, so it ends. */
function withoutExcluded(table: Table, found: Found): Sure {
  const banned = new Set<string>();
  for (;;) {
    const sure = consequences(table, found, banned);
    const more = excludedBy(table, sure);
    if (more.length === 0) return sure;
    for (const name of more) banned.add(name);
  }
}

/** The surest first, then by name: what is excluded does not exclude in turn. */
function excludedBy(table: Table, sure: Sure): readonly string[] {
  const gone = new Set<string>();
  const order = [...sure].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1));
  for (const [name] of order)
    if (!gone.has(name))
      for (const other of table.get(name)?.excludes ?? [])
        if (other !== name && sure.has(other)) gone.add(other);
  return [...gone];
}

function consequences(table: Table, found: Found, banned: ReadonlySet<string>): Sure {
  const sure = new Map<string, number>();
  const waiting = [...found].filter(([name]) => !banned.has(name));
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const [name, { percent }] of waiting) {
      const facts = table.get(name);
      if (facts === undefined || (sure.get(name) ?? 0) >= percent) continue;
      if (!isAllowed(facts, sure, table)) continue;
      grow(table, sure, banned, [name, percent]);
      isGrowing = true;
    }
  }
  return sure;
}

function isAllowed(
  { requires, requiresCategory }: TechnologyFacts,
  sure: Sure,
  table: Table,
): boolean {
  if (requires.length > 0 && !requires.some((name) => sure.has(name))) return false;
  if (requiresCategory.length === 0) return true;
  return [...sure.keys()].some((name) =>
    requiresCategory.includes(table.get(name)?.category ?? ''),
  );
}

/** Adds a technology and all that it implies; a circle ends, as nothing gets surer on the way round. */
function grow(
  table: Table,
  sure: Map<string, number>,
  banned: ReadonlySet<string>,
  first: readonly [string, number],
): void {
  const pending = [first];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [name, percent] = next;
    const facts = table.get(name);
    if (facts === undefined || banned.has(name) || (sure.get(name) ?? 0) >= percent) continue;
    sure.set(name, percent);
    for (const [implied, most] of facts.implies) pending.push([implied, Math.min(percent, most)]);
  }
}

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
function sortTechnologies(technologies: readonly Technology[]): Technology[] {
  return [...technologies].sort(
    (a, b) =>
      b.confidence - a.confidence || compare(a.category, b.category) || compare(a.name, b.name),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
