import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is remembered between fetches: the rung that works for a host, cached pages, and what of a
 * daily quota is used up. A tenant's rows go with the tenant; of its cached pages the blobs below
 * `tenants/<tenant>/cache/` remain to be deleted with those of its other prefixes.
 */
export class FetchMemory1732180000002 implements MigrationInterface {
  name = 'FetchMemory1732180000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE daily_quotas, page_cache_waste, page_cache_usage, page_cache, host_rungs',
    );
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
CREATE TABLE host_rungs (
  host text PRIMARY KEY,
  rung text NOT NULL,
  error_class text NOT NULL,
  learned_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  probe_after timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX host_rungs_expiry ON host_rungs (expires_at);

CREATE TABLE page_cache (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  variant bytea NOT NULL CHECK (length(variant) = 32),
  url text NOT NULL,
  blob_key text NOT NULL,
  bytes integer NOT NULL CHECK (bytes > 0),
  etag text,
  last_modified text,
  stored_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, variant)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX page_cache_lru ON page_cache (tenant_id, used_at);
CREATE INDEX page_cache_expiry ON page_cache (expires_at);

CREATE TABLE page_cache_usage (
  tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0)
) WITH (fillfactor = 50);

CREATE TABLE page_cache_waste (
  blob_key text PRIMARY KEY,
  due_at timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX page_cache_waste_due ON page_cache_waste (due_at);

CREATE TABLE daily_quotas (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  operation text NOT NULL,
  day date NOT NULL,
  used integer NOT NULL CHECK (used >= 0),
  PRIMARY KEY (tenant_id, operation, day)
) WITH (fillfactor = 50);
CREATE INDEX daily_quotas_day ON daily_quotas (day);
`;
