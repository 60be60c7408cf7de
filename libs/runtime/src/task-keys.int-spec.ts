import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import type { Database } from '@app/database';
import { sweepTaskKeys, TASK_KEY_LIFE_MS, TASK_KEY_SEALS_MS, TaskKeys } from './task-keys.js';

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  ({ database } = fresh);
});
afterAll(() => fresh?.drop());
afterEach(() => database.query({ name: 'clear_task_keys', text: 'DELETE FROM task_keys' }));

/** Makes every key older. */
const age = (ms: number): Promise<unknown> =>
  database.query(
    {
      name: 'age_task_keys',
      text: `UPDATE task_keys SET created_at = created_at - $1::float8 * interval '1 millisecond'`,
    },
    [ms],
  );

const count = async (): Promise<number> => {
  const text = 'SELECT count(*)::int AS n FROM task_keys';
  return (await database.query<{ n: number }>({ name: 'count_task_keys', text }))[0]?.n ?? -1;
};

describe('the keys that tasks are sealed with', () => {
  it('are 32 bytes, created once, and found by the process that decrypts', async () => {
    const api = new TaskKeys(database);
    const [key, same] = await Promise.all([api.current(), api.current()]);
    expect(key).toBe(same);
    expect(key.secret).toHaveLength(32);
    expect(await new TaskKeys(database).current()).toMatchObject({
      id: key.id,
      secret: key.secret,
    });
    expect(await new TaskKeys(database).find(key.id)).toEqual({ id: key.id, secret: key.secret });
    expect(await count()).toBe(1);
  });

  it.each(['', '0', 'x', '99999999999999999999999', `1' OR '1'='1`])(
    'have none by the name %j',
    async (id) => {
      await new TaskKeys(database).current();
      expect(await new TaskKeys(database).find(id)).toBeNull();
    },
  );

  it('change after their time, by the clock of the process and of the database', async () => {
    let nowMs = 0;
    const keys = new TaskKeys(database, { now: () => nowMs });
    const first = await keys.current();
    await age(TASK_KEY_SEALS_MS);
    nowMs = TASK_KEY_SEALS_MS - 60_000;
    expect((await keys.current()).id).toBe(first.id);
    nowMs = TASK_KEY_SEALS_MS;
    const second = await keys.current();
    expect(second.id).not.toBe(first.id);
    expect((await keys.find(first.id))?.id).toBe(first.id);
  });

  it('are renewed at their age, whichever process made them', async () => {
    const { id } = await new TaskKeys(database).current();
    await age(TASK_KEY_SEALS_MS - 60_000);
    let nowMs = 0;
    const late = new TaskKeys(database, { now: () => nowMs });
    expect((await late.current()).id).toBe(id);
    await age(60_000);
    nowMs = 60_000;
    expect((await late.current()).id).not.toBe(id);
  });

  it('are deleted when they expire, and decrypt nothing from then on', async () => {
    const { id } = await new TaskKeys(database).current();
    const madeAt = Date.now();
    expect(await sweepTaskKeys(database, new Date(madeAt + TASK_KEY_LIFE_MS - 60_000))).toBe(0);
    expect(await sweepTaskKeys(database, new Date(madeAt + TASK_KEY_LIFE_MS + 60_000))).toBe(1);
    const again = await new TaskKeys(database).current();
    await age(TASK_KEY_LIFE_MS);
    expect(await new TaskKeys(database).find(again.id)).toBeNull();
    expect(await new TaskKeys(database).find(id)).toBeNull();
  });

  it('are read again after an outage of the database', async () => {
    let isAway = true;
    const flaky = {
      query: (...args: Parameters<Database['query']>) =>
        isAway ? Promise.reject(new Error('away')) : database.query(...args),
    } as Pick<Database, 'query'>;
    const keys = new TaskKeys(flaky);
    await expect(keys.current()).rejects.toThrow('away');
    isAway = false;
    expect((await keys.current()).secret).toHaveLength(32);
  });
});
