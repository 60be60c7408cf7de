import type { Database, Statement, TenantData } from '@app/database';
import { cancelPull } from './run-pull.js';

const EXPIRED: Statement = {
  name: 'sweep_pulls',
  text: `
    DELETE FROM pulls WHERE id = ANY (ARRAY (
      SELECT id FROM pulls WHERE expires_at <= $1 AND status NOT IN ('queued', 'running')
      ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Deletes previews and pulls that are no longer kept. Returns how many. */
export async function sweepPulls(database: Database, limit: number, now: Date): Promise<number> {
  return (await database.query(EXPIRED, [now, limit])).length;
}

const OPEN: Statement = {
  name: 'open_pulls_of_tenant',
  text: `SELECT id FROM pulls WHERE tenant_id = $1 AND created_at <= $2 AND status IN ('queued', 'running') LIMIT $3`,
};
const DELETE: Statement = {
  name: 'delete_pulls_of_tenant',
  text: `
    DELETE FROM pulls WHERE id = ANY (ARRAY (
      SELECT id FROM pulls WHERE tenant_id = $1 AND created_at <= $2 AND status NOT IN ('queued', 'running') LIMIT $3))
    RETURNING 1`,
};
const TALKS: Statement = {
  name: 'delete_conversations_of_tenant',
  text: 'DELETE FROM conversations WHERE tenant_id = $1',
};

/** Cancels a tenant's pulls, then deletes them, and its conversations. Returns how many are gone: `limit` may mean more. */
export async function deleteTenantPulls(
  database: Database,
  { tenantId, until, limit }: TenantData,
): Promise<number> {
  const open = await database.query<{ id: string }>(OPEN, [tenantId, until, limit]);
  for (const { id } of open) await cancelPull(database, tenantId, id);
  await database.query(TALKS, [tenantId]);
  return (await database.query(DELETE, [tenantId, until, limit])).length;
}
