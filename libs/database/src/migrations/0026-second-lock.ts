import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The second lock between tenants: policies by which a row is seen and written by nobody but its tenant,
 * whatever a statement asks for. They bind the role that statements of tenants run as (see
 * second-lock/tenant-role.ts), not the owner of the tables, whose loops work for all tenants.
 *
 * The tenant is read once in a statement (a sub-select of its own), and compared by operators that leak
 * nothing, so that indexes serve as before. What hangs on another table asks that one by its key, row by
 * row: of a list of a tenant's jobs each statement would have to read all. Policies name no role, so that a
 * dump can be restored where the role is another.
 *
 * A table that is made later brings its own: `ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY
 * tenant_rows ON t USING (…)`, with the condition of its like here.
 */
export class SecondLock1732180000026 implements MigrationInterface {
  name = 'SecondLock1732180000026';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK_OWN);
    await runner.query(LOCK_HANGING);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const TENANT = `(SELECT current_setting('trawl.tenant')::uuid)`;

/** Tables whose rows name their tenant, and those whose rows name their job alone. */
const LOCK_OWN = `
SET LOCAL statement_timeout = 0;
DO $do$
DECLARE
  t record;
BEGIN
  FOR t IN
    SELECT c.oid::regclass AS name, bool_or(a.attname = 'tenant_id') AS has_tenant
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attname IN ('tenant_id', 'job_id') AND NOT a.attisdropped
    GROUP BY c.oid, c.relname ORDER BY c.relname
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t.name);
    EXECUTE format('CREATE POLICY tenant_rows ON %s USING (%s)', t.name, CASE WHEN t.has_tenant
      THEN $sql$tenant_id = ${TENANT}$sql$
      ELSE format($sql$(SELECT j.tenant_id FROM jobs j WHERE j.id = %s.job_id) = ${TENANT}$sql$, t.name) END);
  END LOOP;
END
$do$;
`;

const LOCK_HANGING = `
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON tenants USING (id = ${TENANT});
ALTER TABLE webhook_attempts ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON webhook_attempts USING (
  (SELECT d.tenant_id FROM webhook_deliveries d WHERE d.id = webhook_attempts.delivery_id) = ${TENANT});
ALTER TABLE rate_slots ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON rate_slots USING (
  (SELECT w.tenant_id FROM rate_windows w WHERE w.id = rate_slots.window_id) = ${TENANT});
`;

const DOWN = `
DO $do$
DECLARE
  t record;
BEGIN
  FOR t IN SELECT polrelid::regclass AS name FROM pg_policy WHERE polname = 'tenant_rows' LOOP
    EXECUTE format('DROP POLICY tenant_rows ON %s', t.name);
    EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', t.name);
  END LOOP;
END
$do$;
`;
