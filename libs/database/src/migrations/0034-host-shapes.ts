import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is remembered of a host is remembered per shape of path. Knowledge of whole hosts that was no bot wall is
 * deleted: it is learned again, by shape.
 */
export class HostShapes1732180000034 implements MigrationInterface {
  name = 'HostShapes1732180000034';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL statement_timeout = 0;
      DELETE FROM host_rungs WHERE error_class <> 'blocked';
      ALTER TABLE host_rungs ADD COLUMN shape text NOT NULL DEFAULT '',
        ALTER COLUMN error_class DROP NOT NULL,
        DROP CONSTRAINT host_rungs_pkey, ADD PRIMARY KEY (host, shape)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM host_rungs WHERE shape <> '';
      ALTER TABLE host_rungs DROP CONSTRAINT host_rungs_pkey, ADD PRIMARY KEY (host),
        ALTER COLUMN error_class SET NOT NULL, DROP COLUMN shape`);
  }
}
