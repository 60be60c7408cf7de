import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * E-mail addresses, phone numbers and people leave the shared graph: they are kept by the tenant whose request read them,
 * with the time of the reading, so that they expire and go with that tenant's data. Those that are in
 * `companies.record` have no such owner and are deleted.
 *
 * And of each day's spending, how many calls and pages a model took part in.
 */
export class CompanyReadings1732180000033 implements MigrationInterface {
  name = 'CompanyReadings1732180000033';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(READINGS);
    await runner.query(EXTRACTIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE credit_usage_days DROP COLUMN extractions;
      DROP TABLE company_readings, company_optouts`);
  }
}

const READINGS = `
CREATE TABLE company_readings (
  domain text NOT NULL,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  -- What it was read by: brand or enrich.
  source text NOT NULL,
  read_at timestamptz NOT NULL,
  -- {emails, phones, team}; null: none, or they have expired.
  contacts jsonb,
  PRIMARY KEY (domain, source, tenant_id)
);
CREATE INDEX company_readings_tenant ON company_readings (tenant_id, read_at);
CREATE INDEX company_readings_contacts ON company_readings (read_at) WHERE contacts IS NOT NULL;
ALTER TABLE company_readings ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON company_readings
  USING (tenant_id = (SELECT current_setting('trawl.tenant')::uuid));

-- Companies and addresses that are not to be kept, by SHA-256 of what they are.
CREATE TABLE company_optouts (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now()
);
UPDATE companies SET record = record #- '{enrich,emails}' #- '{enrich,phones}' #- '{enrich,team}';
`;

const EXTRACTIONS = `
SET LOCAL statement_timeout = 0;
-- Rows of the ledger that cost something and that a model took part in.
ALTER TABLE credit_usage_days ADD COLUMN extractions bigint NOT NULL DEFAULT 0;
UPDATE credit_usage_days d SET extractions = l.extractions
FROM (SELECT tenant_id, (created_at AT TIME ZONE 'UTC')::date AS day, operation, count(*) AS extractions
      FROM credit_ledger
      WHERE credits > 0 AND (operation = 'extract' OR cost_micro_usd > 0)
        AND created_at < (SELECT summed_until FROM credit_usage_mark)
      GROUP BY 1, 2, 3) l
WHERE d.tenant_id = l.tenant_id AND d.day = l.day AND d.operation = l.operation;
`;
