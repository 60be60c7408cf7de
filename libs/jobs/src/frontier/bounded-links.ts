import type { SkipReason } from '@app/contracts';
import { run, type Queryable, type Statement } from '@app/database';
import type { FoundLink } from '@app/crawl';

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
export async function knownKeys(
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
export async function judgeBounded(
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
