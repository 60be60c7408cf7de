import { run, type Queryable, type Statement } from '@app/database';
import type { MatchSubject } from '../match/match-record.js';
import { countedValues, type CountedKind, ValueCounts } from '../match/value-counts.js';

/** With more businesses a domain or a number adds nothing to a match. */
const MAX_KEY_HOLDERS = 12;
/** With more places a name weighs no less. */
const MAX_NAME_HOLDERS = 32;

const COUNT: Statement = {
  name: 'count_business_values',
  text: `
    SELECT wanted.kind, wanted.value, found.* FROM unnest($1::text[], $2::text[]) AS wanted (kind, value)
    CROSS JOIN LATERAL (
      SELECT b.name_key AS "nameKey", b.zip, b.record->'location'->>'city' AS city
      FROM business_keys k JOIN businesses m ON m.id = k.business_id
      JOIN businesses b ON b.id = coalesce(m.merged_into, m.id)
      WHERE k.kind = wanted.kind AND k.value = wanted.value LIMIT ${MAX_KEY_HOLDERS}) found
    UNION ALL
    SELECT 'name', wanted.value, found.* FROM unnest($3::text[]) AS wanted (value)
    CROSS JOIN LATERAL (
      SELECT b.name_key, b.zip, b.record->'location'->>'city' FROM businesses b
      WHERE b.name_key = wanted.value AND b.merged_into IS NULL LIMIT ${MAX_NAME_HOLDERS}) found`,
};

interface HolderRow {
  readonly kind: CountedKind;
  readonly value: string;
  readonly nameKey: string | null;
  readonly zip: string | null;
  readonly city: string | null;
}

/**
 * How many businesses of the graph and of these records have each value that two of the records share: what only one has
 * compares with nothing.
 */
export async function readValueCounts(
  tx: Queryable,
  subjects: readonly MatchSubject[],
): Promise<ValueCounts> {
  const counts = new ValueCounts();
  for (const subject of subjects) counts.add(subject);
  const shared = sharedValues(subjects);
  for (const { kind, value, nameKey, zip, city } of await holders(tx, shared))
    counts.addHolder(kind, value, {
      nameKey: nameKey ?? '',
      zip: zip ?? undefined,
      city: city ?? undefined,
    });
  return counts;
}

async function holders(
  tx: Queryable,
  shared: readonly (readonly [CountedKind, string])[],
): Promise<readonly HolderRow[]> {
  if (shared.length === 0) return [];
  const keys = shared.filter(([kind]) => kind !== 'name');
  const names = shared.filter(([kind]) => kind === 'name');
  return run<HolderRow & Record<string, unknown>>(tx, COUNT, [
    keys.map(([kind]) => kind),
    keys.map(([, value]) => value),
    names.map(([, value]) => value),
  ]);
}

function sharedValues(
  subjects: readonly MatchSubject[],
): readonly (readonly [CountedKind, string])[] {
  const seen = new Set<string>();
  const shared = new Map<string, readonly [CountedKind, string]>();
  for (const value of subjects.flatMap(countedValues)) {
    const term = value.join(' ');
    if (seen.has(term)) shared.set(term, value);
    seen.add(term);
  }
  return [...shared.values()];
}
