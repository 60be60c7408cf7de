import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest events of a feed are read in their order: ids grow with time. */
export class FeedEventOrder1732180000014 implements MigrationInterface {
  name = 'FeedEventOrder1732180000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX feed_events_newest ON feed_events (feed_id, id DESC);
      DROP INDEX feed_events_feed`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX feed_events_feed ON feed_events (feed_id);
      DROP INDEX feed_events_newest`);
  }
}
