import { settleJobCredits } from '@app/accounts';
import { run, type Database, type Queryable, type Statement, type TenantData } from '@app/database';

const PAUSE: Statement = {
  name: 'pause_feed',
  text: `UPDATE feeds SET state = 'paused', next_at = NULL, requested_at = NULL,
                paused_reason = CASE WHEN state = 'paused' THEN paused_reason END
         WHERE id = $1 AND tenant_id = $2`,
};
const RESUME: Statement = {
  name: 'resume_feed',
  text: `UPDATE feeds SET state = 'active', next_at = $3, paused_reason = NULL, failures = 0
         WHERE id = $1 AND tenant_id = $2 AND state = 'paused'`,
};
const RENEW: Statement = {
  name: 'renew_feed_addresses',
  text: 'UPDATE feeds SET address_version = address_version + 1 WHERE id = $1 AND tenant_id = $2',
};
/** A run that is requested or open is not requested again. */
const REQUEST: Statement = {
  name: 'request_feed_run',
  text: `UPDATE feeds SET requested_at = coalesce($3::timestamptz, now())
         WHERE id = $1 AND tenant_id = $2 AND requested_at IS NULL AND run_id IS NULL`,
};

/** No run starts any more; one that runs ends. */
export async function pauseFeed(database: Database, tenantId: string, id: string): Promise<void> {
  await database.query(PAUSE, [id, tenantId]);
}

/** Runs that were missed while it was paused are left out. */
export async function resumeFeed(
  database: Database,
  {
    tenantId,
    id,
    nextAt,
  }: { readonly tenantId: string; readonly id: string; readonly nextAt: Date },
): Promise<void> {
  await database.query(RESUME, [id, tenantId, nextAt]);
}

/** Lets a feed run as soon as possible, also a paused one. */
export async function requestFeedRun(
  database: Database,
  tenantId: string,
  id: string,
  now?: Date,
): Promise<void> {
  await database.query(REQUEST, [id, tenantId, now ?? null]);
}

/** Its files have new addresses; the former ones are void. */
export async function renewFeedAddresses(
  database: Database,
  tenantId: string,
  id: string,
): Promise<void> {
  await database.query(RENEW, [id, tenantId]);
}

const LOCK: Statement = {
  name: 'lock_feed',
  text: 'SELECT run_id AS "runId" FROM feeds WHERE id = $1 AND tenant_id = $2 FOR UPDATE',
};
const DELETE: Statement = { name: 'delete_feed', text: 'DELETE FROM feeds WHERE id = $1' };

/** Deletes a feed with its rows, history and pending deliveries; a run in progress ends, and stays charged so far. */
export function deleteFeed(database: Database, tenantId: string, id: string): Promise<boolean> {
  return database.transaction((tx) => deleteIn(tx, tenantId, id));
}

async function deleteIn(tx: Queryable, tenantId: string, id: string): Promise<boolean> {
  const [feed] = await run<{ runId: string | null }>(tx, LOCK, [id, tenantId]);
  if (feed === undefined) return false;
  if (feed.runId !== null) await settleJobCredits(tx, { tenantId, chargeId: feed.runId });
  await run(tx, DELETE, [id]);
  return true;
}

const OF_TENANT: Statement = {
  name: 'feeds_of_tenant',
  text: 'SELECT id FROM feeds WHERE tenant_id = $1 AND created_at <= $2 LIMIT $3',
};

/** Deletes a tenant's feeds. Returns how many: `limit` may mean more. */
export async function deleteTenantFeeds(
  database: Database,
  { tenantId, until, limit }: TenantData,
): Promise<number> {
  const feeds = await database.query<{ id: string }>(OF_TENANT, [tenantId, until, limit]);
  for (const { id } of feeds) await deleteFeed(database, tenantId, id);
  return feeds.length;
}

const SWEEP: Statement = {
  name: 'sweep_feed_events',
  text: `
    DELETE FROM feed_events WHERE id = ANY (ARRAY (
      SELECT id FROM feed_events WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Deletes old events with their deliveries. Returns how many. */
export async function sweepFeedEvents(
  database: Database,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  return (await database.query(SWEEP, [before, limit])).length;
}
