import type { MigrationInterface, QueryRunner } from 'typeorm';

const ofTenant = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON ${table} USING (tenant_id = (SELECT current_setting('trawl.tenant')::uuid));`;

/**
 * Pulls: a preview, and the job that it becomes when it is pulled. Rows are written with their charge in one transaction,
 * guarded by the fence; `pull_rows_once` makes a row that a second try yields again count once.
 */
const PULLS = `
CREATE TABLE pulls (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  connector_id text NOT NULL,
  params jsonb NOT NULL,
  status text NOT NULL
    CONSTRAINT pulls_status CHECK (status IN ('previewed', 'queued', 'running', 'completed', 'failed', 'cancelled')),
  -- Of the preview; null: it could not tell.
  estimated_rows integer,
  row_limit integer NOT NULL CHECK (row_limit > 0),
  row_count integer NOT NULL DEFAULT 0,
  credits integer NOT NULL DEFAULT 0,
  -- So many credits for each begun group of so many rows; 0: its rows are free.
  price_credits integer NOT NULL CHECK (price_credits >= 0),
  price_rows integer NOT NULL CHECK (price_rows > 0),
  is_reserved boolean NOT NULL DEFAULT false,
  -- The request that pulled it: a second one with the same id gets the same pull.
  pulled_by uuid,
  error text,
  -- What the rows cost the operator.
  cost_micro_usd bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  fence integer NOT NULL DEFAULT 0,
  lease_until timestamptz,
  not_before timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  pulled_at timestamptz,
  completed_at timestamptz,
  -- A preview can be pulled until then; the rows of a pull are kept until then.
  expires_at timestamptz NOT NULL,
  CONSTRAINT pulls_rows CHECK (row_count BETWEEN 0 AND row_limit)
) WITH (fillfactor = 70);
CREATE INDEX pulls_tenant ON pulls (tenant_id, created_at DESC, id DESC);
CREATE INDEX pulls_open ON pulls (not_before) WHERE status IN ('queued', 'running');
CREATE INDEX pulls_expiry ON pulls (expires_at);

CREATE TABLE pull_rows (
  pull_id uuid NOT NULL REFERENCES pulls (id) ON DELETE CASCADE,
  -- From 1, without gaps.
  position integer NOT NULL,
  -- Hash of what makes a row the same one.
  key bytea NOT NULL,
  -- json, not jsonb: fields keep their order.
  data json NOT NULL,
  PRIMARY KEY (pull_id, position),
  CONSTRAINT pull_rows_once UNIQUE (pull_id, key)
);
ALTER TABLE pull_rows ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON pull_rows USING (
  (SELECT p.tenant_id FROM pulls p WHERE p.id = pull_rows.pull_id) = (SELECT current_setting('trawl.tenant')::uuid));
`;

/** What a conversation is about now: never its messages. */
const CONVERSATIONS = `
CREATE TABLE conversations (
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  connector_id text NOT NULL,
  params jsonb NOT NULL,
  turns integer NOT NULL DEFAULT 1,
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX conversations_tenant ON conversations (tenant_id, expires_at);
CREATE INDEX conversations_expiry ON conversations (expires_at);
`;

/** Scrapers, previews, pulls and conversations. */
export class Connectors1732180000005 implements MigrationInterface {
  name = 'Connectors1732180000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE tenants ADD COLUMN has_live_maps boolean NOT NULL DEFAULT false',
    );
    await runner.query([PULLS, ofTenant('pulls')].join(''));
    await runner.query([CONVERSATIONS, ofTenant('conversations')].join(''));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE conversations; DROP TABLE pull_rows; DROP TABLE pulls');
    await runner.query('ALTER TABLE tenants DROP COLUMN has_live_maps');
  }
}
