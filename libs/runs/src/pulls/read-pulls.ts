import type { Queries, Statement } from '@app/database';
import { pullColumns, type Pull } from './pull.js';

const FIND: Statement = {
  name: 'find_pull',
  text: `SELECT ${pullColumns('p')} FROM pulls p WHERE p.id = $1 AND p.tenant_id = $2`,
};
const LIST: Statement = {
  name: 'list_pulls',
  text: `SELECT ${pullColumns('p')} FROM pulls p WHERE p.tenant_id = $1 AND p.status <> 'previewed'
         ORDER BY p.created_at DESC, p.id DESC LIMIT $2`,
};
const ROWS: Statement = {
  name: 'read_pull_rows',
  text: `SELECT position, data::text AS data FROM pull_rows
         WHERE pull_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
};

/** The tenant's preview or pull, or null. @param own database of the tenant */
export async function findPull(own: Queries, tenantId: string, id: string): Promise<Pull | null> {
  const [row] = await own.query<Pull & Record<string, unknown>>(FIND, [id, tenantId]);
  return row ?? null;
}

/** The tenant's newest pulls, without previews. */
export function listPulls(own: Queries, tenantId: string, limit: number): Promise<Pull[]> {
  return own.query<Pull & Record<string, unknown>>(LIST, [tenantId, limit]);
}

export interface StoredRow {
  /** From 1. */
  readonly position: number;
  /** JSON text. */
  readonly data: string;
}

/** Rows of one statement. */
const PART = 500;

/** Rows of a pull in their order, at most `most` after the first `after`; read part by part. */
export async function* readPullRows(
  own: Queries,
  pullId: string,
  { after, most }: { readonly after: number; readonly most: number },
): AsyncGenerator<StoredRow> {
  for (let at = after, left = most; left > 0;) {
    const size = Math.min(PART, left);
    const rows = await own.query<StoredRow & Record<string, unknown>>(ROWS, [pullId, at, size]);
    yield* rows;
    if (rows.length < size) return;
    left -= rows.length;
    at = rows.at(-1)?.position ?? at;
  }
}
