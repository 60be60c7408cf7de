import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The company graph: what public sites say of companies, fused by domain and shared by all tenants, as
 * none of it is theirs. Columns are what graph queries select by; `record` holds the last reading of each
 * source whole.
 */
export class CompanyGraph1732180000017 implements MigrationInterface {
  name = 'CompanyGraph1732180000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE companies');
  }
}

const UP = `
CREATE TABLE companies (
  domain text PRIMARY KEY,
  name text,
  industry text,
  naics text,
  tech_stack text[] NOT NULL DEFAULT '{}',
  city text,
  state text,
  employee_band text,
  -- When each of the columns above was read, by its name.
  fact_times jsonb NOT NULL DEFAULT '{}',
  -- Of the last reading.
  freshness timestamptz NOT NULL,
  -- Readings that were fused.
  source_count integer NOT NULL DEFAULT 1,
  record jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX companies_naics ON companies (naics) WHERE naics IS NOT NULL;
CREATE INDEX companies_state ON companies (state, city) WHERE state IS NOT NULL;
CREATE INDEX companies_tech_stack ON companies USING gin (tech_stack);
CREATE INDEX companies_name ON companies (lower(name)) WHERE name IS NOT NULL;
`;
