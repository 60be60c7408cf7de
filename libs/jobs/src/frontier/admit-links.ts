import { run, type Queryable, type Statement, type Row } from '@app/database';
import type { FoundLink } from '@app/crawl';
import type { SkipReason } from '@app/contracts';
import type { MovedRow } from './page-outcome.js';

/**
 * Records links that are new to the job. A URL known from nofollow links alone is followed once
 * another link permits it: that part of the statement costs nothing while the job has none.
 */
const ADMIT: Statement = {
  name: 'admit_links',
  text: `
    WITH found AS (
      SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::int[], $6::text[], $7::uuid[], $8::text[])
      WITH ORDINALITY AS t (url_key, url, host, depth, skip, parent_key, kind, ord)
    ), admitted AS (
      INSERT INTO pages (job_id, url_key, url, host, depth, kind, parent_key, state, reason, finished_at)
      SELECT $1, url_key, url, host, depth, kind, parent_key,
             CASE WHEN skip IS NULL THEN 'pending' ELSE 'skipped' END, skip,
             CASE WHEN skip IS NULL THEN NULL ELSE now() END
      FROM found ORDER BY ord
      ON CONFLICT (job_id, url_key) DO NOTHING
      RETURNING state, reason, host, octet_length(url) AS bytes
    ), revived AS (
      UPDATE pages p SET state = 'pending', reason = NULL, finished_at = NULL, depth = f.depth,
             parent_key = f.parent_key
      FROM found f
      WHERE EXISTS (SELECT FROM job_reasons r
                    WHERE r.job_id = $1 AND r.state = 'skipped' AND r.reason = 'nofollow' AND r.pages > 0)
        AND f.skip IS NULL AND p.job_id = $1 AND p.url_key = f.url_key
        AND p.state = 'skipped' AND p.reason = 'nofollow'
      RETURNING p.host
    )
    SELECT state, reason, host, bytes, true AS "isNew" FROM admitted
    UNION ALL SELECT 'pending', NULL, host, 0, false FROM revived`,
};

/** A row that a link made, or brought back from `nofollow`. */
export type AdmittedRow = MovedRow & { readonly isNew: boolean; readonly bytes: number };

/** What a job may still record: URLs, and bytes of them all. */
export interface LinkRoom {
  readonly links: number;
  readonly bytes: number;
}

/** Most are below 100; the rest is for sites with long ones. */
const BYTES_PER_LINK = 200;

/** @param maxDiscovered see `discoveryBound` */
export function linkRoom(
  maxDiscovered: number,
  { discovered, linkBytes }: { readonly discovered: number; readonly linkBytes: number },
): LinkRoom {
  return {
    links: Math.max(0, maxDiscovered - discovered),
    bytes: Math.max(0, maxDiscovered * BYTES_PER_LINK - linkBytes),
  };
}

/** Links that were recorded now; `capped` when some were dropped at the discovery bound. */
export interface Admitted {
  readonly rows: readonly AdmittedRow[];
  readonly capped: boolean;
}
export const NOTHING_ADMITTED: Admitted = { rows: [], capped: false };

/**
 * Records the new links of a batch that there is room for. The caller holds the job's lock, so no other worker admits
 * to it meanwhile.
 */
export async function admitLinks(
  tx: Queryable,
  jobId: string,
  found: readonly FoundLink[],
  room: LinkRoom,
): Promise<Admitted> {
  const links = uniqueByKey(found);
  if (links.length === 0) return NOTHING_ADMITTED;
  // Before patterns are counted: a dropped link must leave no trace, however often it is found.
  const isRoomFor = links.length <= room.links && bytesOf(links) <= room.bytes;
  const kept = isRoomFor ? links : await withinBound(tx, jobId, links, room);
  const judged = await judgeBounded(tx, jobId, kept);
  return { rows: await insertLinks(tx, jobId, judged), capped: kept.length < links.length };
}

/** Near the bound, known links must not use up the room of new ones. */
async function withinBound(
  tx: Queryable,
  jobId: string,
  links: readonly FoundLink[],
  room: LinkRoom,
): Promise<readonly FoundLink[]> {
  const known = await knownKeys(tx, jobId, links);
  let { links: left, bytes } = room;
  return links.filter(({ urlKey, url }) => {
    if (known.has(urlKey)) return true;
    left--;
    bytes -= url.length;
    return left >= 0 && bytes >= 0;
  });
}

/** URLs are ASCII. */
function bytesOf(links: readonly FoundLink[]): number {
  return links.reduce((sum, { url }) => sum + url.length, 0);
}

export function recordedBytes(rows: readonly AdmittedRow[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function insertLinks(
  tx: Queryable,
  jobId: string,
  links: readonly FoundLink[],
): Promise<AdmittedRow[]> {
  return run<AdmittedRow & Row>(tx, ADMIT, [
    jobId,
    links.map((link) => link.urlKey),
    links.map((link) => link.url),
    links.map((link) => link.host),
    links.map((link) => link.depth),
    links.map((link) => link.skip),
    links.map((link) => link.parentKey ?? null),
    links.map((link) => link.kind ?? 'page'),
  ]);
}

/** The first link to each URL, unless only a later one may be followed. */
function uniqueByKey(links: readonly FoundLink[]): FoundLink[] {
  const byKey = new Map<string, FoundLink>();
  for (const link of links) {
    const known = byKey.get(link.urlKey);
    const isBetter = known?.skip === 'nofollow' && link.skip === null;
    if (known === undefined || isBetter) byKey.set(link.urlKey, link);
  }
  return [...byKey.values()];
}

const KNOWN_KEYS: Statement = {
  name: 'known_keys',
  text: `
    SELECT replace(url_key::text, '-', '') AS "urlKey", state = 'skipped' AND reason = 'nofollow' AS "isUnfollowed"
    FROM pages WHERE job_id = $1 AND url_key = ANY ($2::uuid[])`,
};

const COUNT_SHAPES: Statement = {
  name: 'count_shapes',
  text: `
    INSERT INTO job_shapes AS s (job_id, shape, seen)
    SELECT $1, shape, found FROM unnest($2::text[], $3::int[]) AS t (shape, found) ORDER BY shape
    ON CONFLICT (job_id, shape) DO UPDATE SET seen = s.seen + excluded.seen
    RETURNING shape, seen`,
};

/** Keys of those links that the job knows; of one known from nofollow links alone, whether it may come back. */
async function knownKeys(
  tx: Queryable,
  jobId: string,
  links: readonly FoundLink[],
): Promise<Map<string, { readonly isUnfollowed: boolean }>> {
  const keys = links.map((link) => link.urlKey);
  const rows = await run<{ urlKey: string; isUnfollowed: boolean }>(tx, KNOWN_KEYS, [jobId, keys]);
  return new Map(rows.map((row) => [row.urlKey, row]));
}

/**
 * Of a bounded pattern the first addresses are followed, the others are traps (a sitemap too many is
 * left unread). The caller holds the job's lock, so the count is exact over all fetchers. Links without
 * a bound, nearly all there are, cost nothing here.
 */
async function judgeBounded(
  tx: Queryable,
  jobId: string,
  links: readonly FoundLink[],
): Promise<readonly FoundLink[]> {
  const bounded = links.filter((link) => link.bound && link.skip === null);
  if (bounded.length === 0) return links;
  const known = await knownKeys(tx, jobId, bounded);
  const fresh = bounded.filter(({ urlKey }) => known.get(urlKey)?.isUnfollowed ?? true);
  const excess = await countShapes(tx, jobId, fresh);
  return links.map((link) => (excess.has(link) ? { ...link, skip: excessReason(link) } : link));
}

const excessReason = ({ kind }: FoundLink): SkipReason => (kind === 'sitemap' ? 'sitemap' : 'trap');

/** Counts the links and returns those beyond the bound of their pattern. */
async function countShapes(
  tx: Queryable,
  jobId: string,
  links: readonly FoundLink[],
): Promise<Set<FoundLink>> {
  if (links.length === 0) return new Set();
  const byShape = Map.groupBy(links, ({ bound }) => bound?.shape ?? '');
  const rows = await run<{ shape: string; seen: number }>(tx, COUNT_SHAPES, [
    jobId,
    [...byShape.keys()],
    [...byShape.values()].map((group) => group.length),
  ]);
  return new Set(
    rows.flatMap(({ shape, seen }) => {
      const group = byShape.get(shape) ?? [];
      const left = (group[0]?.bound?.most ?? 0) - (seen - group.length);
      return group.slice(Math.max(0, left));
    }),
  );
}
