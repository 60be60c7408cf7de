import type { Database } from '@app/database';
import { adHocStatement, until } from '@app/testing';

const COPIES = adHocStatement('SELECT 1 FROM page_cache WHERE starts_with(url, $1)');

/**
 * Waits for copies in the cache: they may be stored after the response.
 * @param start how the address begins that they are of; an enrichment's is `enrich:` and the address of its site
 */
export async function untilCached(database: Database, start: string, count = 1): Promise<void> {
  await until(async () => (await database.query(COPIES, [start])).length >= count, {
    what: `${count} copies of ${start}`,
  });
}
