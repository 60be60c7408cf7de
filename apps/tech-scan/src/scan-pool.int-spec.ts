import { setTimeout as pause } from 'node:timers/promises';
import { Deadline } from '@app/contracts';
import { until } from '@app/testing';
import { isFullRun } from '../../../test/setup/full-run.js';
import {
  ENDLESS,
  ENDLESS_HEADERS,
  HARMLESS_HTML,
  openScanPool,
  PLAIN,
  SCAN_THREAD,
  written,
} from '../test/scan-fixture.js';
import type { ScanEnding, ScanPool, ScanPoolOptions } from './scan-pool.js';

const NEVER = new AbortController().signal;

/** Of a page that does not hang. At a short hard limit, a busy machine may end it all the same. */
const patiently = (scan: () => Promise<ScanEnding>): Promise<ScanEnding> =>
  until(async () => {
    const ending = await scan();
    return ending.kind !== 'terminated' && ending;
  });

describe('the scan threads', () => {
  let pool: ScanPool;
  const problems: unknown[] = [];
  const open = (over: Partial<ScanPoolOptions> = {}): ScanPool => {
    pool = openScanPool({ onProblem: (error) => problems.push(error), ...over });
    return pool;
  };
  beforeEach(() => (problems.length = 0));
  afterEach(() => pool.close());

  const scan = (html: string, ms = 60_000, signal: AbortSignal = NEVER): Promise<ScanEnding> =>
    pool.run(written({ html }), Deadline.after(ms), signal);

  it("return the scanner's results and its time", async () => {
    open();
    expect(await scan('page')).toEqual({
      kind: 'scanned',
      outcome: { technologies: [], reasons: [], scannedBytes: 4 },
      durationMs: expect.any(Number),
    });
  });

  it.each([
    ['never ends', 'hang', { kind: 'terminated' }],
    ['ends its thread', 'exit', { kind: 'failed', cause: 'crash' }],
    ['throws', 'throw', { kind: 'failed', cause: 'crash' }],
    ['exceeds its memory limit', 'memory', { kind: 'failed', cause: 'memory' }],
  ])('survive a page that %s: the next is scanned', async (_how, html, ending) => {
    open({ hardMs: html === 'hang' ? 1_000 : 60_000, maxHeapMb: 32 });
    expect(await scan(html)).toMatchObject(ending);
    expect(await patiently(() => scan('page'))).toMatchObject({ kind: 'scanned' });
    expect(problems).toEqual([]);
  });

  it('end a page no earlier than the hard limit, counted from when a thread took it', async () => {
    open({ hardMs: 500 });
    const ending = await scan('hang');
    if (ending.kind !== 'terminated') throw new Error(ending.kind);
    // A timer may fire a millisecond early.
    expect(ending.durationMs).toBeGreaterThanOrEqual(499);
  });

  it('leave other pages alone when one is ended', async () => {
    open({ threads: 2, hardMs: 2_000 });
    await Promise.all([scan('a'), scan('b')]);
    const hung = scan('hang');
    const others: ScanEnding[] = [];
    for (let n = 0; n < 20; n++) others.push(await patiently(() => scan(`page ${n}`)));
    expect(new Set(others.map(({ kind }) => kind))).toEqual(new Set(['scanned']));
    expect(await hung).toMatchObject({ kind: 'terminated' });
  });

  it('are whole again once the lost one is replaced, without a page to start it for', async () => {
    open({ threads: 2, hardMs: 1_000 });
    await Promise.all([scan('a'), scan('b')]);
    expect(await scan('hang')).toMatchObject({ kind: 'terminated' });
    await pool.whole();
    // After ten seconds it waits no longer.
    await until(() => (pool as unknown as { readonly ready: number }).ready === 2);
    const endings = await Promise.all(['c', 'd'].map((html) => patiently(() => scan(html))));
    expect(endings.map(({ kind }) => kind)).toEqual(['scanned', 'scanned']);
  });

  it('report a page as late if no thread took it before its deadline', async () => {
    open();
    await scan('page');
    const caller = new AbortController();
    const hung = scan('hang', 60_000, caller.signal);
    expect(await scan('page', 30)).toEqual({ kind: 'late' });
    caller.abort();
    await expect(hung).rejects.toThrow();
  });

  it('end a scan when its caller aborts', async () => {
    open();
    await scan('page');
    const caller = new AbortController();
    const hung = scan('hang', 60_000, caller.signal);
    await pause(20);
    caller.abort(new Error('given back'));
    await expect(hung).rejects.toThrow('given back');
    expect(await scan('page')).toMatchObject({ kind: 'scanned' });
  });

  it('end when they are closed, even during a scan', async () => {
    open();
    await scan('page');
    const hung = scan('hang');
    await pool.close();
    expect(await hung).toMatchObject({ kind: 'failed', cause: 'crash' });
  });

  it('report why none of them starts', async () => {
    open({ module: new URL('../test/no-such-thread.mjs', import.meta.url) });
    expect(await scan('page')).toMatchObject({
      kind: 'failed',
      problem: expect.stringContaining('no-such-thread'),
    });
    expect(await scan('page', 1_500)).toEqual({ kind: 'late' });
    await until(() => problems.length > 0);
    expect(String(problems[0])).toContain('no-such-thread');
    await pool.whole();
  });

  it('keep their number and heap size however many are lost', async () => {
    open({ threads: 2, hardMs: 50 });
    const one = () => scan('hang').then(() => pool.whole());
    for (let n = 0; n < (isFullRun ? 10 : 3); n++) await one();
    const before = process.memoryUsage().rss;
    for (let n = 0; n < (isFullRun ? 40 : 5); n++) await one();
    expect(await patiently(() => scan('page'))).toMatchObject({ kind: 'scanned' });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('warming up', () => {
  it('ends when every thread has compiled its fingerprints', async () => {
    const compiled: number[] = [];
    const pool = openScanPool({
      module: SCAN_THREAD,
      threads: 2,
      onCompiled: ({ technologies }) => compiled.push(technologies),
    });
    const warm = pool.warm();
    expect(pool.isWarm).toBe(false);
    await warm;
    expect([pool.isWarm, compiled]).toEqual([true, [2]]);
    await pool.close();
  });

  it('ends when the threads are closed', async () => {
    const pool = openScanPool();
    const warm = pool.warm();
    await pool.close();
    await warm;
    expect(pool.isWarm).toBe(false);
  });
});

describe('the scan threads with the scanner', () => {
  let pool: ScanPool;
  afterEach(() => pool.close());
  const scan = (over: Parameters<typeof written>[0], ms = 60_000): Promise<ScanEnding> =>
    pool.run(written(over), Deadline.after(ms), NEVER);

  const PLAIN_FOUND = {
    kind: 'scanned',
    outcome: {
      technologies: [{ name: 'Plainpress', category: 'CMS', confidence: 1, version: '1.2' }],
      reasons: [],
      scannedBytes: HARMLESS_HTML.length,
    },
  };

  it('report once on the compiled fingerprints', async () => {
    const reports: unknown[] = [];
    const broken = { name: 'Broken', category: 'CMS', html: '(' };
    pool = openScanPool({
      module: SCAN_THREAD,
      threads: 2,
      fingerprints: [PLAIN, ENDLESS, broken],
      onCompiled: (report) => reports.push(report),
    });
    await Promise.all([scan({}), scan({}), pool.warm()]); // its notes arrive separately
    expect(reports).toEqual([
      {
        technologies: 3,
        backtracking: 1,
        problems: 1,
        shown: [expect.stringMatching(/^Broken: html/)],
      },
    ]);
  });

  it('match fingerprints, and end a pattern that backtracks endlessly', async () => {
    pool = openScanPool({ module: SCAN_THREAD, hardMs: 1_500 });
    expect(await patiently(() => scan({}))).toMatchObject(PLAIN_FOUND);
    expect(await scan({ headers: ENDLESS_HEADERS })).toMatchObject({ kind: 'terminated' });
    expect(await patiently(() => scan({}))).toMatchObject(PLAIN_FOUND);
  });

  it('do not blame the page for a heap too small for the fingerprints', async () => {
    const pages = Array.from({ length: 20_000 }, (_, n) => `page ${n} of those `.repeat(20));
    pool = openScanPool({
      module: SCAN_THREAD,
      maxHeapMb: 48,
      fingerprints: pages.map((html, n) => ({ name: `${n}`, category: 'CMS', html })),
      onProblem: () => undefined,
    });
    expect(await scan({}, 100_000)).toMatchObject({ kind: 'failed', cause: 'crash' });
  });

  it('report a failure for invalid stored input, and stay usable', async () => {
    pool = openScanPool({ module: SCAN_THREAD });
    const bad = [Uint8Array.of(1, 2, 3), written({ html: 7 as unknown as string })];
    for (const body of bad) {
      expect(await pool.run(body, Deadline.after(60_000), NEVER)).toMatchObject({
        kind: 'failed',
        cause: 'error',
      });
    }
    expect(await scan({})).toMatchObject(PLAIN_FOUND);
  });

  it('stop at the budget and report it', async () => {
    pool = openScanPool({ module: SCAN_THREAD, budgetMs: 0 });
    const ending = await scan({});
    expect(ending).toMatchObject({ kind: 'scanned', outcome: { reasons: ['time_budget'] } });
  });
});
