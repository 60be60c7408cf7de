/**
 * Events of jobs and their deliveries: one delivery per job, its attempts, the signing secrets, and URLs that asked to
 * receive no more. A receiver is an origin of a tenant with pending deliveries; its row is the lease that makes
 * attempts to it run one after another. All of it is deleted with its tenant, and a delivery with its job.
 */
export const WEBHOOKS = `
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  url text NOT NULL,
  url_key bytea NOT NULL CHECK (length(url_key) = 32),
  receiver text NOT NULL GENERATED ALWAYS AS (left(coalesce(substring(url FROM '^[^:]+://[^/?#]+'), url), 512)) STORED,
  state text NOT NULL DEFAULT 'pending',
  round integer NOT NULL DEFAULT 0,
  step smallint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz,
  last_status smallint,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  CONSTRAINT webhook_deliveries_job UNIQUE (job_id),
  CONSTRAINT webhook_deliveries_due CHECK ((state = 'pending') = (next_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (tenant_id, receiver, next_at, id)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (tenant_id, id);
CREATE INDEX webhook_deliveries_state ON webhook_deliveries (tenant_id, state, id);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  no integer NOT NULL,
  at timestamptz NOT NULL,
  status smallint,
  ms integer,
  error text,
  answer text,
  PRIMARY KEY (delivery_id, no)
);

CREATE TABLE webhook_receivers (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  receiver text NOT NULL,
  next_at timestamptz NOT NULL,
  lease uuid,
  leased_until timestamptz,
  PRIMARY KEY (tenant_id, receiver)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX webhook_receivers_due ON webhook_receivers (next_at);

CREATE TABLE webhook_secrets (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  shown_at timestamptz,
  expires_at timestamptz
);
CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (tenant_id) WHERE expires_at IS NULL;
CREATE INDEX webhook_secrets_tenant ON webhook_secrets (tenant_id);

CREATE TABLE webhook_disabled (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  url_key bytea NOT NULL CHECK (length(url_key) = 32),
  url text NOT NULL,
  disabled_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, url_key)
);
`;
