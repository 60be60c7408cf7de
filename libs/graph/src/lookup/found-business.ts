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

/** Its own site before others that name the same key; then the one with the most evidence. */
const BY_KEY: Statement = {
  name: 'find_business_by_key',
  text: `
    SELECT ${BUSINESS_COLUMNS}
    FROM (SELECT business_id FROM business_keys WHERE kind = $1 AND value = $2 LIMIT 1000) k
    JOIN businesses a ON a.id = k.business_id JOIN businesses b ON b.id = coalesce(a.merged_into, a.id)
    ORDER BY (b.domain = $2) IS TRUE DESC, b.has_site DESC, b.evidence_count DESC, b.id LIMIT 1`,
};

export async function findBusinessByKey(
  db: Queryable,
  kind: string,
  value: string,
): Promise<FoundBusiness | null> {
  return (await run<FoundBusiness & Record<string, unknown>>(db, BY_KEY, [kind, value]))[0] ?? null;
}
