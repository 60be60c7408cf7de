import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Schemas that a tenant has built in its account page, by name. */
export class SavedSchemas1732180000015 implements MigrationInterface {
  name = 'SavedSchemas1732180000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
    await runner.query('DROP TABLE saved_schemas');
  }
}
