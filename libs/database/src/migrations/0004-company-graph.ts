import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The company graph: public facts of businesses, shared by all tenants. Evidence is what sources state; a row of
 * `businesses` is derived from it and can be rebuilt. Evidence never changes its business: a merge points the business
 * to another one (`merged_into`), so that a split loses nothing.
 */
const GRAPH = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE businesses (
  id uuid PRIMARY KEY,
  -- The business that holds the fused record; null: this one.
  merged_into uuid REFERENCES businesses (id),
  domain text,
  name text,
  -- The name without legal form, case and punctuation.
  name_key text,
  state text,
  zip text,
  -- What queries select by: technologies, place, industry; see fuse/facets.ts.
  facets text[] NOT NULL DEFAULT '{}',
  -- The fused record, whole.
  record jsonb NOT NULL DEFAULT '{}',
  -- Its own site is among the sources.
  has_site boolean NOT NULL DEFAULT false,
  source_count integer NOT NULL DEFAULT 0,
  evidence_count integer NOT NULL DEFAULT 0,
  -- When the newest evidence was seen.
  freshness timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 85);
CREATE INDEX businesses_merged ON businesses (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX businesses_facets ON businesses USING gin (facets) WHERE merged_into IS NULL;
CREATE INDEX businesses_name ON businesses (name_key, state) WHERE name_key IS NOT NULL AND merged_into IS NULL;
-- Misspelled names are looked for within one place: in one ZIP code, or in one state among those that begin alike.
CREATE INDEX businesses_zip ON businesses (zip) WHERE zip IS NOT NULL AND merged_into IS NULL;
CREATE INDEX businesses_name_start ON businesses (state, left(name_key, 3))
  WHERE name_key IS NOT NULL AND merged_into IS NULL;

CREATE TABLE business_evidence (
  business_id uuid NOT NULL REFERENCES businesses (id) ON DELETE CASCADE,
  field text NOT NULL,
  -- Of value, source and URL: one row, however often they are read.
  hash bytea NOT NULL CHECK (octet_length(hash) = 16),
  value jsonb NOT NULL,
  source text NOT NULL,
  url text,
  confidence real NOT NULL CHECK (confidence > 0 AND confidence <= 1),
  first_seen timestamptz NOT NULL,
  last_seen timestamptz NOT NULL,
  PRIMARY KEY (business_id, field, hash)
) WITH (fillfactor = 90);
CREATE INDEX business_evidence_contacts ON business_evidence (last_seen) WHERE field IN ('phone', 'email');

-- What a business is found by: domain, phone, UEI, license, address.
CREATE TABLE business_keys (
  kind text NOT NULL,
  value text NOT NULL,
  business_id uuid NOT NULL REFERENCES businesses (id) ON DELETE CASCADE,
  PRIMARY KEY (kind, value, business_id)
);
CREATE INDEX business_keys_business ON business_keys (business_id);

-- Merges and their reasons. A split ends one and bars its repetition.
CREATE TABLE business_merges (
  id uuid PRIMARY KEY,
  kept uuid NOT NULL REFERENCES businesses (id) ON DELETE CASCADE,
  merged uuid NOT NULL REFERENCES businesses (id) ON DELETE CASCADE,
  -- The businesses that pointed to the merged one, and itself.
  members uuid[] NOT NULL,
  score real NOT NULL,
  reasons jsonb NOT NULL,
  merged_at timestamptz NOT NULL DEFAULT now(),
  split_at timestamptz
);
CREATE INDEX business_merges_pair ON business_merges (kept, merged);
CREATE INDEX business_merges_merged ON business_merges (merged);

-- Whose requests read a business: evidence that only one tenant's requests read is deleted with that tenant's data.
CREATE TABLE business_readers (
  business_id uuid NOT NULL REFERENCES businesses (id) ON DELETE CASCADE,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  source text NOT NULL,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (business_id, source, tenant_id)
);
CREATE INDEX business_readers_tenant ON business_readers (tenant_id, read_at);
ALTER TABLE business_readers ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON business_readers USING (tenant_id = (SELECT current_setting('trawl.tenant')::uuid));

-- How far an import of a file got; gone when it ended.
CREATE TABLE business_imports (
  source text NOT NULL,
  file text NOT NULL,
  bytes bigint NOT NULL,
  line bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, file, bytes)
);

DROP TABLE company_readings;
DROP TABLE companies;
`;

/** Businesses and their evidence instead of one row of facts for each domain. */
export class CompanyGraph1732180000004 implements MigrationInterface {
  name = 'CompanyGraph1732180000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(GRAPH);
  }

  /** @throws always: the tables before it held other facts */
  down(): Promise<void> {
    return Promise.reject(new Error('the company graph cannot be turned into what it replaced'));
  }
}
