import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which charged rows a model made the JSON or summary of: its price does not say so, since some models are free. */
export class Extractions1732180000011 implements MigrationInterface {
  name = 'Extractions1732180000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE credit_ledger ADD COLUMN is_extraction boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credit_ledger DROP COLUMN is_extraction');
  }
}
