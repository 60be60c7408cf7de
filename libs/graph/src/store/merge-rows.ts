import { newId } from '@app/contracts';
import { run, type Database, type Queryable, type Statement } from '@app/database';
import type { FoundMerge } from './assign-observations.js';
import { fuseBusinesses } from './fused-rows.js';

/** A group of more businesses grows no further: something other than a business joins them. */
const MAX_MEMBERS = 100;

const MERGE: Statement = {
  name: 'merge_businesses',
  text: `
    WITH members AS (
      SELECT id FROM businesses WHERE id = $3 OR merged_into = $3),
    kept AS (
      SELECT id FROM businesses WHERE id = $2 AND merged_into IS NULL
        AND (SELECT count(*) FROM businesses WHERE merged_into = $2) + (SELECT count(*) FROM members) < ${MAX_MEMBERS}),
    pointed AS (
      UPDATE businesses b SET merged_into = $2 FROM kept, members
      WHERE b.id = members.id RETURNING b.id)
    INSERT INTO business_merges (id, kept, merged, members, score, reasons)
    SELECT $1, $2, $3, array_agg(id ORDER BY id), $4, $5 FROM pointed HAVING count(*) > 0
    RETURNING id`,
};

/** Points a business, and those that pointed to it, to another one. Returns whether it did. */
export async function mergeBusinesses(
  tx: Queryable,
  { kept, merged, match }: FoundMerge,
): Promise<boolean> {
  const values = [newId(), kept, merged, match.score, JSON.stringify(match.reasons)];
  return (await run(tx, MERGE, values)).length > 0;
}

/**
 * The operator says that two businesses are one, such as a firm with two sites. Returns whether they were joined: not when
 * they are one already, or when the group would be too large.
 */
export async function joinBusinesses(
  database: Database,
  [kept, merged]: readonly [string, string],
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const reason = { field: 'operator', level: 'says so', weight: 0 };
    const match = { score: 0, reasons: [reason], isMatch: true };
    if (kept === merged || !(await mergeBusinesses(tx, { kept, merged, match }))) return false;
    await fuseBusinesses(tx, [kept]);
    return true;
  });
}

/** One merge as an operator sees it. */
export interface BusinessMerge {
  readonly id: string;
  readonly kept: string;
  readonly merged: string;
  readonly score: number;
  readonly reasons: unknown;
  readonly mergedAt: Date;
  readonly splitAt: Date | null;
}

const SPLIT: Statement = {
  name: 'split_business_merge',
  text: `
    WITH ended AS (
      UPDATE business_merges SET split_at = now() WHERE id = $1 AND split_at IS NULL
      RETURNING kept, merged, members),
    own AS (UPDATE businesses b SET merged_into = NULL FROM ended WHERE b.id = ended.merged RETURNING b.id),
    others AS (
      UPDATE businesses b SET merged_into = ended.merged FROM ended
      WHERE b.id = ANY (ended.members) AND b.id <> ended.merged RETURNING b.id)
    SELECT kept, merged FROM ended`,
};

/**
 * Ends a wrong merge: each business has its own evidence again, and the two are never merged by themselves again.
 * Returns their ids, null when there is no such merge or it is split already.
 */
export async function splitMerge(
  database: Database,
  mergeId: string,
): Promise<Pick<BusinessMerge, 'kept' | 'merged'> | null> {
  return database.transaction(async (tx) => {
    const [pair] = await run<Pick<BusinessMerge, 'kept' | 'merged'>>(tx, SPLIT, [mergeId]);
    if (!pair) return null;
    await fuseBusinesses(tx, [pair.kept, pair.merged]);
    return pair;
  });
}

const SEPARATE: Statement = {
  name: 'separate_business_members',
  text: `
    WITH groups AS (SELECT DISTINCT coalesce(merged_into, id) AS id FROM businesses WHERE id = ANY ($1::uuid[])),
    members AS (SELECT id FROM groups UNION SELECT m.id FROM businesses m JOIN groups ON m.merged_into = groups.id),
    ended AS (
      DELETE FROM business_merges g USING members m WHERE g.kept = m.id AND g.split_at IS NULL)
    UPDATE businesses b SET merged_into = NULL FROM members m WHERE b.id = m.id RETURNING b.id`,
};

/**
 * Splits the groups of businesses whose evidence has changed: each member is a business by itself until an observation
 * joins it again. Returns the ids of all members, which must then be fused.
 */
export async function separateMembers(
  tx: Queryable,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(tx, SEPARATE, [ids]);
  return rows.map(({ id }) => id);
}

const LIST: Statement = {
  name: 'list_business_merges',
  text: `
    SELECT id, kept, merged, score, reasons, merged_at AS "mergedAt", split_at AS "splitAt"
    FROM business_merges WHERE $1::uuid IS NULL OR kept = $1 OR merged = $1
    ORDER BY merged_at DESC, id LIMIT $2`,
};

/** The latest merges, of one business or of all. */
export function listMerges(
  database: Database,
  { businessId, limit }: { readonly businessId: string | null; readonly limit: number },
): Promise<BusinessMerge[]> {
  return database.query<BusinessMerge & Record<string, unknown>>(LIST, [businessId, limit]);
}
