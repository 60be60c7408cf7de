const TENANT = `(SELECT current_setting('trawl.tenant')::uuid)`;

const isolate = (table: string, condition: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON ${table} USING (${condition});`;

/** Tables whose rows name their tenant. */
const OF_TENANT = [
  ...['api_keys', 'admin_acts', 'account_sessions', 'sign_in_links', 'billing_accounts'],
  ...['credit_ledger', 'credit_balances', 'credit_periods', 'credit_holds', 'credit_transfers'],
  ...['credit_usage_days', 'rate_windows', 'call_slots', 'idempotency_keys', 'daily_quotas'],
  ...['jobs', 'data_deletions', 'page_cache', 'page_cache_usage', 'company_readings'],
  ...['webhook_deliveries', 'webhook_receivers', 'webhook_secrets', 'webhook_disabled'],
];

/** Tables whose rows name only their job. */
const OF_JOB = ['pages', 'job_reasons', 'job_hosts', 'job_shapes'];

/**
 * Tenant isolation: policies by which only its own tenant sees and writes a row, whatever a statement requests. They
 * bind the role that statements of tenants run as (see tenant-role.ts), not the owner of the tables, whose loops work
 * for all tenants. Policies name no role, so that a dump can be restored where the role is another.
 *
 * The tenant is read once per statement (a sub-select of its own), and compared by leakproof operators, so that indexes
 * serve as before. Rows that belong to another table's row look that one up by its key, row by row: a list of the
 * tenant's jobs would make each statement read all of them.
 *
 * A table that is added later brings its own policy, with the condition of its like here.
 */
export const TENANT_ISOLATION = [
  isolate('tenants', `id = ${TENANT}`),
  ...OF_TENANT.map((table) => isolate(table, `tenant_id = ${TENANT}`)),
  ...OF_JOB.map((table) =>
    isolate(table, `(SELECT j.tenant_id FROM jobs j WHERE j.id = ${table}.job_id) = ${TENANT}`),
  ),
  isolate(
    'webhook_attempts',
    `(SELECT d.tenant_id FROM webhook_deliveries d WHERE d.id = webhook_attempts.delivery_id) = ${TENANT}`,
  ),
  isolate(
    'rate_slots',
    `(SELECT w.tenant_id FROM rate_windows w WHERE w.id = rate_slots.window_id) = ${TENANT}`,
  ),
].join('');
