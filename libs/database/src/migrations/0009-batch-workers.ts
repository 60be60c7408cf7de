import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Pages of one job that may be in flight at a time; null: only tenant and hosts bound it. The check
 * makes a dispatcher that would go beyond fail instead. A nullable column without a default, and a
 * check of new rows alone, scan nothing.
 */
export class BatchWorkers1732180000009 implements MigrationInterface {
  name = 'BatchWorkers1732180000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN workers');
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
ALTER TABLE jobs
  ADD COLUMN workers integer,
  ADD CONSTRAINT jobs_workers CHECK (workers > 0 AND leased <= workers) NOT VALID;
`;
