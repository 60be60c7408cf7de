import type { Database, Statement } from '@app/database';
import { STORED_ANSWER_BYTES } from '@app/idempotency';

/** Row and small objects of a job, beside its options. */
const JOB_BYTES = 16_384;
/** Row and index entries of an address, beside its URL. */
const LINK_BYTES = 400;

const STORED: Statement = {
  name: 'stored_bytes',
  text: `
    SELECT coalesce(sum(${JOB_BYTES} + pg_column_size(options) + discovered::bigint * ${LINK_BYTES} + link_bytes
                        + result_bytes), 0)::float8
             + coalesce((SELECT bytes FROM page_cache_usage WHERE tenant_id = $1), 0)::float8
             + ${STORED_ANSWER_BYTES} AS bytes,
           coalesce((SELECT used FROM daily_quotas
                     WHERE tenant_id = $1 AND operation = 'unpaid_page' AND day = $2::date), 0) AS "unpaidPages"
    FROM jobs WHERE tenant_id = $1 AND expired_at IS NULL`,
};

export interface StoredBytes {
  /** Of the jobs that are kept (addresses, documents, texts), of cached pages and of responses in object storage. */
  readonly bytes: number;
  /** Pages of jobs that were fetched on the day and cost nothing. */
  readonly unpaidPages: number;
}

/** What a tenant stores now. @param day UTC, `YYYY-MM-DD` */
export async function readStoredBytes(
  database: Database,
  tenantId: string,
  day: string,
): Promise<StoredBytes> {
  const [row] = await database.query<StoredBytes & Record<string, unknown>>(STORED, [
    tenantId,
    day,
  ]);
  return row ?? { bytes: 0, unpaidPages: 0 };
}
