import { run, Store, type Queryable, type Statement } from '@app/database';

/** One entry of the log of what operators do. */
export interface AdminAct {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  /** Such as `plan.set`. */
  readonly act: string;
  readonly tenantId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const RECORD: Statement = {
  name: 'record_admin_act',
  text: 'INSERT INTO admin_acts (actor, act, tenant_id, details) VALUES ($1, $2, $3, $4)',
};
const LIST: Statement = {
  name: 'list_admin_acts',
  text: `SELECT id::text, at, actor, act, tenant_id AS "tenantId", details FROM admin_acts
         WHERE $1::uuid IS NULL OR tenant_id = $1 ORDER BY admin_acts.id DESC LIMIT $2`,
};

/** Writes down an act; within the transaction of what was done, so that neither is there alone. Never a secret. */
export async function recordAdminAct(
  db: Store | Queryable,
  { actor, act, tenantId, details }: Omit<AdminAct, 'id' | 'at'>,
): Promise<void> {
  const values = [actor, act, tenantId, JSON.stringify(details)];
  await (db instanceof Store ? db.query(RECORD, values) : run(db, RECORD, values));
}

/** The newest acts first; those of one tenant, or with null of all. */
export async function listAdminActs(
  store: Store,
  { tenantId, limit }: { readonly tenantId: string | null; readonly limit: number },
): Promise<AdminAct[]> {
  return store.query<AdminAct & Record<string, unknown>>(LIST, [tenantId, limit]);
}
