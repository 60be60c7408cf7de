import type { Database, Statement } from '@app/database';

/** Of one tenant. */
export const MAX_SAVED_SCHEMAS = 100;

/** A JSON Schema under a name. */
export interface SavedSchema {
  readonly name: string;
  readonly schema: object;
  readonly savedAt: Date;
}

/** The tenant's row is locked first: two that are saved at once are counted one after the other. */
const SAVE: Statement = {
  name: 'save_schema',
  text: `
    WITH locked AS (SELECT id FROM tenants WHERE id = $1 FOR NO KEY UPDATE)
    INSERT INTO saved_schemas (tenant_id, name, schema) SELECT id, $2, $3::json FROM locked
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

/** Saves a schema, over one of the same name. False: the tenant has as many as it may. */
export async function saveSchema(
  database: Database,
  tenantId: string,
  { name, schema }: Pick<SavedSchema, 'name' | 'schema'>,
): Promise<boolean> {
  const values = [tenantId, name, JSON.stringify(schema)];
  return (await database.asTenant(tenantId).query(SAVE, values)).length > 0;
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
