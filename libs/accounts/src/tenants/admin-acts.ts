import { rowsIn, Database, type Queryable } from '@app/database';
import { AdminActEntity } from './admin-act.entity.js';

export type AdminAct = Readonly<AdminActEntity>;

/**
 * Records an act, in the transaction of the act itself, so that neither exists alone. Never a
 * secret.
 */
export async function recordAdminAct(
  db: Database | Queryable,
  act: Omit<AdminAct, 'id' | 'at'>,
): Promise<void> {
  const acts = db instanceof Database ? db.rows(AdminActEntity) : rowsIn(db, AdminActEntity);
  // TypeORM's type for rows to insert knows no JSON of unknown content.
  await acts.insert(act as object);
}

/** The newest acts first; those of one tenant, or with null of all. */
export async function listAdminActs(
  database: Database,
  { tenantId, limit }: { readonly tenantId: string | null; readonly limit: number },
): Promise<AdminAct[]> {
  const where = tenantId === null ? {} : { tenantId };
  return database.rows(AdminActEntity).find({ where, order: { id: 'DESC' }, take: limit });
}
