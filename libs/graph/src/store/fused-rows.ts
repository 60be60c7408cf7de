import { run, type Queryable, type Statement } from '@app/database';
import { keysOf, type BusinessKey } from '../fuse/business-keys.js';
import { facetsOf } from '../fuse/facets.js';
import { fuseEvidence } from '../fuse/fuse-evidence.js';
import type { FusedEvidence } from '../fuse/fused-business.js';
import { nameKey } from '../match/name-key.js';
import { zipKey } from '../match/places/comparable-place.js';
import { boundedEvidence, type StoredEvidence } from './evidence-rows.js';

interface Member {
  readonly id: string;
  /** The business that holds the fused record. */
  readonly canonical: string;
}

const LOCK_GROUPS: Statement = {
  name: 'lock_business_groups',
  text: `
    WITH groups AS (SELECT DISTINCT coalesce(merged_into, id) AS id FROM businesses WHERE id = ANY ($1::uuid[]))
    SELECT b.id, coalesce(b.merged_into, b.id) AS canonical FROM businesses b
    WHERE b.id IN (
      SELECT id FROM groups UNION SELECT m.id FROM businesses m JOIN groups ON m.merged_into = groups.id)
    ORDER BY b.id FOR UPDATE`,
};

/**
 * Derives the records and keys of businesses anew from their evidence, for the whole groups they belong to. A business
 * without evidence is deleted.
 */
export async function fuseBusinesses(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const members = await run<Member & Record<string, unknown>>(tx, LOCK_GROUPS, [ids]);
  const memberIds = members.map(({ id }) => id);
  const evidence = await boundedEvidence(tx, memberIds);
  const ofMember = Map.groupBy(evidence, ({ businessId }) => businessId);
  const groups = Map.groupBy(members, ({ canonical }) => canonical);
  const rows: FusedRow[] = [];
  const empty: string[] = [];
  for (const [canonical, group] of groups) {
    const fused = fuseEvidence(group.flatMap(({ id }) => ofMember.get(id) ?? []));
    if (fused === null) empty.push(...group.map(({ id }) => id));
    else rows.push(rowOf(canonical, fused));
  }
  const keys = memberIds.flatMap((id) => keyRows(id, ofMember.get(id) ?? []));
  await run(tx, WRITE, [JSON.stringify(rows), memberIds, JSON.stringify(keys)]);
  if (empty.length > 0) await run(tx, DELETE_EMPTY, [empty]);
}

interface FusedRow {
  readonly id: string;
  readonly [column: string]: unknown;
}

function rowOf(id: string, fused: FusedEvidence): FusedRow {
  const { business, hasSite, sourceCount, evidenceCount, freshness } = fused;
  const { domain, name, location } = business;
  return {
    id,
    domain: domain ?? null,
    name: name ?? null,
    name_key: (name === undefined ? '' : nameKey(name)) || null,
    state: location?.state ?? null,
    zip: zipKey(location?.zip ?? '') || null,
    facets: facetsOf(business),
    record: business,
    has_site: hasSite,
    source_count: sourceCount,
    evidence_count: evidenceCount,
    freshness,
  };
}

const COLUMNS =
  'domain name name_key state zip facets record has_site source_count evidence_count freshness'.split(
    ' ',
  );

/** Records, and the keys of all members. What stays the same is not written. */
const WRITE: Statement = {
  name: 'write_fused_businesses',
  text: `
    WITH updated AS (
      UPDATE businesses b SET ${COLUMNS.map((column) => `${column} = f.${column}`).join(', ')}
      FROM jsonb_to_recordset($1::jsonb) AS f (id uuid, domain text, name text, name_key text, state text, zip text,
        facets text[], record jsonb, has_site boolean, source_count integer, evidence_count integer, freshness timestamptz)
      WHERE b.id = f.id AND (${COLUMNS.map((column) => `b.${column}`).join(', ')})
        IS DISTINCT FROM (${COLUMNS.map((column) => `f.${column}`).join(', ')})),
    wanted AS (SELECT * FROM jsonb_to_recordset($3::jsonb) AS w (kind text, value text, business_id uuid)),
    gone AS (
      DELETE FROM business_keys k WHERE k.business_id = ANY ($2::uuid[]) AND NOT EXISTS (
        SELECT FROM wanted w WHERE w.kind = k.kind AND w.value = k.value AND w.business_id = k.business_id))
    INSERT INTO business_keys (kind, value, business_id) SELECT kind, value, business_id FROM wanted
    ON CONFLICT DO NOTHING`,
};
const DELETE_EMPTY: Statement = {
  name: 'delete_empty_businesses',
  text: 'DELETE FROM businesses WHERE id = ANY ($1::uuid[]) OR merged_into = ANY ($1::uuid[])',
};

/** Each member keeps the keys of its own evidence, so that a split leaves them where they belong. */
function keyRows(id: string, evidence: readonly StoredEvidence[]): readonly KeyRow[] {
  return keysOf(evidence).map((key) => ({ ...key, business_id: id }));
}

interface KeyRow extends BusinessKey {
  readonly business_id: string;
}
