import { run, type Database, type Statement, type TenantData } from '@app/database';

/** Of one tenant. */
export const MAX_SAVED_SCHEMAS = 100;

/** A JSON Schema under a name. */
export interface SavedSchema {
  readonly name: string;
  readonly schema: object;
  readonly savedAt: Date;
}

/** Two that are saved at once are counted one after the other. */
const LOCK: Statement = {
  name: 'lock_saved_schemas',
  text: 'SELECT 1 FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};
const SAVE: Statement = {
  name: 'save_schema',
  text: `
    INSERT INTO saved_schemas (tenant_id, name, schema) SELECT $1::uuid, $2::text, $3::json
    WHERE EXISTS (SELECT FROM saved_schemas WHERE tenant_id = $1 AND name = $2)
      OR (SELECT count(*) FROM saved_schemas WHERE tenant_id = $1) < ${MAX_SAVED_SCHEMAS}
    ON CONFLICT (tenant_id, name) DO UPDATE SET schema = excluded.schema, saved_at = now()
    RETURNING 1`,
};
const LIST: Statement = {
  name: 'list_schemas',
  text: `SELECT name, schema, saved_at AS "savedAt" FROM saved_schemas WHERE tenant_id = $1 ORDER BY name`,
};
const FIND: Statement = {
  name: 'find_schema',
  text: `SELECT name, schema, saved_at AS "savedAt" FROM saved_schemas WHERE tenant_id = $1 AND name = $2`,
};
const DELETE: Statement = {
  name: 'delete_schema',
  text: 'DELETE FROM saved_schemas WHERE tenant_id = $1 AND name = $2',
};
const ERASE: Statement = {
  name: 'delete_schemas_of_tenant',
  text: 'DELETE FROM saved_schemas WHERE tenant_id = $1 AND saved_at <= $2',
};

/** Saves a schema, over one of the same name. False: the tenant has as many as it may. */
export async function saveSchema(
  database: Database,
  tenantId: string,
  { name, schema }: Pick<SavedSchema, 'name' | 'schema'>,
): Promise<boolean> {
  return database.asTenant(tenantId).transaction(async (tx) => {
    await run(tx, LOCK, [tenantId]);
    return (await run(tx, SAVE, [tenantId, name, JSON.stringify(schema)])).length > 0;
  });
}

/** By name. */
export function listSchemas(database: Database, tenantId: string): Promise<SavedSchema[]> {
  return database.asReader(tenantId).query<SavedSchema & Record<string, unknown>>(LIST, [tenantId]);
}

export async function findSchema(
  database: Database,
  tenantId: string,
  name: string,
): Promise<SavedSchema | null> {
  const reader = database.asReader(tenantId);
  const [row] = await reader.query<SavedSchema & Record<string, unknown>>(FIND, [tenantId, name]);
  return row ?? null;
}

export async function deleteSchema(
  database: Database,
  tenantId: string,
  name: string,
): Promise<void> {
  await database.asTenant(tenantId).query(DELETE, [tenantId, name]);
}

/** All of a tenant, which are no more than {@link MAX_SAVED_SCHEMAS}. */
export async function deleteTenantSchemas(
  database: Database,
  { tenantId, until }: Omit<TenantData, 'limit'>,
): Promise<void> {
  await database.query(ERASE, [tenantId, until]);
}
