import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the ledger of a job tells about each address: its kind, where it was found, how long it took,
 * its place among the addresses of a batch, and the hash by which equal content is known. Constant
 * defaults rewrite nothing.
 */
export class PageLedger1732180000004 implements MigrationInterface {
  name = 'PageLedger1732180000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX pages_content;
      ALTER TABLE pages DROP COLUMN kind, DROP COLUMN parent_key, DROP COLUMN latency_ms,
        DROP COLUMN position, DROP COLUMN content_hash`);
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
ALTER TABLE pages
  ADD COLUMN kind text NOT NULL DEFAULT 'page',
  ADD COLUMN parent_key uuid,
  ADD COLUMN latency_ms integer,
  ADD COLUMN position integer,
  ADD COLUMN content_hash uuid;
CREATE INDEX pages_content ON pages (job_id, content_hash) WHERE content_hash IS NOT NULL;
`;
