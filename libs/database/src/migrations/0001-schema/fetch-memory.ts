/**
 * What is remembered between fetches: the rung that works for a host, per shape of path; cached pages; and the part of
 * a daily quota that is used. Rows of a tenant are deleted with it, but not the blobs of its cached pages: those below
 * `tenants/<tenant>/cache/` are deleted together with its other prefixes.
 */
export const FETCH_MEMORY = `
CREATE TABLE host_rungs (
  host text NOT NULL,
  rung text NOT NULL,
  error_class text,
  learned_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  probe_after timestamptz NOT NULL,
  -- Of the path; empty: the whole host.
  shape text NOT NULL DEFAULT '',
  PRIMARY KEY (host, shape)
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

-- Blobs to be deleted.
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
