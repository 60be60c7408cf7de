import { run, type Database, type Statement, type Queryable } from '@app/database';
import { newId } from '@app/contracts';
import type { FusedBusiness } from '../fuse/fused-business.js';
import { fuseBusinesses } from './fused-rows.js';
import type { BusinessKey } from '../fuse/business-keys.js';
import { mayBeOne } from './assign-observations.js';
import { separateMembers } from './merge-rows.js';

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

interface SiteRow {
  readonly businessId: string;
  readonly canonical: string;
  /** The domains whose own sites were read for this business. */
  readonly sites: readonly string[] | null;
  /** The domains that imports name. */
  readonly listed: readonly string[] | null;
  readonly hasImport: boolean;
  readonly keys: readonly BusinessKey[];
  /** An operator joined it to another one. */
  readonly isJoined: boolean;
}

const READ: Statement = {
  name: 'read_sites_of_businesses',
  text: `
    SELECT b.id AS "businessId", coalesce(b.merged_into, b.id) AS canonical,
      array_agg(DISTINCT e.value #>> '{}') FILTER (WHERE e.field = 'domain' AND NOT i.is_import) AS sites,
      array_agg(DISTINCT e.value #>> '{}') FILTER (WHERE e.field = 'domain' AND i.is_import) AS listed,
      bool_or(i.is_import) AS "hasImport", coalesce((
        SELECT jsonb_agg(jsonb_build_object('kind', k.kind, 'value', k.value))
        FROM business_keys k WHERE k.business_id = b.id), '[]') AS keys, EXISTS (
        SELECT FROM business_merges m WHERE m.split_at IS NULL AND b.id IN (m.kept, m.merged)
          AND m.reasons @> '[{"field": "operator"}]') AS "isJoined"
    FROM businesses b JOIN business_evidence e ON e.business_id = b.id
    CROSS JOIN LATERAL (SELECT starts_with(e.source, 'import:') AS is_import) i
    WHERE coalesce(b.merged_into, b.id) = ANY ($1::uuid[])
    GROUP BY b.id`,
};

/** Moves the evidence of a site, with its readers, to a new business. */
const MOVE: Statement = {
  name: 'move_site_evidence',
  text: `
    WITH own AS (INSERT INTO businesses (id) VALUES ($1) RETURNING id),
    urls AS (
      SELECT DISTINCT url FROM business_evidence
      WHERE business_id = $2 AND field = 'domain' AND value = to_jsonb($3::text) AND NOT starts_with(source, 'import:')),
    readers AS (
      INSERT INTO business_readers (business_id, tenant_id, source, read_at)
      SELECT own.id, r.tenant_id, r.source, r.read_at FROM business_readers r, own WHERE r.business_id = $2)
    UPDATE business_evidence e SET business_id = own.id FROM own, urls
    WHERE e.business_id = $2 AND e.url = urls.url AND NOT starts_with(e.source, 'import:')`,
};

/**
 * Moves a site to a new business where it shares one with records that do not name its domain, and splits groups that
 * {@link mayBeOne} would not allow today. Returns the ids of the businesses that changed, which must then be fused.
 */
async function separateSites(tx: Queryable, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await run<SiteRow & Record<string, unknown>>(tx, READ, [ids]);
  const changed: string[] = [];
  for (const group of Map.groupBy(rows, ({ canonical }) => canonical).values()) {
    const strays = group.flatMap(straysOf);
    for (const { businessId, site } of strays) {
      const id = newId();
      await run(tx, MOVE, [id, businessId, site]);
      changed.push(id);
    }
    if (!isAllowed(group) && !group.some(({ isJoined }) => isJoined))
      changed.push(...(await separateMembers(tx, [group[0]?.canonical ?? ''])));
  }
  return changed;
}

/** Sites that a business has besides one, or besides imports that do not name them. */
function straysOf({ businessId, sites, listed, hasImport }: SiteRow): readonly {
  readonly businessId: string;
  readonly site: string;
}[] {
  const all = sites ?? [];
  const own = hasImport ? all.find((site) => listed?.includes(site)) : all[0];
  return all.filter((site) => site !== own).map((site) => ({ businessId, site }));
}

/** Whether the sites of a group may be one business, and they and its other records. */
function isAllowed(group: readonly SiteRow[]): boolean {
  const { sites = [], others = [] } = Object.groupBy(group, (row) =>
    row.sites ? 'sites' : 'others',
  );
  const claim = (rows: readonly SiteRow[]) => ({
    keys: rows.flatMap(({ keys }) => keys),
    hasSite: rows.some((row) => row.sites !== null),
  });
  const first = claim(sites.slice(0, 1));
  const areOne = sites.every((row) => mayBeOne(first, claim([row])));
  return areOne && (others.length === 0 || mayBeOne(claim(sites), claim(others)));
}
