import { Database } from '../src/database.js';
import type { Queryable } from '../src/statement.js';

/**
 * A transaction on a separate connection, which is closed afterwards. The server's counts of a transaction
 * (`pg_stat_xact_*`) include earlier ones of the same connection that are not flushed yet.
 */
export async function onOwnConnection<T>(
  url: string,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const own = new Database({
    url,
    poolSize: 1,
    applicationName: 'counted',
    connectTimeoutMs: 60_000,
  });
  await own.connect();
  try {
    return await own.transaction(work);
  } finally {
    await own.close();
  }
}
