import type { Database, Statement } from '@app/database';

/** What a conversation is about now. Its messages are not kept. */
export interface Conversation {
  readonly connectorId: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const FIND: Statement = {
  name: 'find_conversation',
  text: `SELECT connector_id AS "connectorId", params FROM conversations
         WHERE id = $1 AND tenant_id = $2 AND expires_at > now()`,
};
const KEEP: Statement = {
  name: 'keep_conversation',
  text: `
    INSERT INTO conversations AS c (id, tenant_id, connector_id, params, expires_at)
    VALUES ($1, $2, $3, $4, now() + $5::int * interval '1 millisecond')
    ON CONFLICT (id) DO UPDATE SET connector_id = excluded.connector_id, params = excluded.params,
      turns = c.turns + 1, expires_at = excluded.expires_at WHERE c.tenant_id = $2
    RETURNING 1`,
};
const SWEEP: Statement = {
  name: 'sweep_conversations',
  text: `
    DELETE FROM conversations WHERE id = ANY (ARRAY (
      SELECT id FROM conversations WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** The tenant's conversation, or null: it has none with that id, or it has expired. */
export async function findConversation(
  database: Database,
  tenantId: string,
  id: string,
): Promise<Conversation | null> {
  const own = database.asReader(tenantId);
  const [row] = await own.query<Conversation & Record<string, unknown>>(FIND, [id, tenantId]);
  return row ?? null;
}

/** Keeps what a conversation is about now, for `lifeMs`. */
export async function keepConversation(
  database: Database,
  {
    id,
    tenantId,
    connectorId,
    params,
    lifeMs,
  }: Conversation & { readonly id: string; readonly tenantId: string; readonly lifeMs: number },
): Promise<void> {
  const values = [id, tenantId, connectorId, JSON.stringify(params), lifeMs];
  await database.asTenant(tenantId).query(KEEP, values);
}

/** Deletes expired conversations. Returns how many. */
export async function sweepConversations(
  database: Database,
  limit: number,
  now: Date,
): Promise<number> {
  return (await database.query(SWEEP, [now, limit])).length;
}
