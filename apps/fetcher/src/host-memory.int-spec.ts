import { Store, type Statement } from '@app/store';
import { until } from '@app/testing';
import { freshStore, type FreshStore } from '../../../test/setup/fresh-store.js';
import { HostMemory, type HostMemoryOptions } from './host-memory.js';

const HOST = 'shell.example:8080';

/** Names of the statements that ran, in order; `before` and `after` may hold one up or fail it. */
class WatchedStore extends Store {
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
  let fresh: FreshStore<WatchedStore>;
  let store: WatchedStore;
  let problems: string[];
  let nowMs: number;

  beforeAll(async () => {
    fresh = await freshStore(WatchedStore);
    ({ store } = fresh);
  });
  afterAll(async () => {
    await fresh.drop();
  });
  beforeEach(async () => {
    store.before = async () => undefined;
    store.after = async () => undefined;
    await store.query({ name: 'reset', text: 'TRUNCATE host_rungs' });
    store.ran = [];
    problems = [];
    nowMs = 1_000_000;
  });

  const memoryOf = (over: Partial<HostMemoryOptions> = {}): HostMemory =>
    new HostMemory({
      store,
      onProblem: (what) => void problems.push(what),
      now: () => nowMs,
      ...over,
    });
  const rungInSql = async (): Promise<string | undefined> => {
    const [row] = await store.query<{ rung: string }>({
      name: 'peek',
      text: 'SELECT rung FROM host_rungs',
    });
    return row?.rung;
  };
  const probeIsDue = () =>
    store.query({ name: 'due', text: `UPDATE host_rungs SET probe_after = now()` });

  it('tells another process what one has learnt', async () => {
    await memoryOf().learn(HOST, 'headless', 'js_shell');
    const recalled = await memoryOf().recall(HOST);
    expect(recalled).toEqual({
      rung: 'headless',
      errorClass: 'js_shell',
      ageMs: expect.any(Number),
      isProbe: false,
    });
    expect(recalled?.ageMs).toBeLessThan(10_000);
    expect(await memoryOf().recall('other.example')).toBeNull();
  });

  it('does not ask the database for each page, neither of a known host nor of an unknown one', async () => {
    await memoryOf().learn(HOST, 'headless', 'js_shell');
    const memory = memoryOf();
    store.ran = [];
    for (let n = 0; n < 50; n++) {
      await memory.recall(HOST);
      await memory.recall('unknown.example');
    }
    expect(store.ran).toEqual(['recall_host', 'recall_host']);
    nowMs += 5_000;
    await memory.recall(HOST);
    await memory.recall(HOST);
    expect(store.ran).toHaveLength(3);
  });

  it('asks once for pages that begin at the same time', async () => {
    const memory = memoryOf();
    await Promise.all(Array.from({ length: 20 }, () => memory.recall(HOST)));
    expect(store.ran).toEqual(['recall_host']);
  });

  it('knows at once what it learns itself, and lets it age', async () => {
    const memory = memoryOf();
    expect(await memory.recall(HOST)).toBeNull();
    const learning = memory.learn(HOST, 'headless', 'js_shell');
    nowMs += 1_200;
    expect(await memory.recall(HOST)).toMatchObject({ rung: 'headless', ageMs: 1_200 });
    await learning;
    const forgetting = memory.forget(HOST);
    expect(await memory.recall(HOST)).toBeNull();
    await forgetting;
    expect(await rungInSql()).toBeUndefined();
  });

  it('is not told an old story by a read that began before it learnt', async () => {
    const memory = memoryOf();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isRead = false;
    store.after = async (name) => {
      if (name !== 'recall_host') return;
      isRead = true;
      await held;
    };
    await memoryOf().learn(HOST, 'hosted_browser', 'blocked');
    const recalling = memory.recall(HOST);
    await until(() => isRead, { timeoutMs: 2_000 });
    await memory.learn(HOST, 'headless', 'js_shell');
    release();
    expect(await recalling).toMatchObject({ rung: 'headless' });
    expect(await memory.recall(HOST)).toMatchObject({ rung: 'headless' });
  });

  it('makes few writes of many pages that learn the same at once', async () => {
    const memory = memoryOf();
    await Promise.all(Array.from({ length: 30 }, () => memory.learn(HOST, 'headless', 'js_shell')));
    for (let n = 0; n < 10; n++) await memory.learn(HOST, 'headless', 'js_shell');
    expect(store.ran).toEqual(['learn_host']);
  });

  it('writes the last of what comes during a write, and nothing in between', async () => {
    const memory = memoryOf();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    store.before = () => held;
    const work = [
      memory.learn(HOST, 'headless', 'js_shell'),
      memory.forget(HOST),
      memory.learn(HOST, 'hosted_crawler', 'blocked'),
      memory.learn(HOST, 'hosted_browser', 'blocked'),
    ];
    release();
    await Promise.all(work);
    expect(store.ran).toEqual(['learn_host', 'learn_host']);
    expect(await rungInSql()).toBe('hosted_browser');
  });

  it('lets one page probe, and the others go on with what is known', async () => {
    await memoryOf().learn(HOST, 'headless', 'js_shell');
    await probeIsDue();
    const memories = [memoryOf(), memoryOf()];
    const recalls = await Promise.all(
      memories.flatMap((memory) => Array.from({ length: 10 }, () => memory.recall(HOST))),
    );
    expect(recalls.map((recall) => recall?.rung)).toEqual(recalls.map(() => 'headless'));
    expect(recalls.filter((recall) => recall?.isProbe)).toHaveLength(1);
  });

  it('holds a bounded number of hosts, those used last', async () => {
    const memory = memoryOf({ maxHosts: 3 });
    for (const host of ['a', 'b', 'c']) await memory.learn(host, 'headless', 'js_shell');
    await memory.recall('a');
    await memory.learn('d', 'headless', 'js_shell');
    store.ran = [];
    for (const host of ['a', 'c', 'd']) await memory.recall(host);
    expect(store.ran).toEqual([]);
    await memory.recall('b');
    expect(store.ran).toEqual(['recall_host']);
  });

  it('knows nothing while the database fails, asks seldom, and keeps what it knew', async () => {
    const memory = memoryOf();
    await memory.learn(HOST, 'headless', 'js_shell');
    nowMs += 6_000;
    store.ran = [];
    store.before = () => Promise.reject(new Error('down'));
    for (let n = 0; n < 5; n++) {
      expect(await memory.recall(HOST)).toMatchObject({ rung: 'headless', isProbe: false });
      expect(await memory.recall('unknown.example')).toBeNull();
    }
    expect(store.ran).toHaveLength(2);
    await memory.learn('new.example', 'headless', 'js_shell');
    await memory.forget(HOST);
    expect(await memory.recall('new.example')).toMatchObject({ rung: 'headless' });
    expect(problems).toEqual(['recall', 'recall', 'learn', 'forget']);
  });

  it('waits a bounded time for a database that hangs', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    store.before = () => held;
    const memory = memoryOf({ patienceMs: 20 });
    expect(await memory.recall(HOST)).toBeNull();
    await memory.learn(HOST, 'headless', 'js_shell');
    expect(problems).toEqual(['recall', 'learn']);
    release();
    await until(async () => (await rungInSql()) === 'headless', { timeoutMs: 2_000 });
  });

  it('writes the newest even when the write before it failed', async () => {
    const memory = memoryOf();
    let tries = 0;
    store.before = () => (++tries === 1 ? Promise.reject(new Error('down')) : Promise.resolve());
    await Promise.all([
      memory.learn(HOST, 'headless', 'js_shell'),
      memory.learn(HOST, 'hosted_browser', 'blocked'),
    ]);
    await until(async () => (await rungInSql()) === 'hosted_browser', { timeoutMs: 2_000 });
    expect(problems).toEqual(['learn']);
  });
});
