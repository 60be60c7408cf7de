import { run, type Queryable, type Statement } from '@app/database';
import { evidenceHash } from '../evidence/evidence-hash.js';
import type { BusinessEvidence, Fact, FactSource } from '../evidence/facts.js';

/** One field of one business keeps this many statements, the most recently seen ones. */
const MAX_STATEMENTS = 100;

export interface NewEvidence {
  readonly businessId: string;
  readonly source: FactSource;
  readonly seenAt: Date;
  readonly facts: readonly Fact[];
}

const ADD: Statement = {
  name: 'add_business_evidence',
  text: `
    INSERT INTO business_evidence AS e
      (business_id, field, hash, value, source, url, confidence, first_seen, last_seen)
    SELECT DISTINCT ON (business_id, field, hash)
      business_id, field, decode(hash, 'hex'), value, source, url, confidence, seen_at, seen_at
    FROM jsonb_to_recordset($1::jsonb) AS given (business_id uuid, field text, hash text, value jsonb,
      source text, url text, confidence real, seen_at timestamptz)
    ORDER BY business_id, field, hash, seen_at DESC, confidence DESC
    ON CONFLICT (business_id, field, hash) DO UPDATE SET
      first_seen = least(e.first_seen, excluded.first_seen),
      last_seen = greatest(e.last_seen, excluded.last_seen),
      confidence = greatest(e.confidence, excluded.confidence)
    WHERE e.last_seen < excluded.last_seen OR e.first_seen > excluded.first_seen OR e.confidence < excluded.confidence`,
};

/** Adds evidence; a statement that is stored already is only seen again. */
export async function addEvidence(tx: Queryable, added: readonly NewEvidence[]): Promise<void> {
  const rows = added.flatMap(({ businessId, source, seenAt, facts }) =>
    facts.map((fact) => ({
      business_id: businessId,
      field: fact.field,
      hash: evidenceHash(fact, source).toString('hex'),
      value: fact.value,
      source,
      url: fact.url,
      confidence: fact.confidence,
      seen_at: seenAt,
    })),
  );
  await run(tx, ADD, [JSON.stringify(rows)]);
}

/** A stored fact with the business that it was written for. */
export type StoredEvidence = BusinessEvidence & { readonly businessId: string };

const READ: Statement = {
  name: 'read_business_evidence',
  text: `
    SELECT business_id AS "businessId", field, value, source, url, confidence,
           first_seen AS "firstSeen", last_seen AS "lastSeen"
    FROM business_evidence WHERE business_id = ANY ($1::uuid[])`,
};

export function readStoredEvidence(
  tx: Queryable,
  ids: readonly string[],
): Promise<StoredEvidence[]> {
  return run<StoredEvidence>(tx, READ, [ids]);
}

const TRIM: Statement = {
  name: 'trim_business_evidence',
  text: `
    DELETE FROM business_evidence e USING (
      SELECT business_id, field, hash, row_number() OVER (
        PARTITION BY business_id, field ORDER BY last_seen DESC, hash) AS place
      FROM business_evidence WHERE business_id = ANY ($1::uuid[])) old
    WHERE old.place > ${MAX_STATEMENTS} AND e.business_id = old.business_id AND e.field = old.field AND e.hash = old.hash`,
};

/** Deletes the oldest statements of businesses that have too many of a field, and returns the others. */
export async function boundedEvidence(
  tx: Queryable,
  ids: readonly string[],
): Promise<readonly StoredEvidence[]> {
  const evidence = await readStoredEvidence(tx, ids);
  const groups = Map.groupBy(evidence, ({ businessId, field }) => `${businessId} ${field}`);
  const crowded = [...groups.values()].flatMap((group) =>
    group.length > MAX_STATEMENTS && group[0] ? [group[0].businessId] : [],
  );
  if (crowded.length === 0) return evidence;
  await run(tx, TRIM, [crowded]);
  return readStoredEvidence(tx, ids);
}
