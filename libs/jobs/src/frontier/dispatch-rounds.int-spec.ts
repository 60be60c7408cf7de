import { FrontierFixture, HOST, linkTo } from '../../test/frontier-fixture.js';
import { Database, type Statement, type Row } from '@app/database';
import { createTenant } from '@app/accounts';
import type { DispatchedBatch } from './dispatch-pages.js';
import { DispatchRounds } from './dispatch-rounds.js';

/** Counts its statements outside of transactions. */
class CountingDatabase extends Database {
  readonly runs = new Map<string, number>();

  override query<R extends Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]> {
    this.runs.set(statement.name, (this.runs.get(statement.name) ?? 0) + 1);
    return super.query(statement, values);
  }
}

describe('rounds of a dispatcher', () => {
  let fixture: FrontierFixture<CountingDatabase>;
  let nowMs: number;
  let published: string[][];
  let rounds: DispatchRounds;

  beforeEach(async () => {
    fixture = await FrontierFixture.open(CountingDatabase);
    nowMs = 0;
    published = [];
    rounds = newRounds();
  });
  afterEach(() => fixture?.close());

  const newRounds = () =>
    new DispatchRounds(fixture.database, {
      leaseMs: 30_000,
      now: () => nowMs,
      publish: async (batches) => {
        published.push(batches.flatMap(jobsOf));
      },
    });
  const jobsOf = ({ messages }: DispatchedBatch): string[] =>
    (messages as { jobId: string }[]).map(({ jobId }) => jobId);
  const reads = () => fixture.database.runs.get('dispatch_candidates') ?? 0;

  /** Running jobs with `pages` pages each, all due. */
  async function jobs(count: number, pages: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const id = await fixture.start({ pageLimit: 100 });
      const links = Array.from({ length: pages }, (_, at) => linkTo(at + 1));
      await fixture.finish(await fixture.take(id), { links });
      ids.push(id);
    }
    return ids;
  }

  it('read the next jobs once for many rounds, and give every tenant a turn', async () => {
    const ids = await jobs(6, 4);
    fixture.database.runs.clear();
    const pages: number[] = [];
    for (let round = 0; round < 6; round++) pages.push((await rounds.round(4)).pages);
    expect(pages).toEqual([4, 4, 4, 4, 4, 4]);
    expect(reads()).toBe(1);
    expect(published.map((own) => new Set(own).size)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(published.flat().sort()).toEqual(ids.flatMap((id) => [id, id, id, id]).sort());
  });

  it.each([
    [100, [4, 4], 1],
    [101, [4, 4], 2],
  ])('read candidates older than 100 ms again: after %d ms', async (ms, expected, readings) => {
    await jobs(3, 4);
    fixture.database.runs.clear();
    const first = await rounds.round(4);
    nowMs += ms;
    const second = await rounds.round(4);
    expect([first.pages, second.pages]).toEqual(expected);
    expect(reads()).toBe(readings);
  });

  it('read again at once when every candidate had a turn, so that no new job waits', async () => {
    await jobs(2, 4);
    await rounds.round(64);
    const [late] = await jobs(1, 4);
    published = [];
    expect((await rounds.round(64)).pages).toBe(4);
    expect(published).toEqual([[late, late, late, late]]);
  });

  it('divide the room, and request another round while more pages are due', async () => {
    await jobs(2, 40);
    expect(await rounds.round(8)).toEqual({ pages: 8, waitMs: 0 });
    expect(published.map((own) => new Set(own).size)).toEqual([2]);
    expect((await rounds.round(64)).pages).toBe(64);
    expect(await rounds.round(64)).toEqual({ pages: 8, waitMs: null });
    expect(await rounds.round(64)).toMatchObject({ pages: 0 });
  });

  it('give a tenant of one job its turn beside one of many', async () => {
    await jobs(20, 4);
    const other = await createTenant(fixture.database, 'other', 'custom');
    const [small] = await jobs(1, 4);
    await fixture.database.query({
      name: 'spec_owner',
      text: `UPDATE jobs SET tenant_id = '${other.id}' WHERE id = '${small}'`,
    });
    published = [];
    await rounds.round(8);
    expect(published.flat().filter((id) => id === small)).toHaveLength(4);
  });

  it('give tenants more than a page each, in one round or the next, when there are many', async () => {
    const ids = await jobs(20, 4);
    for (const [n, id] of ids.entries()) {
      const { id: owner } = await createTenant(fixture.database, `tenant ${n}`, 'custom');
      await fixture.run(`UPDATE jobs SET tenant_id = '${owner}' WHERE id = '${id}'`);
    }
    published = [];
    expect((await rounds.round(64)).pages).toBe(64);
    const first = Map.groupBy(published.flat(), (id) => id);
    expect([...first.values()].map(({ length }) => length)).toEqual(Array(16).fill(4));
    await rounds.round(16);
    expect(new Set(published.flat())).toEqual(new Set(ids));
  });

  it('wake when a pause ends, and poll for pauses at most ten times a second', async () => {
    await jobs(1, 4);
    const pausedAtMs = performance.now();
    await fixture.run(`UPDATE hosts SET next_at = now() + interval '600 s' WHERE host = '${HOST}'`);
    fixture.database.runs.clear();
    const { pages, waitMs } = await rounds.round(8);
    const passedMs = performance.now() - pausedAtMs;
    expect(pages).toBe(0);
    expect(waitMs).toBeLessThanOrEqual(600_000);
    expect(waitMs).toBeGreaterThan(599_000 - passedMs);
    nowMs += 40;
    // A pause may have begun since: it is read again when the candidates are too old.
    expect(await rounds.round(8)).toEqual({ pages: 0, waitMs: 60 });
    nowMs += 60;
    expect((await rounds.round(8)).waitMs).toBeGreaterThan(5_000);
    expect(fixture.database.runs.get('dispatch_next_due')).toBe(2);
  });

  it('do not wait where no job runs', async () => {
    expect(await rounds.round(8)).toEqual({ pages: 0, waitMs: null });
  });
});
