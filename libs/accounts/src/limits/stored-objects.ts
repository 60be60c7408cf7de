import type { Database, Statement } from '@app/database';
import { releaseDaily, reserveDaily, utcDay, type DailyQuota } from './daily-quota.js';

const KIB = 1_024;
const DAY_MS = 86_400_000;
/** Of a counter that only counts. */
const NO_LIMIT = 2_000_000_000;

/** Objects in storage that no row of a job states: responses kept for an Idempotency-Key, pictures of pages. */
export type StoredKind = 'stored_answer_kib' | 'screenshot_kib';

export interface StoredObject {
  readonly tenantId: string;
  readonly kind: StoredKind;
  readonly bytes: number;
  /** How long objects of this kind are kept. */
  readonly days: number;
}

/**
 * SQL of the bytes that tenant `$1` has in such objects on day `$2`. They are counted on the last day on which they are
 * kept (UTC), so the sweep of past days ends the count with its objects.
 */
export const STORED_OBJECT_BYTES = `(SELECT coalesce(sum(used), 0)::float8 * ${KIB} FROM daily_quotas
         WHERE tenant_id = $1 AND operation IN ('stored_answer_kib', 'screenshot_kib') AND day >= $2::date)`;

const STORED: Statement = {
  name: 'stored_object_bytes',
  text: `SELECT ${STORED_OBJECT_BYTES} AS bytes`,
};

/** Bytes that a tenant has in such objects. */
export async function storedObjectBytes(database: Database, tenantId: string): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(STORED, [tenantId, utcDay()]);
  return row?.bytes ?? 0;
}

/** Counts an object. The returned function takes the count back: the object was not stored. */
export async function countStored(
  database: Database,
  object: StoredObject,
): Promise<() => Promise<void>> {
  const { tenantId, kind, bytes, days } = object;
  const day = utcDay(new Date(Date.now() + days * DAY_MS));
  const count: DailyQuota = { tenantId, operation: kind, day };
  const amount = Math.ceil(bytes / KIB);
  await reserveDaily(database, { ...count, amount, limit: NO_LIMIT });
  return () => releaseDaily(database, { ...count, amount });
}

const FORGET: Statement = {
  name: 'forget_stored_objects',
  text: `DELETE FROM daily_quotas
         WHERE tenant_id = $1 AND operation = $2 AND day <= ($3::timestamptz AT TIME ZONE 'utc')::date + $4::int`,
};

/** Objects of this kind that were stored until then are deleted. */
export async function forgetStored(
  database: Database,
  { tenantId, kind, days }: Omit<StoredObject, 'bytes'>,
  until: Date,
): Promise<void> {
  await database.query(FORGET, [tenantId, kind, until, days]);
}
