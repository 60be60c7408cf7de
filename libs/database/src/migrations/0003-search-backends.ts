import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Circuit breakers of search backends: a row for each that failed since it last worked. */
export class SearchBackends1732180000003 implements MigrationInterface {
  name = 'SearchBackends1732180000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE search_backends (
        source text PRIMARY KEY,
        failures integer NOT NULL CHECK (failures > 0),
        -- Null: it is still tried.
        paused_until timestamptz
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE search_backends');
  }
}
