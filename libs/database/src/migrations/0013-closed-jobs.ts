import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a job stopped asking for pages: the time at which all that still waited ended. A nullable
 * column without a default scans nothing; jobs closed before have none.
 */
export class ClosedJobs1732180000013 implements MigrationInterface {
  name = 'ClosedJobs1732180000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs ADD COLUMN closed_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN closed_at');
  }
}
