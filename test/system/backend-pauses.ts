import type { Database } from '@app/database';
import { adHocStatement, until } from '@app/testing';

const PROLONG = adHocStatement(`
  UPDATE search_backends SET paused_until = paused_until + interval '1 hour'
  WHERE paused_until IS NOT NULL RETURNING 1`);

/**
 * Waits until a backend is left out, which may be stored after the response, for longer than a test takes: the first
 * pause is one of seconds.
 */
export async function untilPaused(database: Database): Promise<void> {
  await until(async () => (await database.query(PROLONG)).length > 0, { what: 'a pause' });
}
