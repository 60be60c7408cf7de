import { run, type Database, type Statement } from '@app/database';
import type { FusedBusiness } from '../fuse/fused-business.js';
import { fuseBusinesses } from './fused-rows.js';
import { separateSites } from './separate-sites.js';

/** What the graph holds. */
export interface GraphStats {
  readonly businesses: number;
  readonly withDomain: number;
  readonly mergedAway: number;
  readonly evidence: number;
  readonly keys: number;
  readonly merges: number;
  readonly splits: number;
  readonly optOuts: number;
  readonly newest: Date | null;
  readonly oldest: Date | null;
}

const STATS: Statement = {
  name: 'graph_stats',
  text: `
    SELECT count(*) FILTER (WHERE merged_into IS NULL)::int AS businesses,
      count(*) FILTER (WHERE merged_into IS NULL AND domain IS NOT NULL)::int AS "withDomain",
      count(*) FILTER (WHERE merged_into IS NOT NULL)::int AS "mergedAway",
      max(freshness) FILTER (WHERE merged_into IS NULL) AS newest, min(freshness) FILTER (WHERE merged_into IS NULL) AS oldest,
      (SELECT count(*)::int FROM business_evidence) AS evidence, (SELECT count(*)::int FROM business_keys) AS keys,
      (SELECT count(*)::int FROM business_merges) AS merges,
      (SELECT count(*)::int FROM business_merges WHERE split_at IS NOT NULL) AS splits,
      (SELECT count(*)::int FROM company_optouts) AS "optOuts"
    FROM businesses`,
};

export async function graphStats(database: Database): Promise<GraphStats> {
  const [row] = await database.query<GraphStats & Record<string, unknown>>(STATS);
  if (!row) throw new Error('an aggregate without a row');
  return row;
}

const BATCH = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const PAGE: Statement = {
  name: 'graph_page',
  text: `
    SELECT id, record, source_count AS "sourceCount", freshness FROM businesses
    WHERE id > $1 AND merged_into IS NULL ORDER BY id LIMIT ${BATCH}`,
};

export interface ExportedBusiness {
  readonly id: string;
  readonly record: FusedBusiness;
  readonly sourceCount: number;
  readonly freshness: Date;
}

/** All businesses in the order of their ids, page by page. */
export async function* exportBusinesses(database: Database): AsyncGenerator<ExportedBusiness> {
  for (let after = FIRST_ID; ;) {
    const rows = await database.query<ExportedBusiness & Record<string, unknown>>(PAGE, [after]);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

const FUSED: Statement = {
  name: 'fused_business_rows',
  text: `SELECT id, md5(b::text) AS hash FROM businesses b WHERE id = ANY ($1::uuid[])`,
};

/**
 * Fuses all records anew from their evidence, after separating sites from records that do not name them, which earlier
 * versions joined. Returns how many there are and how many were different.
 */
export async function rebuildGraph(
  database: Database,
): Promise<{ readonly businesses: number; readonly changed: number }> {
  let [businesses, changed] = [0, 0];
  for (let after = FIRST_ID; ;) {
    const rows = await database.query<{ id: string }>(PAGE, [after]);
    const last = rows.at(-1);
    if (!last) return { businesses, changed };
    changed += await rebuildSome(
      database,
      rows.map(({ id }) => id),
    );
    businesses += rows.length;
    after = last.id;
  }
}

async function rebuildSome(database: Database, ids: readonly string[]): Promise<number> {
  return database.transaction(async (tx) => {
    const hashes = async (): Promise<ReadonlyMap<string, string>> => {
      const rows = await run<{ id: string; hash: string }>(tx, FUSED, [ids]);
      return new Map(rows.map(({ id, hash }) => [id, hash]));
    };
    const before = await hashes();
    await fuseBusinesses(tx, [...ids, ...(await separateSites(tx, ids))]);
    const after = await hashes();
    return ids.filter((id) => before.get(id) !== after.get(id)).length;
  });
}
