import type { QueueName } from '@app/contracts';
import { run, type Statement, type Database } from '@app/database';

/** Messages that were committed with a change of state and are not confirmed by the broker yet. */
export interface OutboxEntry {
  readonly id: string;
  readonly queue: QueueName;
  readonly messages: readonly unknown[];
}

const DELETE: Statement = {
  name: 'outbox_delete',
  text: 'DELETE FROM outbox WHERE id = ANY ($1::bigint[])',
};
const STALE: Statement = {
  name: 'outbox_stale',
  text: `SELECT id, queue, messages FROM outbox
         WHERE created_at < now() - $1::int * interval '1 millisecond'
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
};
const BACKLOG: Statement = {
  name: 'outbox_backlog',
  text: `SELECT count(*)::int AS pending,
                coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds" FROM outbox`,
};

/** Deletes entries whose messages the broker has confirmed. */
export async function deleteOutbox(database: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await database.query(DELETE, [[...ids]]);
}

/**
 * Publishes entries whose writer died between commit and confirm. They stay locked while `publish`
 * runs and are deleted with it, so two replicas do not send the same entry.
 */
export async function relayOutbox(
  database: Database,
  options: { readonly olderThanMs: number; readonly batch: number },
  publish: (entry: OutboxEntry) => Promise<void>,
): Promise<number> {
  return database.transaction(async (tx) => {
    const entries = await run<OutboxEntry & Record<string, unknown>>(tx, STALE, [
      options.olderThanMs,
      options.batch,
    ]);
    for (const entry of entries) await publish(entry);
    if (entries.length > 0) await run(tx, DELETE, [entries.map((entry) => entry.id)]);
    return entries.length;
  });
}

export async function outboxBacklog(
  database: Database,
): Promise<{ readonly pending: number; readonly oldestSeconds: number }> {
  const [row] = await database.query<{ pending: number; oldestSeconds: number }>(BACKLOG);
  return row ?? { pending: 0, oldestSeconds: 0 };
}
