import { run, type Database, type Queryable, type Statement } from '@app/database';

const READ: Statement = {
  name: 'has_live_maps',
  text: 'SELECT has_live_maps AS "hasLiveMaps" FROM tenants WHERE id = $1',
};
const SET: Statement = {
  name: 'set_live_maps',
  text: 'UPDATE tenants SET has_live_maps = $2 WHERE id = $1',
};

/** Whether an account on the Free plan gets live rows of the maps scraper. */
export async function hasLiveMaps(database: Database, tenantId: string): Promise<boolean> {
  const [row] = await database.query<{ hasLiveMaps: boolean }>(READ, [tenantId]);
  return row?.hasLiveMaps ?? false;
}

/** From the next request on. */
export async function setLiveMapsIn(
  tx: Queryable,
  tenantId: string,
  isLive: boolean,
): Promise<void> {
  await run(tx, SET, [tenantId, isLive]);
}
