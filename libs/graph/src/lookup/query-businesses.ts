import { run, type Database, type Queryable, type Statement } from '@app/database';
import { cityFacet, industryFacets, stateFacet, techFacet } from '../fuse/facets.js';
import { BUSINESS_COLUMNS, type FoundBusiness } from './found-business.js';

/** At least one of tech, techAny, industry, state and city. */
export interface BusinessCriteria {
  /** All of them. */
  readonly tech: readonly string[];
  readonly techAny: readonly string[];
  readonly notTech: readonly string[];
  readonly industry?: string;
  readonly state?: string;
  readonly city?: string;
  readonly hasDomain?: boolean;
}

export interface BusinessPage {
  readonly businesses: readonly FoundBusiness[];
  /** Of all pages. */
  readonly count: number;
  /** The count is the database's estimate. */
  readonly isEstimated: boolean;
  /** Id after which the next page begins; null: there is none. */
  readonly next: string | null;
}

/** Up to here businesses are counted; more are estimated. */
export const MAX_EXACT_COUNT = 10_000;
/** If more are expected, counting would cost more than the page. */
const MAX_EXPECTED = 3 * MAX_EXACT_COUNT;

const WHERE = `
  b.merged_into IS NULL AND b.facets @> $1::text[] AND ($2::text[] IS NULL OR b.facets && $2)
  AND ($3::text[] IS NULL OR NOT b.facets && $3) AND ($4::boolean IS NULL OR (b.domain IS NOT NULL) = $4)`;

/**
 * A page of what many businesses meet, by a walk in the order of ids, which finds it soon. Its plan depends on the values,
 * see {@link PLAN}.
 */
export const PAGE_OF_MANY: Statement = {
  name: 'query_businesses',
  text: `
    SELECT ${BUSINESS_COLUMNS} FROM businesses b WHERE ${WHERE} AND b.id > $5 ORDER BY b.id LIMIT $6`,
};
/**
 * A page of what few meet, and their number, by the index of facets: found at once and then put in order. The planner would
 * walk through half of the ids for the last of a page's rows.
 */
export const PAGE_OF_FEW: Statement = {
  name: 'query_few_businesses',
  text: `
    WITH found AS MATERIALIZED (SELECT b.id FROM businesses b WHERE ${WHERE})
    SELECT counted.count, page.* FROM (SELECT count(*)::int AS count FROM found) counted
    LEFT JOIN (
      SELECT ${BUSINESS_COLUMNS} FROM businesses b
      JOIN (SELECT id FROM found WHERE id > $5 ORDER BY id LIMIT $6) next_ids ON next_ids.id = b.id
    ) page ON true ORDER BY page.id`,
};
const COUNT: Statement = {
  name: 'count_businesses',
  text: `SELECT count(*)::int AS count FROM (SELECT FROM businesses b WHERE ${WHERE} LIMIT ${MAX_EXACT_COUNT + 1}) found`,
};
/** Plans for these values: one for all would be wrong for half of them. */
const PLAN: Statement = {
  name: 'plan_for_these_values',
  text: "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)",
};
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface PageBounds {
  readonly limit: number;
  /** Id of the last one before the page; null: it is the first. */
  readonly after: string | null;
}

/** One page of the businesses that meet all criteria, in the order of their ids. */
export async function queryBusinesses(
  database: Database,
  criteria: BusinessCriteria,
  page: PageBounds,
): Promise<BusinessPage> {
  const values = valuesOf(criteria);
  return database.transaction(async (tx) => {
    const { expected, count, ...found } = await pageIn(tx, values, page);
    if (count !== null) return { ...found, count, isEstimated: false };
    return { ...found, ...(await countOf(tx, values, expected)) };
  });
}

/** As {@link queryBusinesses}, without the count: for those who read page after page. */
export function listBusinesses(
  database: Database,
  criteria: BusinessCriteria,
  page: PageBounds,
): Promise<Pick<BusinessPage, 'businesses' | 'next'>> {
  return database.transaction(async (tx) => {
    const { businesses, next } = await pageIn(tx, valuesOf(criteria), page);
    return { businesses, next };
  });
}

interface FoundPage extends Pick<BusinessPage, 'businesses' | 'next'> {
  /** By the planner. */
  readonly expected: number;
  /** Of all pages; null: it was not needed for this one. */
  readonly count: number | null;
}

async function pageIn(
  tx: Queryable,
  values: readonly unknown[],
  { limit, after }: PageBounds,
): Promise<FoundPage> {
  await run(tx, PLAN, []);
  const expected = await estimate(tx, values);
  const isFew = expected <= MAX_EXACT_COUNT;
  const rows = await run<PageRow>(tx, isFew ? PAGE_OF_FEW : PAGE_OF_MANY, [
    ...values,
    after ?? FIRST_ID,
    limit + 1,
  ]);
  const found = rows.flatMap(({ count: _, ...business }) =>
    business.id === null ? [] : [business],
  );
  const businesses = found.slice(0, limit) as readonly FoundBusiness[];
  const next = found.length > limit ? (businesses.at(-1)?.id ?? null) : null;
  const isWhole = after === null && next === null;
  const count = isFew ? (rows[0]?.count ?? 0) : isWhole ? businesses.length : null;
  return { businesses, next, expected, count };
}

/** Of few businesses there is always a row with their number, at the end of the pages with nothing else. */
type PageRow = { readonly [Column in keyof FoundBusiness]: FoundBusiness[Column] | null } & {
  readonly count?: number;
} & Record<string, unknown>;

/** Null for the lists that do not restrict. */
function valuesOf(criteria: BusinessCriteria): readonly unknown[] {
  const { tech, techAny, notTech, industry, state, city, hasDomain } = criteria;
  const all = [
    ...tech.map(techFacet),
    ...(industry === undefined ? [] : industryFacets(industry)),
    ...(state === undefined ? [] : [stateFacet(state)]),
    ...(city === undefined ? [] : [cityFacet(city)]),
  ];
  const some = (names: readonly string[]): readonly string[] | null =>
    names.length === 0 ? null : names.map(techFacet);
  return [all, some(techAny), some(notTech), hasDomain ?? null];
}

async function countOf(
  tx: Queryable,
  values: readonly unknown[],
  expected: number,
): Promise<Pick<BusinessPage, 'count' | 'isEstimated'>> {
  if (expected > MAX_EXPECTED) return { count: expected, isEstimated: true };
  const [row] = await run<{ count: number }>(tx, COUNT, values);
  const count = row?.count ?? 0;
  return count > MAX_EXACT_COUNT
    ? { count: Math.max(count, expected), isEstimated: true }
    : { count, isEstimated: false };
}

const ESTIMATE: Statement = {
  name: 'estimate_businesses',
  text: `EXPLAIN (FORMAT JSON) SELECT FROM businesses b WHERE ${WHERE}`,
};

interface ExplainRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

async function estimate(tx: Queryable, values: readonly unknown[]): Promise<number> {
  const [row] = await run<ExplainRow & Record<string, unknown>>(tx, ESTIMATE, values);
  return Math.round(row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
}
