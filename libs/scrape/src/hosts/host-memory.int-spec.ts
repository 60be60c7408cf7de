import { Database, type Statement } from '@app/database';
import { until } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { HostMemory, type HostMemoryOptions } from './host-memory.js';

const pageOf = (host: string, path = '/app/1'): URL => new URL(path, `http://${host}`);
const PAGE = pageOf('shell.example:8080');
/** The result of `recall` for a page whose shape was learned. */
const OWN = { shape: '/app/0' };

/** Names of the statements that ran, in order; `before` and `after` may delay or fail one. */
class WatchedDatabase extends Database {
  ran: string[] = [];
  before: (name: string) => Promise<void> = async () => undefined;
  after: (name: string) => Promise<void> = async () => undefined;

  override async query<R extends Record<string, unknown>>(
    statement: Statement,
    values?: readonly unknown[],
  ): Promise<R[]> {
    this.ran.push(statement.name);
    await this.before(statement.name);
    const rows = await super.query<R>(statement, values);
    await this.after(statement.name);
    return rows;
  }
}

describe('HostMemory', () => {
  let fresh: FreshDatabase<WatchedDatabase>;
  let database: WatchedDatabase;
  let problems: string[];
  let nowMs: number;

  beforeAll(async () => {
    fresh = await openFreshDatabase(WatchedDatabase);
    ({ database } = fresh);
  });
  afterAll(async () => {
    await fresh.drop();
  });
  beforeEach(async () => {
    database.before = async () => undefined;
    database.after = async () => undefined;
    await database.query({ name: 'reset', text: 'TRUNCATE host_rungs' });
    database.ran = [];
    problems = [];
    nowMs = 1_000_000;
  });

  const memoryOf = (over: Partial<HostMemoryOptions> = {}): HostMemory =>
    new HostMemory({
      database,
      onProblem: (what) => void problems.push(what),
      now: () => nowMs,
      // On a busy machine, too; how long a page waits has a test of its own.
      maxWaitMs: 60_000,
      ...over,
    });
  const rungInSql = async (): Promise<string | undefined> => {
    const [row] = await database.query<{ rung: string }>({
      name: 'peek',
      text: 'SELECT rung FROM host_rungs',
    });
    return row?.rung;
  };
  const probeIsDue = () =>
    database.query({ name: 'due', text: `UPDATE host_rungs SET probe_after = now()` });

  it('shares a finding with another process', async () => {
    await memoryOf().learn(PAGE, 'headless', 'js_shell');
    const recalled = await memoryOf().recall(PAGE);
    expect(recalled).toEqual({
      shape: '/app/0',
      rung: 'headless',
      errorClass: 'js_shell',
      ageMs: expect.any(Number),
      isProbe: false,
    });
    expect(recalled?.ageMs).toBeLessThan(60_000);
    expect(await memoryOf().recall(pageOf('other.example'))).toBeNull();
  });

  it('does not query the database for each page, neither of a known host nor of an unknown one', async () => {
    await memoryOf().learn(PAGE, 'headless', 'js_shell');
    const memory = memoryOf();
    database.ran = [];
    for (let n = 0; n < 50; n++) {
      await memory.recall(PAGE);
      await memory.recall(pageOf('unknown.example'));
    }
    expect(database.ran).toEqual(['recall_host', 'recall_host']);
    nowMs += 5_000;
    await memory.recall(PAGE);
    await memory.recall(PAGE);
    expect(database.ran).toHaveLength(3);
  });

  it('sends one query for pages that begin at the same time', async () => {
    const memory = memoryOf();
    await Promise.all(Array.from({ length: 20 }, () => memory.recall(PAGE)));
    expect(database.ran).toEqual(['recall_host']);
  });

  it('uses its own results at once, and lets them age', async () => {
    const memory = memoryOf();
    expect(await memory.recall(PAGE)).toBeNull();
    const learning = memory.learn(PAGE, 'headless', 'js_shell');
    nowMs += 1_200;
    expect(await memory.recall(PAGE)).toMatchObject({ rung: 'headless', ageMs: 1_200 });
    await learning;
    const forgetting = memory.forget(PAGE, OWN);
    expect(await memory.recall(PAGE)).toBeNull();
    await forgetting;
    expect(await rungInSql()).toBeUndefined();
  });

  it('is not overwritten by a read that began before its finding', async () => {
    const memory = memoryOf();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isRead = false;
    database.after = async (name) => {
      if (name !== 'recall_host') return;
      isRead = true;
      await held;
    };
    await memoryOf().learn(PAGE, 'hosted_browser', 'js_shell');
    const recalling = memory.recall(PAGE);
    await until(() => isRead);
    await memory.learn(PAGE, 'headless', 'js_shell');
    release();
    expect(await recalling).toMatchObject({ rung: 'headless' });
    expect(await memory.recall(PAGE)).toMatchObject({ rung: 'headless' });
  });

  it('makes few writes of many pages that learn the same at once', async () => {
    const memory = memoryOf();
    await Promise.all(Array.from({ length: 30 }, () => memory.learn(PAGE, 'headless', 'js_shell')));
    for (let n = 0; n < 10; n++) await memory.learn(PAGE, 'headless', 'js_shell');
    expect(database.ran).toEqual(['learn_host']);
  });

  it('writes the last result that arrives during a write, and none in between', async () => {
    const memory = memoryOf();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    database.before = () => held;
    const work = [
      memory.learn(PAGE, 'headless', 'js_shell'),
      memory.forget(PAGE, OWN),
      memory.learn(PAGE, 'hosted_crawler', 'js_shell'),
      memory.learn(PAGE, 'hosted_browser', 'js_shell'),
    ];
    release();
    await Promise.all(work);
    expect(database.ran).toEqual(['learn_host', 'learn_host']);
    expect(await rungInSql()).toBe('hosted_browser');
  });

  it('lets one page probe, while the others use the memory', async () => {
    await memoryOf().learn(PAGE, 'headless', 'js_shell');
    await probeIsDue();
    const memories = [memoryOf(), memoryOf()];
    const recalls = await Promise.all(
      memories.flatMap((memory) => Array.from({ length: 10 }, () => memory.recall(PAGE))),
    );
    expect(recalls.map((recall) => recall?.rung)).toEqual(recalls.map(() => 'headless'));
    expect(recalls.filter((recall) => recall?.isProbe)).toHaveLength(1);
  });

  it('holds a bounded number of hosts and shapes, those used last', async () => {
    const memory = memoryOf({ maxEntries: 6 });
    for (const host of ['a', 'b', 'c']) await memory.learn(pageOf(host), 'headless', 'js_shell');
    await memory.recall(pageOf('a'));
    await memory.learn(pageOf('d'), 'headless', 'js_shell');
    database.ran = [];
    for (const host of ['a', 'c', 'd']) await memory.recall(pageOf(host));
    expect(database.ran).toEqual([]);
    await memory.recall(pageOf('b'));
    expect(database.ran).toEqual(['recall_host']);
  });

  it('keeps its memory while the database fails, and queries seldom', async () => {
    const memory = memoryOf();
    await memory.learn(PAGE, 'headless', 'js_shell');
    nowMs += 6_000;
    database.ran = [];
    database.before = () => Promise.reject(new Error('down'));
    for (let n = 0; n < 5; n++) {
      expect(await memory.recall(PAGE)).toMatchObject({ rung: 'headless', isProbe: false });
      expect(await memory.recall(pageOf('unknown.example'))).toBeNull();
    }
    expect(database.ran).toHaveLength(2);
    await memory.learn(pageOf('new.example'), 'headless', 'js_shell');
    await memory.forget(PAGE, OWN);
    expect(await memory.recall(pageOf('new.example'))).toMatchObject({ rung: 'headless' });
    expect(problems).toEqual(['recall', 'recall', 'learn', 'forget']);
  });

  it('waits a bounded time for a database that hangs', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    database.before = () => held;
    const memory = memoryOf({ maxWaitMs: 20 });
    expect(await memory.recall(PAGE)).toBeNull();
    await memory.learn(PAGE, 'headless', 'js_shell');
    expect(problems).toEqual(['recall', 'learn']);
    release();
    await until(async () => (await rungInSql()) === 'headless');
  });

  it('writes the newest even when the write before it failed', async () => {
    const memory = memoryOf();
    let tries = 0;
    database.before = () => (++tries === 1 ? Promise.reject(new Error('down')) : Promise.resolve());
    await Promise.all([
      memory.learn(PAGE, 'headless', 'js_shell'),
      memory.learn(PAGE, 'hosted_browser', 'js_shell'),
    ]);
    await until(async () => (await rungInSql()) === 'hosted_browser');
    expect(problems).toEqual(['learn']);
  });

  const begins = (memory: HostMemory, ...paths: string[]) =>
    Promise.all(
      paths.map(async (path) => (await memory.recall(new URL(path, PAGE)))?.rung ?? 'cheap'),
    );
  const learnShells = async (memory: HostMemory, ...paths: string[]): Promise<void> => {
    for (const path of paths) await memory.learn(new URL(path, PAGE), 'headless', 'js_shell');
  };

  it('remembers by path shape: other pages of the host begin with cheap rungs', async () => {
    const memory = memoryOf();
    await learnShells(memory, '/app/1');
    for (const one of [memory, memoryOf()])
      expect(await begins(one, '/app/2', '/app/', '/', '/docs/1', '/app/1.html')).toEqual([
        'headless',
        'cheap',
        'cheap',
        'cheap',
        'cheap',
      ]);
  });

  it('applies a bot wall to the whole host', async () => {
    await memoryOf().learn(PAGE, 'hosted_browser', 'blocked');
    const memory = memoryOf();
    await memory.recall(PAGE);
    await learnShells(memory, '/app/1');
    expect(await begins(memory, '/app/2', '/docs')).toEqual(['hosted_browser', 'hosted_browser']);
    await memory.forget(PAGE, { shape: '' });
    expect(await begins(memory, '/app/2', '/docs')).toEqual(['headless', 'cheap']);
  });

  it('lets three shapes that need a browser decide for the others, until a page was cheap', async () => {
    const memory = memoryOf();
    await learnShells(memory, '/a', '/b');
    expect(await begins(memory, '/d')).toEqual(['cheap']);
    await learnShells(memory, '/c');
    for (const one of [memory, memoryOf()])
      expect(await begins(one, '/d', '/e')).toEqual(['headless', 'headless']);
    const [page] = [new URL('/d', PAGE)];
    const recalled = await memory.recall(page);
    expect(recalled?.shape).toBe('*');
    await memory.forget(page, { shape: '*' });
    await memory.confirmCheap(page, 'plain');
    nowMs += 60_000;
    await learnShells(memory, '/a');
    for (const one of [memory, memoryOf()])
      expect(await begins(one, '/a', '/d', '/e')).toEqual(['headless', 'cheap', 'cheap']);
  });

  it('does not let walls and cheap pages decide for others', async () => {
    const memory = memoryOf();
    await learnShells(memory, '/a', '/b');
    await memory.confirmCheap(new URL('/plain', PAGE), 'plain');
    await learnShells(memory, '/c', '/d');
    expect(await begins(memory, '/e')).toEqual(['cheap']);
  });

  it('does not let shapes decide for others where rendering a page added nothing', async () => {
    const memory = memoryOf();
    await memory.learn(new URL('/plain', PAGE), 'plain', 'js_shell');
    await learnShells(memory, '/a', '/b', '/c');
    expect(await begins(memory, '/e')).toEqual(['cheap']);
    expect(await memory.recall(new URL('/plain', PAGE))).toMatchObject({
      ...{ rung: 'plain', errorClass: 'js_shell' },
    });
  });

  it('writes no row of a cheap page where none is needed, and one of all of them', async () => {
    const memory = memoryOf();
    const cheap = async (path: string) => memory.confirmCheap(new URL(path, PAGE), 'plain');
    await memory.recall(PAGE);
    database.ran = [];
    await cheap('/one');
    expect(database.ran).toEqual([]);
    await learnShells(memory, '/app/1');
    for (const path of ['/one', '/two', '/three']) await cheap(path);
    expect(database.ran).toEqual(['learn_host', 'learn_host']);
  });

  it('probes each shape by itself', async () => {
    await learnShells(memoryOf(), '/a', '/b');
    await probeIsDue();
    const memory = memoryOf();
    const probes = async (path: string) => (await memory.recall(new URL(path, PAGE)))?.isProbe;
    expect([await probes('/a'), await probes('/a'), await probes('/b')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await probes('/other')).toBeUndefined();
  });
});
