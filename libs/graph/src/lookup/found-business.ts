import type { Queryable, Statement } from '@app/database';
import { run } from '@app/database';
import type { FusedBusiness } from '../fuse/fused-business.js';

/** A business of the graph with its fused record. */
export interface FoundBusiness {
  readonly id: string;
  readonly business: FusedBusiness;
  readonly sourceCount: number;
  readonly freshness: Date;
}

export const BUSINESS_COLUMNS =
  'b.id, b.record AS business, b.source_count AS "sourceCount", b.freshness';

const BY_ID: Statement = {
  name: 'find_business_by_id',
  text: `
    SELECT ${BUSINESS_COLUMNS} FROM businesses a JOIN businesses b ON b.id = coalesce(a.merged_into, a.id)
    WHERE a.id = $1`,
};

/** Also by the id of a business that was merged into another one. */
export async function findBusinessById(db: Queryable, id: string): Promise<FoundBusiness | null> {
  return (await run<FoundBusiness & Record<string, unknown>>(db, BY_ID, [id]))[0] ?? null;
}

/** Why a question has no answer: no business, or several. */
export type Unresolved = 'unknown' | 'ambiguous';

/** A found business, and whether an import states the key it was found by. */
type Claimed = FoundBusiness & { readonly isListed: boolean };

const BY_DOMAIN: Statement = {
  name: 'find_business_by_domain',
  text: `
    SELECT ${BUSINESS_COLUMNS}
    FROM (SELECT business_id FROM business_keys WHERE kind = 'domain' AND value = $1 LIMIT 1000) k
    JOIN businesses a ON a.id = k.business_id JOIN businesses b ON b.id = coalesce(a.merged_into, a.id)
    ORDER BY (b.domain = $1) IS TRUE DESC, b.has_site DESC, b.evidence_count DESC, b.id LIMIT 1`,
};

/** Its own site before others that name the domain; then the one with the most evidence. */
export async function findBusinessByDomain(
  db: Queryable,
  domain: string,
): Promise<FoundBusiness | null> {
  const rows = await run<FoundBusiness & Record<string, unknown>>(db, BY_DOMAIN, [domain]);
  return rows[0] ?? null;
}

/** Those of which an import states the key first: anyone can put another's number on a page. */
const BY_KEY: Statement = {
  name: 'find_business_by_key',
  text: `
    SELECT ${BUSINESS_COLUMNS}, bool_or(k.is_listed) AS "isListed"
    FROM (
      SELECT business_id, EXISTS (
        SELECT FROM business_evidence e WHERE e.business_id = k.business_id AND e.field = $1
          AND e.value = to_jsonb($2::text) AND starts_with(e.source, 'import:')) AS is_listed
      FROM business_keys k WHERE kind = $1 AND value = $2 LIMIT 1000) k
    JOIN businesses a ON a.id = k.business_id JOIN businesses b ON b.id = coalesce(a.merged_into, a.id)
    GROUP BY b.id
    ORDER BY "isListed" DESC, b.evidence_count DESC, b.id LIMIT 2`,
};

/** The business with a number; of several the one that an import lists with it. */
export async function findBusinessByKey(
  db: Queryable,
  kind: 'uei' | 'license' | 'phone',
  value: string,
): Promise<FoundBusiness | Unresolved> {
  return mostCredible(await run<Claimed & Record<string, unknown>>(db, BY_KEY, [kind, value]));
}

function mostCredible([first, second]: readonly Claimed[]): FoundBusiness | Unresolved {
  if (!first) return 'unknown';
  if (second?.isListed === first.isListed) return 'ambiguous';
  const { isListed: _, ...found } = first;
  return found;
}
