import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The addresses of a job in the order they were discovered: what its ledger is read by. */
export class LedgerIndex1732180000011 implements MigrationInterface {
  name = 'LedgerIndex1732180000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX pages_ledger');
  }
}

const UP = `
SET LOCAL statement_timeout = 0;
CREATE INDEX pages_ledger ON pages (job_id, seq);
`;
