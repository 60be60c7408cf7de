import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a tenant requested, for its account page. Not the truth of anything: see libs/requests. */
export class RequestLog1732180000013 implements MigrationInterface {
  name = 'RequestLog1732180000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE request_log (
        -- Grows with time: pages of the list follow it.
        id uuid PRIMARY KEY,
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        at timestamptz NOT NULL,
        request_id text NOT NULL,
        -- Without a reference: a key that is gone leaves its requests.
        key_id uuid,
        -- Of a form of the playground.
        run_id uuid,
        method text NOT NULL,
        path text NOT NULL,
        status smallint NOT NULL,
        credits integer,
        ms integer NOT NULL
      );
      CREATE INDEX request_log_tenant ON request_log (tenant_id, id DESC);
      CREATE INDEX request_log_runs ON request_log (tenant_id, id DESC) WHERE run_id IS NOT NULL;
      CREATE INDEX request_log_at ON request_log (at);
      ALTER TABLE request_log ENABLE ROW LEVEL SECURITY;
      CREATE POLICY tenant_rows ON request_log USING (tenant_id = (SELECT current_setting('trawl.tenant')::uuid));`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE request_log');
  }
}
