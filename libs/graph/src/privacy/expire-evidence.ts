import {
  run,
  type Database,
  type Statement,
  type SweepOptions,
  type TenantData,
} from '@app/database';
import { fuseBusinesses } from '../store/fused-rows.js';
import { lockForDeletion } from './opt-outs.js';

const EXPIRE: Statement = {
  name: 'expire_company_contacts',
  text: `
    DELETE FROM business_evidence e USING (
      SELECT business_id, field, hash FROM business_evidence
      WHERE field IN ('phone', 'email') AND last_seen < $1 ORDER BY last_seen LIMIT $2) old
    WHERE e.business_id = old.business_id AND e.field = old.field AND e.hash = old.hash
    RETURNING e.business_id AS "businessId"`,
};

/** Deletes phone numbers and addresses that no later reading has confirmed. Returns the number of them. */
export async function expireCompanyContacts(
  database: Database,
  { before, limit }: SweepOptions,
): Promise<number> {
  return database.transaction(async (tx) => {
    const gone = await run<{ businessId: string }>(tx, EXPIRE, [before, limit]);
    await fuseBusinesses(tx, [...new Set(gone.map(({ businessId }) => businessId))]);
    return gone.length;
  });
}

const DELETE_READERS: Statement = {
  name: 'delete_business_readers_of_tenant',
  text: `
    DELETE FROM business_readers r USING (
      SELECT business_id, source FROM business_readers WHERE tenant_id = $1 AND read_at <= $2 LIMIT $3) own
    WHERE r.tenant_id = $1 AND r.business_id = own.business_id AND r.source = own.source
    RETURNING r.business_id AS id, r.source`,
};
/** Evidence of a source that no other tenant's request has read. */
const DELETE_UNREAD: Statement = {
  name: 'delete_unread_evidence',
  text: `
    DELETE FROM business_evidence e USING unnest($1::uuid[], $2::text[]) AS gone (id, source)
    WHERE e.business_id = gone.id AND e.source = gone.source AND NOT EXISTS (
      SELECT FROM business_readers r WHERE r.business_id = gone.id AND r.source = gone.source)`,
};

/** Deletes evidence that only a tenant's requests read. Returns the number of deleted readings. */
export async function deleteTenantReadings(
  database: Database,
  { tenantId, until, limit }: TenantData,
): Promise<number> {
  return database.transaction(async (tx) => {
    await lockForDeletion(tx);
    const values = [tenantId, until, limit];
    const gone = await run<{ id: string; source: string }>(tx, DELETE_READERS, values);
    if (gone.length === 0) return 0;
    await run(tx, DELETE_UNREAD, [gone.map(({ id }) => id), gone.map(({ source }) => source)]);
    await fuseBusinesses(tx, [...new Set(gone.map(({ id }) => id))]);
    return gone.length;
  });
}
