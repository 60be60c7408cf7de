import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often a job has met a pattern of which it takes a bounded number: addresses that show signs of a
 * trap, sitemaps, pages that name one canonical address. Addresses without a sign leave no row here.
 */
export class JobShapes1732180000008 implements MigrationInterface {
  name = 'JobShapes1732180000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE job_shapes');
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
CREATE TABLE job_shapes (
  job_id uuid NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  shape text NOT NULL,
  seen integer NOT NULL,
  PRIMARY KEY (job_id, shape)
);
`;
