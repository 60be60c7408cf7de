import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import {
  forgetHost,
  learnHost,
  MAX_HOST_SHAPES,
  OTHER_SHAPES,
  PROBE_EVERY_MS,
  recallHost,
  sweepHostRungs,
  takeHostProbe,
  WHOLE_HOST,
} from './host-rows.js';
import { Database } from '@app/database';

const HOST = 'shell.example';
const LEARNT = {
  host: HOST,
  shape: '/app',
  rung: 'headless',
  errorClass: 'js_shell',
  ttlMs: 3_600_000,
} as const;

describe('the memory of hosts in SQL', () => {
  let fresh: FreshDatabase;
  let database: Database;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(async () => {
    await fresh.drop();
  });
  beforeEach(() => database.query({ name: 'reset', text: 'TRUNCATE host_rungs' }));

  /** Makes the rows of a host older. */
  const age = (ms: number) =>
    database.query(
      {
        name: 'age',
        text: `UPDATE host_rungs SET learned_at = learned_at - $1::int * interval '1 millisecond',
               expires_at = expires_at - $1::int * interval '1 millisecond',
               probe_after = probe_after - $1::int * interval '1 millisecond'`,
      },
      [ms],
    );

  it('returns the stored rung, and its age', async () => {
    expect(await recallHost(database, HOST)).toEqual([]);
    await learnHost(database, LEARNT);
    await age(60_000);
    const [found] = await recallHost(database, HOST);
    expect(found).toMatchObject({ rung: 'headless', errorClass: 'js_shell', isProbeDue: false });
    expect(found?.ageMs).toBeGreaterThanOrEqual(60_000);
    expect(found?.ageMs).toBeLessThan(120_000);
    expect(found?.learnedAt.getTime()).toBeLessThan(Date.now() - 30_000);
    expect(await recallHost(database, 'other.example')).toEqual([]);
  });

  it('believes the last one to learn, from then on', async () => {
    await learnHost(database, LEARNT);
    await age(PROBE_EVERY_MS);
    await learnHost(database, { ...LEARNT, rung: 'hosted_browser', errorClass: 'blocked' });
    const [found] = await recallHost(database, HOST);
    expect(found).toMatchObject({
      rung: 'hosted_browser',
      errorClass: 'blocked',
      isProbeDue: false,
    });
    expect(found?.ageMs).toBeLessThan(60_000);
  });

  it('deletes a row on demand, and when it expired', async () => {
    await learnHost(database, LEARNT);
    await forgetHost(database, HOST, LEARNT.shape);
    expect(await recallHost(database, HOST)).toEqual([]);
    await learnHost(database, LEARNT);
    await age(LEARNT.ttlMs);
    expect(await recallHost(database, HOST)).toEqual([]);
  });

  it('lets exactly one of many callers probe a shape, once per interval', async () => {
    const probes = async (): Promise<number> => {
      const taken = await Promise.all(
        Array.from({ length: 30 }, () => takeHostProbe(database, HOST, LEARNT.shape)),
      );
      return taken.filter(Boolean).length;
    };
    const isDue = async () =>
      (await recallHost(database, HOST)).map(({ isProbeDue }) => isProbeDue);
    await learnHost(database, LEARNT);
    expect([await isDue(), await probes()]).toEqual([[false], 0]);
    await age(PROBE_EVERY_MS);
    expect([await isDue(), await probes()]).toEqual([[true], 1]);
    expect([await isDue(), await probes()]).toEqual([[false], 0]);
    await age(PROBE_EVERY_MS);
    expect(await probes()).toBe(1);
    expect(await takeHostProbe(database, HOST, '/other')).toBe(false);
  });

  it('stores rows by shape', async () => {
    await learnHost(database, LEARNT);
    await learnHost(database, { ...LEARNT, shape: '/docs', rung: 'plain', errorClass: null });
    const known = async () =>
      (await recallHost(database, HOST)).map(({ shape, errorClass }) => [shape, errorClass]).sort();
    expect(await known()).toEqual([
      ['/app', 'js_shell'],
      ['/docs', null],
    ]);
    await forgetHost(database, HOST, '/app');
    expect(await known()).toEqual([['/docs', null]]);
  });

  it('keeps a bounded number of shapes of a host, those that were confirmed last', async () => {
    const of = (n: number) => ({ ...LEARNT, shape: `/${n}` });
    for (const shape of [WHOLE_HOST, OTHER_SHAPES]) await learnHost(database, { ...LEARNT, shape });
    for (let n = 0; n < MAX_HOST_SHAPES; n++) await learnHost(database, of(n));
    await learnHost(database, of(0));
    expect(await recallHost(database, HOST)).toHaveLength(MAX_HOST_SHAPES + 2);
    for (let n = 0; n < 3; n++) await learnHost(database, of(MAX_HOST_SHAPES + n));
    const shapes = new Set((await recallHost(database, HOST)).map(({ shape }) => shape));
    expect(shapes.size).toBe(MAX_HOST_SHAPES + 2);
    for (const kept of ['/0', '/4', `/${MAX_HOST_SHAPES + 2}`, WHOLE_HOST, OTHER_SHAPES])
      expect(shapes).toContain(kept);
    for (const gone of ['/1', '/2', '/3']) expect(shapes).not.toContain(gone);
  });

  it('deletes expired rows of hosts, some at a time', async () => {
    for (let n = 0; n < 5; n++) await learnHost(database, { ...LEARNT, host: `${n}.example` });
    await age(LEARNT.ttlMs);
    await learnHost(database, LEARNT);
    expect(await sweepHostRungs(database, 3)).toBe(3);
    expect(await sweepHostRungs(database, 3)).toBe(2);
    expect(await sweepHostRungs(database, 3)).toBe(0);
    expect(await recallHost(database, HOST)).toHaveLength(1);
  });
});
