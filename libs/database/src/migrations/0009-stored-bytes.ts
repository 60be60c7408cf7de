import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a job stores is counted as it grows: its addresses bound what it may discover, both together what a tenant
 * may store.
 */
export class StoredBytes1732180000009 implements MigrationInterface {
  name = 'StoredBytes1732180000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE jobs ADD COLUMN link_bytes bigint NOT NULL DEFAULT 0,
                       ADD COLUMN result_bytes bigint NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN link_bytes, DROP COLUMN result_bytes');
  }
}
