import { countStored, STORED_OBJECT_BYTES, utcDay } from '@app/accounts';
import { PLAN_LIMITS, type Plan } from '@app/contracts';
import type { Database, Statement } from '@app/database';

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
             + ${STORED_OBJECT_BYTES} AS bytes,
           coalesce((SELECT used FROM daily_quotas
                     WHERE tenant_id = $1 AND operation = 'unpaid_page' AND day = $2::date), 0) AS "unpaidPages"
    FROM jobs WHERE tenant_id = $1 AND expired_at IS NULL`,
};

export interface StoredBytes {
  /** Of the jobs that are kept (addresses, documents, texts), of cached pages, and of responses and screenshots in object storage. */
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

/** What is to be stored, of whom. */
export interface NewBytes {
  readonly tenantId: string;
  readonly plan: Plan;
  readonly bytes: number;
}

/** Whether the plan has room for more. */
export async function hasRoom(
  database: Database,
  { tenantId, plan, bytes }: NewBytes,
): Promise<boolean> {
  const { storageBytes } = PLAN_LIMITS[plan];
  if (storageBytes === null) return true;
  return (await readStoredBytes(database, tenantId, utcDay())).bytes + bytes <= storageBytes;
}

/** Screenshots are counted until they are swept. */
export function storedScreenshots(resultDays: number) {
  return { kind: 'screenshot_kib', days: resultDays } as const;
}

/**
 * Counts a screenshot before it is stored. Null: the plan has no room for it; otherwise a function that takes the count
 * back. Calls at the same time may exceed the plan by a screenshot each.
 */
export async function takeScreenshotRoom(
  database: Database,
  image: NewBytes,
  resultDays: number,
): Promise<(() => Promise<void>) | null> {
  if (!(await hasRoom(database, image))) return null;
  const { tenantId, bytes } = image;
  return countStored(database, { ...storedScreenshots(resultDays), tenantId, bytes });
}
