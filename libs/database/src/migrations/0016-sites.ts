import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sites that are crawled again and again. */
export class Sites1732180000016 implements MigrationInterface {
  name = 'Sites1732180000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sites (
        tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL,
        -- The body of POST /v1/crawl.
        request json NOT NULL,
        schedule text,
        time_zone text NOT NULL,
        next_at timestamptz,
        lease_until timestamptz,
        -- Of the crawl that is being started: another process starts no second one.
        starting_job uuid,
        last_job uuid,
        -- The last one that was completed.
        base_job uuid,
        -- Why the last crawl was not started.
        problem text,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant_id, name)
      );
      CREATE INDEX sites_due ON sites (next_at) WHERE next_at IS NOT NULL;
      CREATE INDEX jobs_site ON jobs (tenant_id, (options ->> 'site'), created_at) WHERE options ->> 'site' IS NOT NULL;
      ALTER TABLE sites ENABLE ROW LEVEL SECURITY;
      CREATE POLICY tenant_rows ON sites USING (tenant_id = (SELECT current_setting('trawl.tenant')::uuid));`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX jobs_site; DROP TABLE sites');
  }
}
