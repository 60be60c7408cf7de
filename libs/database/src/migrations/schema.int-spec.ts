import { openFreshDatabase } from '../../../../test/setup/open-fresh-database.js';
import { freshDatabase } from '../../../../test/setup/test-servers.js';
import { describeSchema } from '../../test/describe-schema.js';
import { Database } from '../database.js';

describe('the migrations', () => {
  it('make the schema that is written down beside them, and nothing when they run again', async () => {
    const empty = await freshDatabase();
    const database = new Database({
      url: empty.url,
      poolSize: 2,
      applicationName: 'spec',
      connectTimeoutMs: 60_000,
    });
    try {
      await database.connect();
      expect(await database.isMigrated()).toBe(false);
      expect(await database.migrate()).not.toEqual([]);
      expect(await database.isMigrated()).toBe(true);
      const schema = await describeSchema(database);
      // A migration that changes the schema changes this file: `npm test -- schema.int-spec -u`.
      expect(schema).toMatchSnapshot();
      expect(await database.migrate()).toEqual([]);
      expect(await describeSchema(database)).toBe(schema);
    } finally {
      await database.close();
      await empty.drop();
    }
  });

  it('of a newer version are no concern of this one, which runs on its schema during an upgrade', async () => {
    const { database, drop } = await openFreshDatabase();
    try {
      const text = `INSERT INTO schema_migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`;
      await database.query({ name: 'later_migration', text });
      expect(await database.isMigrated()).toBe(true);
      expect(await database.migrate()).toEqual([]);
    } finally {
      await drop();
    }
  });
});
