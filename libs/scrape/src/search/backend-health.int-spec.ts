import type { Database } from '@app/database';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { BackendHealth, BACKEND_PAUSE_MS, MAX_BACKEND_FAILURES } from './backend-health.js';

// A search waits half a second for the database at most, which a busy machine exceeds.
jest.mock('@app/runtime', () => ({
  ...jest.requireActual<object>('@app/runtime'),
  waitAtMost: (_ms: number, work: Promise<unknown>) => work,
}));

const SOURCE = 'html_provider_1';

describe('the health of search backends', () => {
  let fresh: FreshDatabase;
  let database: Database;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(() => run('DELETE FROM search_backends'));

  const run = (text: string): Promise<Record<string, unknown>[]> =>
    database.query({ name: `test ${text}`.slice(0, 60), text });
  const replica = (): BackendHealth =>
    new BackendHealth({
      database,
      onProblem: (error) => {
        throw error;
      },
    });
  const failTimes = async (times: number, health = replica()): Promise<void> => {
    for (let n = 0; n < times; n++) await health.failed(SOURCE, null);
  };
  const pauseMs = async (): Promise<number> => {
    const [row] = await run(
      `SELECT extract(epoch FROM paused_until - now()) * 1000 AS ms FROM search_backends`,
    );
    return Number(row?.['ms']);
  };
  const endPause = (): Promise<unknown> => run('UPDATE search_backends SET paused_until = now()');

  it('admits a backend that never failed, and writes nothing when it works', async () => {
    const health = replica();
    expect(await health.admit(SOURCE)).toEqual({ isOpen: true });
    await health.succeeded(SOURCE);
    expect(await run('SELECT FROM search_backends')).toEqual([]);
  });

  it('leaves a backend out after failures in a row, on all replicas', async () => {
    await failTimes(MAX_BACKEND_FAILURES - 1);
    expect((await replica().admit(SOURCE)).isOpen).toBe(true);
    await failTimes(1);
    expect(await replica().admit(SOURCE)).toEqual({
      isOpen: false,
      retryAfterMs: expect.any(Number),
    });
    expect((await replica().admit('serp_provider')).isOpen).toBe(true);
  });

  it('forgets failures when the backend works', async () => {
    const health = replica();
    await failTimes(MAX_BACKEND_FAILURES - 1, health);
    await health.succeeded(SOURCE);
    await failTimes(1);
    expect((await replica().admit(SOURCE)).isOpen).toBe(true);
  });

  it('forgets failures that another replica saw', async () => {
    await failTimes(MAX_BACKEND_FAILURES - 1);
    const health = replica();
    await health.admit(SOURCE);
    await health.succeeded(SOURCE);
    expect(await run('SELECT FROM search_backends')).toEqual([]);
  });

  it('lets one search of the cluster try again after the pause', async () => {
    await failTimes(MAX_BACKEND_FAILURES);
    await endPause();
    const admissions = await Promise.all(Array.from({ length: 8 }, () => replica().admit(SOURCE)));
    expect(admissions.filter(({ isOpen }) => isOpen)).toHaveLength(1);
  });

  it('doubles the pause with each failed try, up to ten minutes', async () => {
    await failTimes(MAX_BACKEND_FAILURES);
    const pauses = [await pauseMs()];
    for (let n = 0; n < 8; n++) {
      await endPause();
      await failTimes(1);
      pauses.push(await pauseMs());
    }
    const expected = pauses.map((_, at) => Math.min(600_000, BACKEND_PAUSE_MS * 2 ** at));
    pauses.forEach((pause, at) => {
      expect(pause).toBeGreaterThan((expected[at] ?? 0) * 0.55);
      expect(pause).toBeLessThanOrEqual(expected[at] ?? 0);
    });
  });

  it('respects the delay that a backend requests, bounded', async () => {
    await replica().failed(SOURCE, 90_000);
    expect(await pauseMs()).toBeGreaterThan(50_000);
    await replica().failed(SOURCE, 86_400_000);
    expect(await pauseMs()).toBeLessThanOrEqual(600_000);
  });

  it('tries every backend while the database is unavailable', async () => {
    const problems: unknown[] = [];
    const query = (): Promise<never> => Promise.reject(new Error('down'));
    const health = new BackendHealth({
      database: Object.assign(Object.create(database) as Database, { query }),
      onProblem: (error) => problems.push(error),
    });
    await health.failed(SOURCE, null);
    expect(await health.admit(SOURCE)).toEqual({ isOpen: true });
    await health.succeeded(SOURCE);
    expect(problems).toHaveLength(3);
  });
});
