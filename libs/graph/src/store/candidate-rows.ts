import { run, type Queryable, type Statement } from '@app/database';
import type { BusinessLocation, FactField } from '../evidence/facts.js';
import type { BusinessKey } from '../fuse/business-keys.js';
import type { FusedBusiness } from '../fuse/fused-business.js';
import { MAX_KEY_RECORDS, MAX_NEIGHBORS, MIN_NAME_SIMILARITY } from '../match/candidate-keys.js';
import {
  joinSubjects,
  prepareRecord,
  type MatchRecord,
  type MatchSubject,
} from '../match/match-record.js';

/** A business that an observation is compared with. */
export interface Candidate {
  readonly id: string;
  readonly subject: MatchSubject;
  readonly hasSite: boolean;
  readonly evidenceCount: number;
  /** Keys of all members of its group. */
  readonly keys: readonly OwnedKey[];
  /** Its id, and those of the businesses that the batch found to be the same. */
  readonly ids: ReadonlySet<string>;
  /** Groups that hold a business from which an operator separated one of its members. */
  readonly separated: ReadonlySet<string>;
}

export interface OwnedKey extends BusinessKey {
  /** The member whose evidence states it. */
  readonly owner: string;
}

/** Businesses of the place of a wanted name: of its ZIP code, or those of its state whose names begin alike. */
const NEIGHBORS = `
        (SELECT b.id, b.name_key FROM businesses b
         WHERE b.zip = wanted.zip AND b.merged_into IS NULL LIMIT ${MAX_NEIGHBORS})
        UNION ALL
        (SELECT b.id, b.name_key FROM businesses b
         WHERE wanted.zip IS NULL AND b.state = wanted.state AND left(b.name_key, 3) = left(wanted.name_key, 3)
           AND b.name_key IS NOT NULL AND b.merged_into IS NULL LIMIT ${MAX_NEIGHBORS})`;

/** Those with a key; those with a name, in its place; and those of its place whose names are alike. */
const FOUND = `
    named AS (SELECT * FROM unnest($3::text[], $4::text[], $5::text[]) AS wanted (name_key, state, zip)),
    found AS (
    SELECT coalesce(b.merged_into, b.id) AS id
    FROM unnest($1::text[], $2::text[]) AS wanted (kind, value)
    CROSS JOIN LATERAL (
      SELECT business_id FROM business_keys k WHERE k.kind = wanted.kind AND k.value = wanted.value
      LIMIT ${MAX_KEY_RECORDS}) k
    JOIN businesses b ON b.id = k.business_id
    UNION
    SELECT found.id FROM named AS wanted
    CROSS JOIN LATERAL (
      SELECT b.id FROM businesses b
      WHERE b.name_key = wanted.name_key AND b.merged_into IS NULL
        AND (wanted.state IS NULL OR b.state = wanted.state OR b.state IS NULL)
        AND (wanted.zip IS NULL OR b.zip = wanted.zip OR b.zip IS NULL)
      LIMIT ${MAX_KEY_RECORDS}) found
    UNION
    SELECT found.id FROM named AS wanted
    CROSS JOIN LATERAL (
      SELECT near.id FROM (${NEIGHBORS}) near
      WHERE similarity(near.name_key, wanted.name_key) >= ${MIN_NAME_SIMILARITY}
      ORDER BY similarity(near.name_key, wanted.name_key) DESC, near.id
      LIMIT ${MAX_KEY_RECORDS}) found
    WHERE $6)`;

/** A name with the place that narrows it; null: unknown. */
export interface PlacedName {
  readonly nameKey: string;
  readonly state: string | null;
  readonly zip: string | null;
}

export interface Wanted {
  readonly keys: readonly BusinessKey[];
  /** Each with a state or a ZIP code: without a place a name is shared by many. */
  readonly names: readonly PlacedName[];
  /** Also misspelled names, among their neighbors. */
  readonly findsSimilarNames: boolean;
}

interface CandidateRow {
  readonly id: string;
  readonly business: FusedBusiness;
  readonly hasSite: boolean;
  readonly evidenceCount: number;
  readonly keys: readonly OwnedKey[] | null;
  readonly names: readonly string[] | null;
  readonly locations: readonly BusinessLocation[] | null;
  readonly separated: readonly string[] | null;
}

/** Of one candidate; the newest first. */
const MAX_STATED = 5;
/** The different values that sources state of one field, the newest first. */
const stated = (field: FactField): string => `
    (SELECT jsonb_agg(value) FROM (
      SELECT e.value FROM businesses m JOIN business_evidence e ON e.business_id = m.id AND e.field = '${field}'
      WHERE m.id = b.id OR m.merged_into = b.id
      GROUP BY e.value ORDER BY max(e.last_seen) DESC, e.value LIMIT ${MAX_STATED}) s)`;

const READ: Statement = {
  name: 'read_business_candidates',
  text: `
    WITH ${FOUND}
    SELECT b.id, b.record AS business, b.has_site AS "hasSite", b.evidence_count AS "evidenceCount", (
      SELECT jsonb_agg(jsonb_build_object('kind', k.kind, 'value', k.value, 'owner', m.id) ORDER BY k.kind, k.value, m.id)
      FROM business_keys k JOIN businesses m ON m.id = k.business_id
      WHERE m.id = b.id OR m.merged_into = b.id) AS keys,
      ${stated('name')} AS names, ${stated('location')} AS locations, (
      SELECT array_agg(DISTINCT coalesce(other.merged_into, other.id)) FROM businesses m
      JOIN business_merges s ON s.split_at IS NOT NULL AND (s.kept = m.id OR s.merged = m.id)
      JOIN businesses other ON other.id = CASE s.kept WHEN m.id THEN s.merged ELSE s.kept END
      WHERE m.id = b.id OR m.merged_into = b.id) AS separated
    FROM businesses b WHERE b.id = ANY (ARRAY(SELECT id FROM found)) ORDER BY b.id`,
};

/** The businesses that may be one of those wanted. */
export async function readCandidates(
  tx: Queryable,
  { keys, names, findsSimilarNames }: Wanted,
): Promise<readonly Candidate[]> {
  if (keys.length === 0 && names.length === 0) return [];
  const rows = await run<CandidateRow & Record<string, unknown>>(tx, READ, [
    keys.map(({ kind }) => kind),
    keys.map(({ value }) => value),
    names.map(({ nameKey }) => nameKey),
    names.map(({ state }) => state),
    names.map(({ zip }) => zip),
    findsSimilarNames,
  ]);
  return rows.map((row) => ({
    ...{ id: row.id, hasSite: row.hasSite, evidenceCount: row.evidenceCount },
    ...{ keys: row.keys ?? [], subject: subjectOf(row) },
    ...{ ids: new Set([row.id]), separated: new Set(row.separated) },
  }));
}

/** With all names and places that its sources state, not only the fused ones: a business moves and is renamed. */
function subjectOf({ business, keys, names, locations }: CandidateRow): MatchSubject {
  const fused = matchRecordOf(business, keys ?? []);
  const aliases = (names ?? []).filter((name) => name !== fused.name);
  return (locations ?? [])
    .map(prepareRecord)
    .reduce(joinSubjects, prepareRecord({ ...fused, aliases }));
}

/** What is compared of a business. */
export function matchRecordOf(
  { name, location, domain }: FusedBusiness,
  keys: readonly BusinessKey[],
): MatchRecord {
  const of = (kind: BusinessKey['kind']): readonly string[] =>
    keys.filter((key) => key.kind === kind).map(({ value }) => value);
  const [uei] = of('uei');
  const ownDomain = domain ?? of('domain')[0];
  return {
    ...(name === undefined ? {} : { name }),
    ...(ownDomain === undefined ? {} : { domain: ownDomain }),
    ...location,
    phones: of('phone'),
    licenses: of('license'),
    ...(uei === undefined ? {} : { uei }),
  };
}
