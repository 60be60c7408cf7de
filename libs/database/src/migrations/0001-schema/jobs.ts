/**
 * Jobs with their counters and hosts, messages not yet handed to the broker, keys that seal tasks, and requests to
 * delete a tenant's data. CHECKs guard the counters: a bug that would break "the sum of the states is the number
 * discovered" or exceed a limit fails its transaction instead of corrupting a job.
 */
export const JOBS = `
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
  -- Pages of this job in flight at a time; null: only tenant and hosts limit it.
  workers integer,
  -- From then on readers find no results.
  expired_at timestamptz,
  -- When its blobs and rows are next deleted; null once nothing of them is left.
  purge_due_at timestamptz,
  -- When it stopped requesting pages.
  closed_at timestamptz,
  -- Reserved when it was created; null: its pages are spent straight from the source.
  credits_held integer CHECK (credits_held > 0),
  CONSTRAINT jobs_sum CHECK (pending + leased + scraped + failed + skipped + cancelled = discovered),
  CONSTRAINT jobs_limit CHECK (scraped + leased <= page_limit),
  CONSTRAINT jobs_workers CHECK (workers > 0 AND leased <= workers)
) WITH (fillfactor = 50);
CREATE INDEX jobs_recent ON jobs (tenant_id, created_at DESC, id DESC);
CREATE INDEX jobs_runnable ON jobs (tenant_id) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_processing ON jobs (id) WHERE status = 'processing';
CREATE INDEX jobs_unsettled ON jobs (id) WHERE rest_reason IS NOT NULL;
CREATE INDEX jobs_deadline ON jobs (deadline_at) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_kept ON jobs (tenant_id, created_at) WHERE expired_at IS NULL;
CREATE INDEX jobs_ended ON jobs (completed_at) WHERE completed_at IS NOT NULL AND expired_at IS NULL;
CREATE INDEX jobs_purge ON jobs (purge_due_at) WHERE purge_due_at IS NOT NULL;
CREATE INDEX jobs_expired ON jobs (completed_at) WHERE expired_at IS NOT NULL AND purge_due_at IS NULL;

CREATE TABLE job_reasons (
  job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  state text NOT NULL,
  reason text NOT NULL,
  pages integer NOT NULL,
  PRIMARY KEY (job_id, state, reason)
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

CREATE TABLE job_hosts (
  job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  -- A host is deleted only when no job refers to it: a job whose host is missing would wait forever.
  host text NOT NULL REFERENCES hosts (host),
  next_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job_id, host)
);
CREATE INDEX job_hosts_host ON job_hosts (host);

-- How often a job has met a pattern that it follows a limited number of times: URLs with signs of a trap, sitemaps,
-- pages with the same canonical URL. URLs without such a sign have no row.
CREATE TABLE job_shapes (
  job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  shape text NOT NULL,
  seen integer NOT NULL,
  PRIMARY KEY (job_id, shape)
);

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  queue text NOT NULL,
  messages jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0.01);

-- Keys that tasks are sealed with before the broker has them. They are here because the API and the fetchers reach
-- this database and the broker does not; each is short-lived (see task-keys.ts).
CREATE TABLE task_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  secret bytea NOT NULL CHECK (octet_length(secret) = 32),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE data_deletions (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  requested_at timestamptz NOT NULL,
  due_at timestamptz,
  completed_at timestamptz,
  jobs bigint NOT NULL DEFAULT 0,
  pages bigint NOT NULL DEFAULT 0,
  blobs bigint NOT NULL DEFAULT 0,
  CONSTRAINT data_deletions_due CHECK ((completed_at IS NULL) = (due_at IS NOT NULL))
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX data_deletions_running ON data_deletions (tenant_id) WHERE completed_at IS NULL;
CREATE INDEX data_deletions_done ON data_deletions (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX data_deletions_due ON data_deletions (due_at) WHERE completed_at IS NULL;
`;
