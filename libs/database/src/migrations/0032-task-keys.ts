import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys that tasks are sealed with before the broker has them. They are here because the API and the fetchers
 * reach this database and the broker does not; each is short-lived (see task-keys.ts).
 */
export class TaskKeys1732180000032 implements MigrationInterface {
  name = 'TaskKeys1732180000032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE task_keys');
  }
}

const UP = `
CREATE TABLE task_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  secret bytea NOT NULL CHECK (octet_length(secret) = 32),
  created_at timestamptz NOT NULL DEFAULT now()
);
`;
