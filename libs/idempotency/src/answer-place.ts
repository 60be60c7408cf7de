import type { Runtime } from '@app/runtime';
import { noteAnswerBlob, type KeyClaim } from './idempotency.js';
import { countStored, reserveDaily, utcDay } from '@app/accounts';
import type { BodyPlace } from './kept-body.js';

/**
 * Bytes of answers that one tenant may have in SQL per day (UTC); at most two days are stored.
 * Further answers go to storage, whatever their size, so every retry still gets its answer.
 */
export const MAX_KEPT_BYTES_PER_DAY = 64 * 1024 * 1024;
/** How those in object storage are counted: until tomorrow. They are a part of the storage of the plan. */
export const STORED_ANSWERS = { kind: 'stored_answer_kib', days: 1 } as const;

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
      await countStored(database, { ...STORED_ANSWERS, tenantId: claim.tenantId, bytes });
    },
    takeRoom: async (amount) =>
      (await reserveDaily(database, { ...quota, day: utcDay(), limit, amount })).ok,
  };
}
