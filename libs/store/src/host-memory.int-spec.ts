import { freshStore, type FreshStore } from '../../../test/setup/fresh-store.js';
import {
  forgetHost,
  learnHost,
  PROBE_EVERY_MS,
  recallHost,
  sweepHostRungs,
} from './host-memory.js';
import { Store } from './open-store.js';

const HOST = 'shell.example';
const LEARNT = { host: HOST, rung: 'headless', errorClass: 'js_shell', ttlMs: 3_600_000 } as const;

describe('the memory of hosts in SQL', () => {
  let fresh: FreshStore;
  let store: Store;

  beforeAll(async () => {
    fresh = await freshStore();
    ({ store } = fresh);
  });
  afterAll(async () => {
    await fresh.drop();
  });
  beforeEach(() => store.query({ name: 'reset', text: 'TRUNCATE host_rungs' }));

  /** Lets time pass for a host. */
  const age = (ms: number) =>
    store.query(
      {
        name: 'age',
        text: `UPDATE host_rungs SET learned_at = learned_at - $1::int * interval '1 millisecond',
               expires_at = expires_at - $1::int * interval '1 millisecond',
               probe_after = probe_after - $1::int * interval '1 millisecond'`,
      },
      [ms],
    );

  it('recalls what was learnt, and how long ago', async () => {
    expect(await recallHost(store, HOST)).toBeNull();
    await learnHost(store, LEARNT);
    await age(60_000);
    const found = await recallHost(store, HOST);
    expect(found).toMatchObject({ rung: 'headless', errorClass: 'js_shell', isProbe: false });
    expect(found?.ageMs).toBeGreaterThanOrEqual(60_000);
    expect(found?.ageMs).toBeLessThan(90_000);
    expect(found?.learnedAt.getTime()).toBeLessThan(Date.now() - 30_000);
    expect(await recallHost(store, 'other.example')).toBeNull();
  });

  it('believes the last one to learn, from then on', async () => {
    await learnHost(store, LEARNT);
    await age(PROBE_EVERY_MS);
    await learnHost(store, { ...LEARNT, rung: 'hosted_browser', errorClass: 'blocked' });
    const found = await recallHost(store, HOST);
    expect(found).toMatchObject({ rung: 'hosted_browser', errorClass: 'blocked', isProbe: false });
    expect(found?.ageMs).toBeLessThan(10_000);
  });

  it('forgets on demand, and when the time is over', async () => {
    await learnHost(store, LEARNT);
    await forgetHost(store, HOST);
    expect(await recallHost(store, HOST)).toBeNull();
    await learnHost(store, LEARNT);
    await age(LEARNT.ttlMs);
    expect(await recallHost(store, HOST)).toBeNull();
  });

  it('lets exactly one of many callers probe, once per interval', async () => {
    const probes = async (): Promise<number> => {
      const recalls = await Promise.all(Array.from({ length: 30 }, () => recallHost(store, HOST)));
      expect(recalls.every((recall) => recall?.rung === 'headless')).toBe(true);
      return recalls.filter((recall) => recall?.isProbe).length;
    };
    await learnHost(store, LEARNT);
    expect(await probes()).toBe(0);
    await age(PROBE_EVERY_MS);
    expect(await probes()).toBe(1);
    expect(await probes()).toBe(0);
    await age(PROBE_EVERY_MS);
    expect(await probes()).toBe(1);
  });

  it('sweeps hosts whose time is over, some at a time', async () => {
    for (let n = 0; n < 5; n++) await learnHost(store, { ...LEARNT, host: `${n}.example` });
    await age(LEARNT.ttlMs);
    await learnHost(store, LEARNT);
    expect(await sweepHostRungs(store, 3)).toBe(3);
    expect(await sweepHostRungs(store, 3)).toBe(2);
    expect(await sweepHostRungs(store, 3)).toBe(0);
    expect(await recallHost(store, HOST)).not.toBeNull();
  });
});

describe('the migration of the fetch memory', () => {
  it('can be taken back and run again', async () => {
    const fresh = await freshStore();
    const { store } = fresh;
    try {
      await store.query({
        name: 'undo',
        text: 'DROP TABLE daily_quotas, page_cache_waste, page_cache_usage, page_cache, host_rungs',
      });
      await store.query({
        name: 'unlist',
        text: `DELETE FROM schema_migrations WHERE name = 'FetchMemory1732180000002'`,
      });
      expect(await store.migrate()).toEqual(['FetchMemory1732180000002']);
      expect(await store.isMigrated()).toBe(true);
    } finally {
      await fresh.drop();
    }
  });
});
