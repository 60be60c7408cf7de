import type pg from 'pg';
import { run, type Queryable, type Statement } from '../open-store.js';
import type { FoundLink, MovedRow } from './page-outcome.js';

const ADMIT: Statement = {
  name: 'admit_links',
  text: `
    INSERT INTO pages (job_id, url_key, url, host, depth, state, reason, finished_at)
    SELECT $1, url_key, url, host, depth, CASE WHEN skip IS NULL THEN 'pending' ELSE 'skipped' END, skip,
           CASE WHEN skip IS NULL THEN NULL ELSE now() END
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::int[], $6::text[])
         WITH ORDINALITY AS t (url_key, url, host, depth, skip, ord)
    ORDER BY ord LIMIT $7
    ON CONFLICT (job_id, url_key) DO NOTHING
    RETURNING state, reason, host`,
};

const KNOWN_KEYS: Statement = {
  name: 'count_known_keys',
  text: 'SELECT count(*)::int AS known FROM pages WHERE job_id = $1 AND url_key = ANY ($2::uuid[])',
};

/** Links that were recorded now; `capped` when some were dropped at the discovery bound. */
export interface Admitted {
  readonly rows: readonly MovedRow[];
  readonly capped: boolean;
}
export const NOTHING_ADMITTED: Admitted = { rows: [], capped: false };

/**
 * Records the links of a batch that the job does not know yet, at most `room` of them. The caller holds
 * the job's lock, so nobody else admits to it meanwhile.
 */
export async function admitLinks(
  tx: Queryable,
  jobId: string,
  found: readonly FoundLink[],
  room: number,
): Promise<Admitted> {
  const links = uniqueByKey(found);
  if (links.length === 0) return NOTHING_ADMITTED;
  if (links.length > room) return admitWithinBound(tx, jobId, links, room);
  return { rows: await insertLinks(tx, jobId, links, links.length), capped: false };
}

/** Near the bound, known links must not use up the room of new ones. */
async function admitWithinBound(
  tx: Queryable,
  jobId: string,
  links: readonly FoundLink[],
  room: number,
): Promise<Admitted> {
  const keys = links.map((link) => link.urlKey);
  const [row] = await run<{ known: number }>(tx, KNOWN_KEYS, [jobId, keys]);
  const isNew = links.length - (row?.known ?? 0);
  if (isNew <= room) {
    return { rows: await insertLinks(tx, jobId, links, links.length), capped: false };
  }
  const rows: MovedRow[] = [];
  for (const link of links) {
    if (rows.length >= room) break;
    rows.push(...(await insertLinks(tx, jobId, [link], 1)));
  }
  return { rows, capped: true };
}

async function insertLinks(
  tx: Queryable,
  jobId: string,
  links: readonly FoundLink[],
  most: number,
): Promise<MovedRow[]> {
  return run<MovedRow & pg.QueryResultRow>(tx, ADMIT, [
    jobId,
    links.map((link) => link.urlKey),
    links.map((link) => link.url),
    links.map((link) => link.host),
    links.map((link) => link.depth),
    links.map((link) => link.skip),
    most,
  ]);
}

function uniqueByKey(links: readonly FoundLink[]): FoundLink[] {
  const byKey = new Map<string, FoundLink>();
  for (const link of links) if (!byKey.has(link.urlKey)) byKey.set(link.urlKey, link);
  return [...byKey.values()];
}
