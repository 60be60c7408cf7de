import { run, type Queryable, type Statement } from '@app/database';
import type { MatchSubject } from '../match/match-record.js';
import { countedValues, type CountedKind, ValueCounts } from '../match/value-counts.js';

/** With more businesses a domain or a number adds nothing to a match. */
const MAX_KEY_HOLDERS = 12;
/** With more places a name weighs no less. */
const MAX_NAME_HOLDERS = 32;

const BY_KEY: Statement = {
  name: 'count_business_keys',
  text: `
    SELECT wanted.kind, wanted.value, found.* FROM unnest($1::text[], $2::text[]) AS wanted (kind, value)
    CROSS JOIN LATERAL (
      SELECT b.name_key AS "nameKey", b.zip, b.record->'location'->>'city' AS city
      FROM business_keys k JOIN businesses m ON m.id = k.business_id
      JOIN businesses b ON b.id = coalesce(m.merged_into, m.id)
      WHERE k.kind = wanted.kind AND k.value = wanted.value LIMIT ${MAX_KEY_HOLDERS}) found`,
};
const BY_NAME: Statement = {
  name: 'count_business_names',
  text: `
    SELECT 'name' AS kind, wanted.value, found.* FROM unnest($1::text[]) AS wanted (value)
    CROSS JOIN LATERAL (
      SELECT b.name_key AS "nameKey", b.zip, b.record->'location'->>'city' AS city FROM businesses b
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
  const keys = shared.filter(([kind]) => kind !== 'name');
  const names = shared.filter(([kind]) => kind === 'name');
  const rows = [
    ...(await holders(tx, BY_KEY, [keys.map(([kind]) => kind), keys.map(([, value]) => value)])),
    ...(await holders(tx, BY_NAME, [names.map(([, value]) => value)])),
  ];
  for (const { kind, value, nameKey, zip, city } of rows)
    counts.addHolder(kind, value, {
      nameKey: nameKey ?? '',
      zip: zip ?? undefined,
      city: city ?? undefined,
    });
  return counts;
}

async function holders(
  tx: Queryable,
  statement: Statement,
  values: readonly (readonly string[])[],
): Promise<readonly HolderRow[]> {
  if (values[0]?.length === 0) return [];
  return run<HolderRow & Record<string, unknown>>(tx, statement, values);
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
