import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the account page shows of feeds, keeps of forms, and saves of schemas. */
export class Studio1732180000014 implements MigrationInterface {
  name = 'Studio1732180000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The newest events of a feed: ids grow with time.
      CREATE INDEX feed_events_newest ON feed_events (feed_id, id DESC);
      DROP INDEX feed_events_feed;
      -- Of the playground: what was filled in, without secrets.
      ALTER TABLE request_log ADD COLUMN form json;
      CREATE TABLE saved_schemas (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        name text NOT NULL,
        -- json, not jsonb: fields keep their order.
        schema json NOT NULL,
        saved_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, name)
      );
      ALTER TABLE saved_schemas ENABLE ROW LEVEL SECURITY;
      CREATE POLICY tenant_rows ON saved_schemas USING (tenant_id = (SELECT current_setting('trawl.tenant')::uuid));`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE saved_schemas;
      ALTER TABLE request_log DROP COLUMN form;
      CREATE INDEX feed_events_feed ON feed_events (feed_id);
      DROP INDEX feed_events_newest`);
  }
}
