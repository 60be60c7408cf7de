/**
 * The company graph: what public sites say about companies, fused by domain and shared by all tenants. E-mail
 * addresses, phone numbers and people are not part of it: they belong to the tenant whose request read them, with the
 * time of the reading, so that they expire and are deleted with that tenant's data.
 */
export const COMPANIES = `
CREATE TABLE companies (
  domain text PRIMARY KEY,
  -- The columns graph queries select by.
  name text,
  industry text,
  naics text,
  tech_stack text[] NOT NULL DEFAULT '{}',
  city text,
  state text,
  employee_band text,
  -- When each of the columns above was read, by its name.
  fact_times jsonb NOT NULL DEFAULT '{}',
  -- Time of the last reading.
  freshness timestamptz NOT NULL,
  -- Number of readings that were fused.
  source_count integer NOT NULL DEFAULT 1,
  -- The last reading of each source, whole.
  record jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX companies_naics ON companies (naics) WHERE naics IS NOT NULL;
CREATE INDEX companies_state ON companies (state, city) WHERE state IS NOT NULL;
CREATE INDEX companies_tech_stack ON companies USING gin (tech_stack);
CREATE INDEX companies_name ON companies (lower(name)) WHERE name IS NOT NULL;

CREATE TABLE company_readings (
  domain text NOT NULL,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  -- The operation that read it: brand or enrich.
  source text NOT NULL,
  read_at timestamptz NOT NULL,
  -- {emails, phones, team}; null: there are none, or they have expired.
  contacts jsonb,
  PRIMARY KEY (domain, source, tenant_id)
);
CREATE INDEX company_readings_tenant ON company_readings (tenant_id, read_at);
CREATE INDEX company_readings_contacts ON company_readings (read_at) WHERE contacts IS NOT NULL;

-- Companies and addresses that must not be stored, by their SHA-256.
CREATE TABLE company_optouts (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now()
);
`;
