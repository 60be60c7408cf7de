/**
 * Request limits: the requests of the last minute, and the calls being answered. The tables are unlogged, because
 * their content matters for a minute: a crash of the database empties them, and no request waits for a disk. Only
 * keys are indexed, so that the updates of a busy tenant stay within their pages.
 *
 * Idempotency keys: the request that is being worked on, or its answer. A row without `lease_until` is answered. Blobs
 * of large answers are listed in `page_cache_waste` before they are written, due when their key expires.
 */
export const LIMITS = `
-- Request number n of a window is in slot n modulo ring (a power of two): from tail, the first that may still
-- count, up to head, the number of the next one. A ring grows when it is full, whatever the limit: a plan that
-- changes changes nothing here.
CREATE UNLOGGED TABLE rate_windows (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL,
  head bigint NOT NULL DEFAULT 0,
  tail bigint NOT NULL DEFAULT 0,
  ring integer NOT NULL DEFAULT 16,
  -- Of the last request that was admitted.
  last_at timestamptz NOT NULL DEFAULT '-infinity',
  CONSTRAINT rate_windows_one UNIQUE (tenant_id, kind),
  CONSTRAINT rate_windows_fits CHECK (tail <= head AND head - tail <= ring)
) WITH (fillfactor = 50);

CREATE UNLOGGED TABLE rate_slots (
  window_id bigint NOT NULL REFERENCES rate_windows (id) ON DELETE CASCADE,
  slot integer NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (window_id, slot)
) WITH (fillfactor = 70);

-- A slot is taken until "until" by the call it names. Free slots are used again, so there are as many rows as the
-- most calls that were ever answered at once.
CREATE UNLOGGED TABLE call_slots (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  slot integer NOT NULL CHECK (slot >= 0),
  call_id uuid NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, slot)
) WITH (fillfactor = 50);

CREATE TABLE idempotency_keys (
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  id uuid NOT NULL,
  fingerprint bytea CHECK (length(fingerprint) = 32),
  owner uuid,
  lease_until timestamptz,
  status smallint,
  headers jsonb,
  body bytea,
  blob_key text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key),
  CONSTRAINT idempotency_keys_answer CHECK ((lease_until IS NULL) = (status IS NOT NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
`;
