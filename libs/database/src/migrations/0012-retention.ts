import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The end of what is kept. `expired_at`: the results of the job are gone for its readers;
 * `purge_due_at`: when its blobs and rows are next worked on, null once nothing of them is left.
 * Columns without defaults rewrite nothing.
 */
export class Retention1732180000012 implements MigrationInterface {
  name = 'Retention1732180000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE data_deletions;
      DROP INDEX webhook_deliveries_ended, jobs_expired, jobs_purge, jobs_ended, jobs_kept;
      ALTER TABLE jobs DROP COLUMN expired_at, DROP COLUMN purge_due_at`);
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
ALTER TABLE jobs
  ADD COLUMN expired_at timestamptz,
  ADD COLUMN purge_due_at timestamptz;
CREATE INDEX jobs_kept ON jobs (tenant_id, created_at) WHERE expired_at IS NULL;
CREATE INDEX jobs_ended ON jobs (completed_at) WHERE completed_at IS NOT NULL AND expired_at IS NULL;
CREATE INDEX jobs_purge ON jobs (purge_due_at) WHERE purge_due_at IS NOT NULL;
CREATE INDEX jobs_expired ON jobs (completed_at) WHERE expired_at IS NOT NULL AND purge_due_at IS NULL;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

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
