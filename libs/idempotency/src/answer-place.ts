import type { Runtime } from '@app/runtime';
import { noteAnswerBlob, type KeyClaim } from './idempotency.js';
import { reserveDaily, utcDay } from '@app/accounts';
import type { Database, Statement } from '@app/database';
import type { BodyPlace } from './kept-body.js';

/**
 * Bytes of answers that one tenant may have in SQL per day (UTC); at most two days are stored.
 * Further answers go to storage, whatever their size, so every retry still gets its answer.
 */
export const MAX_KEPT_BYTES_PER_DAY = 64 * 1024 * 1024;
/** The daily count of those in object storage, in KiB: they count against the storage of the plan. */
export const STORED_ANSWERS = 'stored_answer_kib';
const KIB = 1024;
/** Of a counter that only counts. */
const MOST_COUNTED = 2_000_000_000;

/**
 * SQL of the bytes of answers that tenant `$1` has in object storage on day `$2`: those of that day and the day before
 * (UTC).
 */
export const STORED_ANSWER_BYTES = `(SELECT coalesce(sum(used), 0)::float8 * ${KIB} FROM daily_quotas
         WHERE tenant_id = $1 AND operation = '${STORED_ANSWERS}' AND day >= $2::date - 1)`;

const STORED: Statement = {
  name: 'stored_answer_bytes',
  text: `SELECT ${STORED_ANSWER_BYTES} AS bytes`,
};

/** Bytes of answers that a tenant has in object storage. */
export async function storedAnswerBytes(database: Database, tenantId: string): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(STORED, [tenantId, utcDay()]);
  return row?.bytes ?? 0;
}

/** Where the answer of a claimed request is kept. */
export function answerPlace(
  { database, blobs }: Pick<Runtime, 'database' | 'blobs'>,
  claim: KeyClaim,
): BodyPlace {
  const key = `tenants/${claim.tenantId}/idempotency/${claim.id}.body`;
  const quota = { tenantId: claim.tenantId, operation: 'kept_answer_bytes' } as const;
  const limit = MAX_KEPT_BYTES_PER_DAY;
  return {
    blobs,
    key,
    note: () => noteAnswerBlob(database, claim, key),
    stored: async (bytes) => {
      const count = { tenantId: claim.tenantId, operation: STORED_ANSWERS, day: utcDay() } as const;
      const amount = Math.ceil(bytes / KIB);
      await reserveDaily(database, { ...count, amount, limit: MOST_COUNTED });
    },
    takeRoom: async (amount) =>
      (await reserveDaily(database, { ...quota, day: utcDay(), limit, amount })).ok,
  };
}
