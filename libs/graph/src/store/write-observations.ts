import { run, type Database, type Queryable, type Statement } from '@app/database';
import type { Observation } from '../evidence/facts.js';
import { keysOf } from '../fuse/business-keys.js';
import { nameKey } from '../match/name-key.js';
import { zipKey } from '../match/places/comparable-place.js';
import { OPT_OUT_LOCK, withoutOptOuts } from '../privacy/opt-outs.js';
import { assignObservations, describeObservation } from './assign-observations.js';
import { readCandidates, type PlacedName } from './candidate-rows.js';
import { addEvidence } from './evidence-rows.js';
import { fuseBusinesses } from './fused-rows.js';
import { mergeBusinesses } from './merge-rows.js';
import type { MatchSubject } from '../match/match-record.js';
import { countedValues, ValueCounts, type CountedKind } from '../match/value-counts.js';

export interface WriteTerms {
  /** Whose request read it; null: an import of the operator. */
  readonly tenantId: string | null;
  /** Also compare with businesses of the same place by similar names, which costs milliseconds each. @default true */
  readonly findsSimilarNames?: boolean;
}

export interface WriteResult {
  /** The business of each observation; null: it opted out. */
  readonly businessIds: readonly (string | null)[];
  readonly created: number;
  readonly merged: number;
}

/**
 * Writes observations to the graph in one transaction: each is matched to a business or makes one, its facts become
 * evidence, and the records are fused anew. The same observation written twice changes nothing. Writers of the same keys
 * wait for each other.
 */
export async function writeObservations(
  database: Database,
  observations: readonly Observation[],
  terms: WriteTerms,
): Promise<WriteResult> {
  return database.transaction(async (tx) => {
    await lockForWriting(tx, observations);
    const allowed = await withoutOptOuts(tx, observations);
    const kept = allowed.filter((one) => one !== null);
    if (kept.length === 0)
      return { businessIds: observations.map(() => null), created: 0, merged: 0 };
    const { businessIds, created, merged } = await writeAllowed(tx, kept, terms);
    const ids = businessIds.values();
    return {
      businessIds: allowed.map((one) => one && (ids.next().value ?? null)),
      created,
      merged,
    };
  });
}

async function writeAllowed(
  tx: Queryable,
  observations: readonly Observation[],
  { tenantId, findsSimilarNames = true }: WriteTerms,
): Promise<{ businessIds: readonly string[]; created: number; merged: number }> {
  const keys = observations.flatMap(({ facts }) => keysOf(facts));
  const placed = observations
    .flatMap(placedName)
    .filter(({ state, zip }) => state !== null || zip !== null);
  const candidates = await readCandidates(tx, { keys, names: placed, findsSimilarNames });
  const described = observations.map(describeObservation);
  const counts = await readValueCounts(
    tx,
    [...described, ...candidates].map(({ subject }) => subject),
  );
  const { businessIds, created, merges } = assignObservations(described, candidates, counts);
  if (created.length > 0) await run(tx, CREATE, [created]);
  const added = observations.map((one, at) => ({ ...one, businessId: businessIds[at] ?? '' }));
  await addEvidence(tx, added);
  if (tenantId !== null)
    await run(tx, NOTE_READERS, [
      tenantId,
      added.map(({ businessId }) => businessId),
      added.map(({ source }) => source),
      added.map(({ seenAt }) => seenAt),
    ]);
  let merged = 0;
  for (const merge of merges) if (await mergeBusinesses(tx, merge)) merged += 1;
  await fuseBusinesses(tx, [...new Set([...businessIds, ...merges.map(({ kept }) => kept)])]);
  return { businessIds, created: created.length, merged };
}

/** A name alone is shared by many. */
function placedName({ facts }: Observation): readonly PlacedName[] {
  const name = facts.find(({ field }) => field === 'name')?.value;
  const key = typeof name === 'string' ? nameKey(name) : '';
  if (key === '') return [];
  const location = facts.find((fact) => fact.field === 'location')?.value;
  return [
    { nameKey: key, state: location?.state ?? null, zip: zipKey(location?.zip ?? '') || null },
  ];
}

/** Locks of terms: a batch of any size takes at most this many. */
const LOCKS = 512;
const LOCK_CLASS = 726_177;

/** Keeps out deletions, and writers of the same terms: in the order of their numbers, so that none wait in a circle. */
const LOCK: Statement = {
  name: 'lock_business_terms',
  text: `
    SELECT pg_advisory_xact_lock_shared(${OPT_OUT_LOCK})
    UNION ALL
    SELECT pg_advisory_xact_lock(${LOCK_CLASS}, slot) FROM (
      SELECT DISTINCT abs(hashtext(term) % ${LOCKS}) AS slot FROM unnest($1::text[]) AS t (term) ORDER BY 1) s`,
};

/** Held until the end of the transaction: what is read afterwards is what the writers before it left. */
async function lockForWriting(tx: Queryable, observations: readonly Observation[]): Promise<void> {
  const keys = observations.flatMap(({ facts }) => keysOf(facts));
  const terms = keys.map(({ kind, value }) => `${kind} ${value}`);
  const names = observations.flatMap(placedName).map((name) => name.nameKey);
  await run(tx, LOCK, [[...terms, ...names]]);
}

const CREATE: Statement = {
  name: 'create_businesses',
  text: 'INSERT INTO businesses (id) SELECT unnest($1::uuid[])',
};
const NOTE_READERS: Statement = {
  name: 'note_business_readers',
  text: `
    INSERT INTO business_readers AS r (business_id, tenant_id, source, read_at)
    SELECT id, $1, source, max(read_at) FROM unnest($2::uuid[], $3::text[], $4::timestamptz[]) AS n (id, source, read_at)
    GROUP BY id, source
    ON CONFLICT (business_id, source, tenant_id) DO UPDATE SET read_at = greatest(r.read_at, excluded.read_at)`,
};

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
async function readValueCounts(
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
