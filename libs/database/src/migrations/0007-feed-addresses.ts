import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Signed addresses of a feed's files have a version: a higher one makes the former addresses void. */
export class FeedAddresses1732180000007 implements MigrationInterface {
  name = 'FeedAddresses1732180000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE feeds ADD COLUMN address_version integer NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE feeds DROP COLUMN address_version');
  }
}
