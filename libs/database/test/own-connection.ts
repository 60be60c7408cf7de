import { Database } from '../src/database.js';
import type { Queryable } from '../src/statement.js';

/**
 * A transaction on a connection of its own, which is closed after it. The server's counts of a transaction
 * (`pg_stat_xact_*`) hold what earlier ones of the same connection have not yet handed in.
 */
export async function onOwnConnection<T>(
  url: string,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const own = new Database({ url, poolSize: 1, applicationName: 'counted' });
  await own.connect();
  try {
    return await own.transaction(work);
  } finally {
    await own.close();
  }
}
