import { run, type Database, type Queryable, type Statement } from '@app/database';
import { feedColumns, type Feed, type FirstRun } from './feed.js';

export interface NewFeed {
  readonly id: string;
  readonly tenantId: string;
  readonly connectorId: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schedule: string;
  readonly timeZone: string;
  readonly webhookUrl: string | null;
  readonly firstRun: FirstRun;
  readonly deliversChanged: boolean;
  readonly maxRows: number;
  readonly nextAt: Date;
}

/** Null: the account has as many feeds as its plan allows. */
export type CreatedFeed = Feed | null;

/** Two requests at once count one after the other. */
const LOCK: Statement = {
  name: 'lock_tenant_feeds',
  text: 'SELECT id FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};
const COUNT: Statement = {
  name: 'count_feeds',
  text: 'SELECT count(*)::int AS feeds FROM feeds WHERE tenant_id = $1 AND id <> $2',
};
const INSERT: Statement = {
  name: 'create_feed',
  text: `
    INSERT INTO feeds AS f (id, tenant_id, connector_id, params, schedule, time_zone, webhook_url, first_run,
                            delivers_changed, max_rows, next_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    ON CONFLICT (id) DO UPDATE SET fence = f.fence WHERE f.tenant_id = $2
    RETURNING ${feedColumns('f')}`,
};

/** Creates a feed. The same id is the same feed. @param limit feeds of the account */
export function createFeed(database: Database, feed: NewFeed, limit: number): Promise<CreatedFeed> {
  return database.transaction((tx) => createIn(tx, feed, limit));
}

async function createIn(tx: Queryable, feed: NewFeed, limit: number): Promise<CreatedFeed> {
  await run(tx, LOCK, [feed.tenantId]);
  const [count] = await run<{ feeds: number }>(tx, COUNT, [feed.tenantId, feed.id]);
  if ((count?.feeds ?? 0) >= limit) return null;
  const [created] = await run<Feed & Record<string, unknown>>(tx, INSERT, [
    ...[feed.id, feed.tenantId, feed.connectorId, JSON.stringify(feed.params), feed.schedule],
    ...[feed.timeZone, feed.webhookUrl, feed.firstRun, feed.deliversChanged, feed.maxRows],
    feed.nextAt,
  ]);
  if (created === undefined) throw new Error(`the id ${feed.id} is of another feed`);
  return created;
}
