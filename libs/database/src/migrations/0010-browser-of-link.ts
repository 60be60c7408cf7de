import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A link to sign in works in the browser that asked for it. */
export class BrowserOfLink1732180000010 implements MigrationInterface {
  name = 'BrowserOfLink1732180000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE sign_in_links ADD COLUMN browser_hash bytea CHECK (length(browser_hash) = 32)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_in_links DROP COLUMN browser_hash');
  }
}
