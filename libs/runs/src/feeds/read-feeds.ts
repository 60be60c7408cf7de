import type { Queries, Statement } from '@app/database';
import { feedColumns, RUN_COLUMNS, type Feed, type FeedRun } from './feed.js';

const FIND: Statement = {
  name: 'find_feed',
  text: `SELECT ${feedColumns('f')} FROM feeds f WHERE f.id = $1 AND f.tenant_id = $2`,
};
const LIST: Statement = {
  name: 'list_feeds',
  text: `SELECT ${feedColumns('f')} FROM feeds f WHERE f.tenant_id = $1
         ORDER BY f.created_at DESC, f.id DESC LIMIT $2`,
};
const RUNS: Statement = {
  name: 'list_feed_runs',
  text: `SELECT ${RUN_COLUMNS} FROM feed_runs WHERE feed_id = $1 ORDER BY started_at DESC, id DESC LIMIT $2`,
};
const ITEMS: Statement = {
  name: 'read_feed_items',
  text: `SELECT encode(key, 'hex') AS key, version, data::text AS data, delivered_at AS "deliveredAt"
         FROM feed_rows WHERE feed_id = $1 AND delivered_at IS NOT NULL
         ORDER BY delivered_at DESC, key LIMIT $2`,
};
/** The signed address names the feed, not its tenant. */
const OWNER: Statement = {
  name: 'find_feed_owner',
  text: `SELECT ${feedColumns('f')}, f.tenant_id AS "tenantId" FROM feeds f WHERE f.id = $1`,
};

/** The tenant's feed, or null. @param own database of the tenant */
export async function findFeed(own: Queries, tenantId: string, id: string): Promise<Feed | null> {
  const [row] = await own.query<Feed & Record<string, unknown>>(FIND, [id, tenantId]);
  return row ?? null;
}

/** The tenant's feeds, the newest first. */
export function listFeeds(own: Queries, tenantId: string, limit: number): Promise<Feed[]> {
  return own.query<Feed & Record<string, unknown>>(LIST, [tenantId, limit]);
}

/** The newest runs of a feed. */
export function listFeedRuns(own: Queries, feedId: string, limit: number): Promise<FeedRun[]> {
  return own.query<FeedRun & Record<string, unknown>>(RUNS, [feedId, limit]);
}

export interface OwnedFeed extends Feed {
  readonly tenantId: string;
}

/** A feed by its id alone, for a request whose signature was checked. */
export async function findSignedFeed(database: Queries, id: string): Promise<OwnedFeed | null> {
  const [row] = await database.query<OwnedFeed & Record<string, unknown>>(OWNER, [id]);
  return row ?? null;
}

/** A row that was delivered. */
export interface FeedItem {
  /** Hash of its identity key, hexadecimal. */
  readonly key: string;
  readonly version: number;
  /** JSON text. */
  readonly data: string;
  readonly deliveredAt: Date;
}

/** The rows that were delivered last. */
export function readFeedItems(own: Queries, feedId: string, limit: number): Promise<FeedItem[]> {
  return own.query<FeedItem & Record<string, unknown>>(ITEMS, [feedId, limit]);
}
