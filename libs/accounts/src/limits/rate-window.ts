import type { Statement, Database } from '@app/database';

/** Counted separately: calls, polls of jobs, and calls that were refused for want of a slot. */
export type RateWindow = 'calls' | 'polls' | 'refused';

/** Length of the sliding window, milliseconds (specification: Limits, "Requests per minute"). */
export const RATE_SPAN_MS = 60_000;

export interface WantedRequests {
  readonly tenantId: string;
  readonly window: RateWindow;
  /** Requests within any {@link RATE_SPAN_MS}; may change from call to call, as a plan does. */
  readonly limit: number;
  /** Number of concurrent requests. @default 1 */
  readonly wanted?: number;
  /** Instant, for specs. @default the clock of the database */
  readonly now?: Date;
}

export interface TakenRequests {
  /** How many of those wanted may pass; the others count for nothing. */
  readonly admitted: number;
  /** How many more may pass after them, now. */
  readonly remaining: number;
  /** Milliseconds until the next one may pass; 0 when all did. */
  readonly waitMs: number;
}

const TAKE: Statement = {
  name: 'take_requests',
  text: `SELECT admitted, remaining, wait_ms AS "waitMs" FROM take_requests($1, $2, $3, $4, $5)`,
};

/**
 * Counts requests of a tenant in its window: within any minute exactly the limit passes, for any
 * number of processes. One round trip. @throws when the database does not answer
 */
export async function takeRequests(
  database: Pick<Database, 'query'>,
  { tenantId, window, limit, wanted = 1, now }: WantedRequests,
): Promise<TakenRequests> {
  const values = [tenantId, window, limit, wanted, now ?? null];
  const [taken] = await database.query<TakenRequests & Record<string, unknown>>(TAKE, values);
  if (!taken) throw new Error('take_requests returned no row');
  return taken;
}

const RETURN: Statement = {
  name: 'return_request',
  text: 'UPDATE rate_windows SET head = head - 1 WHERE tenant_id = $1 AND kind = $2 AND head > tail',
};

/** The last request that was admitted to a window counts no more. */
export async function returnRequest(
  database: Pick<Database, 'query'>,
  { tenantId, window }: Pick<WantedRequests, 'tenantId' | 'window'>,
): Promise<void> {
  await database.query(RETURN, [tenantId, window]);
}
