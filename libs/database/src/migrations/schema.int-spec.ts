import { freshDatabase } from '../../../../test/setup/test-servers.js';
import { describeSchema } from '../../test/describe-schema.js';
import { Store } from '../database.js';

describe('the migrations', () => {
  it('make the schema that is written down beside them, and nothing when they run again', async () => {
    const database = await freshDatabase();
    const store = new Store({ url: database.url, poolSize: 2, applicationName: 'spec' });
    try {
      await store.connect();
      expect(await store.isMigrated()).toBe(false);
      expect(await store.migrate()).not.toEqual([]);
      expect(await store.isMigrated()).toBe(true);
      const schema = await describeSchema(store);
      // A migration that changes the schema changes this file: `npm test -- schema.int-spec -u`.
      expect(schema).toMatchSnapshot();
      expect(await store.migrate()).toEqual([]);
      expect(await describeSchema(store)).toBe(schema);
    } finally {
      await store.close();
      await database.drop();
    }
  });
});
