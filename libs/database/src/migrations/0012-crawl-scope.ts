import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A crawl whose start page redirects elsewhere goes on there. */
export class CrawlScope1732180000012 implements MigrationInterface {
  name = 'CrawlScope1732180000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs ADD COLUMN scope_url text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN scope_url');
  }
}
