import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tenants, keys, jobs, the crawl frontier, politeness per host, the outbox and the credit ledger.
 * Counters on `jobs` are guarded by CHECKs: a bug that would break "the sum of states is the number
 * discovered" or overshoot a limit fails its transaction instead of corrupting a job.
 */
export class Foundation1732180000001 implements MigrationInterface {
  name = 'Foundation1732180000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE credit_ledger, outbox, hosts, pages, job_hosts, job_reasons, jobs, api_keys, tenants',
    );
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
CREATE TABLE tenants (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  prefix text NOT NULL,
  secret_hash bytea NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE UNIQUE INDEX api_keys_prefix ON api_keys (prefix);

CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  type text NOT NULL,
  url text NOT NULL,
  status text NOT NULL,
  options jsonb NOT NULL,
  webhook_url text,
  page_limit integer NOT NULL CHECK (page_limit > 0),
  discovered integer NOT NULL DEFAULT 0,
  pending integer NOT NULL DEFAULT 0 CHECK (pending >= 0),
  leased integer NOT NULL DEFAULT 0 CHECK (leased >= 0),
  scraped integer NOT NULL DEFAULT 0 CHECK (scraped >= 0),
  failed integer NOT NULL DEFAULT 0 CHECK (failed >= 0),
  skipped integer NOT NULL DEFAULT 0 CHECK (skipped >= 0),
  cancelled integer NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
  discovery_capped boolean NOT NULL DEFAULT false,
  error text,
  result_key text,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  deadline_at timestamptz NOT NULL,
  dispatched_at timestamptz NOT NULL DEFAULT now(),
  rest_reason text,
  finish_lease_until timestamptz,
  finish_attempts smallint NOT NULL DEFAULT 0,
  CONSTRAINT jobs_sum CHECK (pending + leased + scraped + failed + skipped + cancelled = discovered),
  CONSTRAINT jobs_limit CHECK (scraped + leased <= page_limit)
) WITH (fillfactor = 50);
CREATE INDEX jobs_recent ON jobs (tenant_id, created_at DESC, id DESC);
CREATE INDEX jobs_runnable ON jobs (tenant_id) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_processing ON jobs (id) WHERE status = 'processing';
CREATE INDEX jobs_unsettled ON jobs (id) WHERE rest_reason IS NOT NULL;
CREATE INDEX jobs_deadline ON jobs (deadline_at) WHERE status IN ('queued', 'running');

CREATE TABLE job_reasons (
  job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  state text NOT NULL,
  reason text NOT NULL,
  pages integer NOT NULL,
  PRIMARY KEY (job_id, state, reason)
);

CREATE TABLE job_hosts (
  job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  host text NOT NULL,
  next_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job_id, host)
);

CREATE TABLE hosts (
  host text PRIMARY KEY,
  window_size real NOT NULL,
  in_flight integer NOT NULL DEFAULT 0 CHECK (in_flight >= 0),
  next_at timestamptz NOT NULL DEFAULT now(),
  crawl_delay_ms integer,
  typical_ms real,
  updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

CREATE TABLE pages (
  job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  url_key uuid NOT NULL,
  url text NOT NULL,
  host text NOT NULL,
  depth integer NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  state text NOT NULL,
  reason text,
  attempts smallint NOT NULL DEFAULT 0,
  epoch integer NOT NULL DEFAULT 0,
  fence integer NOT NULL DEFAULT 0,
  not_before timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  status_code smallint,
  rung text,
  result_no integer,
  segment_key text,
  segment_offset integer,
  segment_bytes integer,
  finished_at timestamptz,
  PRIMARY KEY (job_id, url_key)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX pages_due ON pages (job_id, host, seq) WHERE state = 'pending';
CREATE INDEX pages_leases ON pages (lease_until) WHERE state = 'leased';
CREATE UNIQUE INDEX pages_results ON pages (job_id, result_no) WHERE result_no IS NOT NULL;

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  queue text NOT NULL,
  messages jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0.01);

CREATE TABLE credit_ledger (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id),
  operation text NOT NULL,
  reference uuid NOT NULL,
  item uuid NOT NULL,
  credits integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX credit_ledger_once ON credit_ledger (reference, item);
CREATE INDEX credit_ledger_tenant ON credit_ledger (tenant_id, created_at);
`;
