import type { MigrationInterface, QueryRunner } from 'typeorm';

const ofFeed = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON ${table} USING (
  (SELECT f.tenant_id FROM feeds f WHERE f.id = ${table}.feed_id) = (SELECT current_setting('trawl.tenant')::uuid));`;

/**
 * Feeds. A run is of one tick: `feed_runs_tick` makes a second run of it the same one, and the fence of the feed makes the
 * writes of a lost worker void. Rows, their charge and their delivery are written by one statement.
 */
const FEEDS = `
CREATE TABLE feeds (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  connector_id text NOT NULL,
  params jsonb NOT NULL,
  schedule text NOT NULL,
  time_zone text NOT NULL,
  webhook_url text,
  first_run text NOT NULL CONSTRAINT feeds_first_run CHECK (first_run IN ('silent', 'full')),
  delivers_changed boolean NOT NULL,
  max_rows integer NOT NULL CHECK (max_rows > 0),
  state text NOT NULL DEFAULT 'active' CONSTRAINT feeds_state CHECK (state IN ('active', 'paused')),
  paused_reason text,
  failures integer NOT NULL DEFAULT 0,
  -- Whether a run was complete: only before that, a silent first run notes rows without delivering them.
  has_baseline boolean NOT NULL DEFAULT false,
  row_count integer NOT NULL DEFAULT 0,
  next_at timestamptz,
  -- A run that the tenant requested.
  requested_at timestamptz,
  -- The run that is open, and its tick.
  run_id uuid,
  run_tick timestamptz,
  due_at timestamptz GENERATED ALWAYS AS (LEAST(run_tick, next_at, requested_at)) STORED,
  fence integer NOT NULL DEFAULT 0,
  lease_until timestamptz,
  last_run_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT feeds_open_run CHECK ((run_id IS NULL) = (run_tick IS NULL)),
  CONSTRAINT feeds_paused CHECK (state = 'active' OR next_at IS NULL)
) WITH (fillfactor = 70);
CREATE INDEX feeds_tenant ON feeds (tenant_id, created_at DESC, id DESC);
CREATE INDEX feeds_due ON feeds (due_at) WHERE due_at IS NOT NULL;
ALTER TABLE feeds ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON feeds USING (tenant_id = (SELECT current_setting('trawl.tenant')::uuid));

CREATE TABLE feed_runs (
  id uuid PRIMARY KEY,
  feed_id uuid NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
  tick timestamptz NOT NULL,
  is_manual boolean NOT NULL,
  is_silent boolean NOT NULL,
  status text NOT NULL DEFAULT 'running' CONSTRAINT feed_runs_status CHECK (status IN ('running', 'completed', 'failed')),
  row_limit integer NOT NULL,
  new_rows integer NOT NULL DEFAULT 0,
  changed_rows integer NOT NULL DEFAULT 0,
  known_rows integer NOT NULL DEFAULT 0,
  credits integer NOT NULL DEFAULT 0,
  price_credits integer NOT NULL CHECK (price_credits >= 0),
  price_rows integer NOT NULL CHECK (price_rows > 0),
  is_reserved boolean NOT NULL,
  attempts integer NOT NULL DEFAULT 1,
  error text,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  CONSTRAINT feed_runs_tick UNIQUE (feed_id, tick),
  CONSTRAINT feed_runs_rows CHECK (new_rows + changed_rows + known_rows <= row_limit)
) WITH (fillfactor = 70);

CREATE TABLE feed_rows (
  feed_id uuid NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
  -- Hash of what makes a row the same one.
  key bytea NOT NULL,
  -- json, not jsonb: fields keep their order.
  data json NOT NULL,
  -- Grows with each change that was delivered.
  version integer NOT NULL DEFAULT 1,
  -- The last run that had it.
  run_id uuid NOT NULL,
  seen_at timestamptz NOT NULL,
  -- Null: noted by a silent first run.
  delivered_at timestamptz,
  PRIMARY KEY (feed_id, key)
) WITH (fillfactor = 70);
CREATE INDEX feed_rows_delivered ON feed_rows (feed_id, delivered_at DESC) WHERE delivered_at IS NOT NULL;

-- Events as they are sent. An id is that of the delivery.
CREATE TABLE feed_events (
  id uuid PRIMARY KEY,
  feed_id uuid NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
  run_id uuid NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX feed_events_feed ON feed_events (feed_id);
CREATE INDEX feed_events_created ON feed_events (created_at);
${['feed_runs', 'feed_rows', 'feed_events'].map(ofFeed).join('')}
`;

/** A delivery is of a job or of a feed. */
const DELIVERIES = `
ALTER TABLE webhook_deliveries ALTER COLUMN job_id DROP NOT NULL;
ALTER TABLE webhook_deliveries ADD COLUMN feed_event_id uuid
  CONSTRAINT webhook_deliveries_feed_event REFERENCES feed_events (id) ON DELETE CASCADE;
CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (feed_event_id)
  WHERE feed_event_id IS NOT NULL;
`;

export class Feeds1732180000006 implements MigrationInterface {
  name = 'Feeds1732180000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FEEDS);
    await runner.query(DELIVERIES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM webhook_deliveries WHERE job_id IS NULL;
      ALTER TABLE webhook_deliveries DROP COLUMN feed_event_id;
      ALTER TABLE webhook_deliveries ALTER COLUMN job_id SET NOT NULL;
      DROP TABLE feed_events; DROP TABLE feed_rows; DROP TABLE feed_runs; DROP TABLE feeds`);
  }
}
