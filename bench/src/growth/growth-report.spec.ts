import { parseGrowthOptions } from './growth-options.js';
import {
  ceilingOf,
  growthPerDoubling,
  growthTable,
  growthVerdict,
  hostVerdict,
  partsTable,
  storageLine,
  type GrowthRound,
} from './growth-report.js';
import { callsSince, countCalls } from './storage-calls.js';

function rounds(...speeds: readonly (readonly [fetchers: number, ...pagesPerSecond: number[]])[]) {
  return speeds.flatMap(([fetchers, ...each]) =>
    each.map((speed, at): GrowthRound => ({
      fetchers,
      round: at + 1,
      pages: speed * 10,
      seconds: 10,
      cpuMs: { api: speed * 10, fetcher: speed * 40 },
      calls: { put: speed, get: 0 },
      peakPssBytes: 1e9,
      peakOfOneHost: fetchers * 4,
      idleShare: 0.5,
    })),
  );
}

describe('growth with fetchers', () => {
  it('compares each round with its own neighbours, and takes the median', () => {
    const seen = rounds([1, 10, 20, 10], [2, 19, 38, 15]);
    expect(growthPerDoubling(seen, 1, 2)).toBeCloseTo(1.9);
  });

  it('is reported per doubling, however many lie between', () => {
    expect(growthPerDoubling(rounds([1, 10], [4, 36.1]), 1, 4)).toBeCloseTo(1.9);
  });

  it('has its ceiling where pages take nothing but their waiting', () => {
    expect(ceilingOf(2, { concurrency: 8, latencyMs: 200 })).toBe(80);
  });

  it('reports which step reached the bar', () => {
    expect(growthVerdict(rounds([1, 10], [2, 18], [4, 30]))).toBe(
      'at least 1.8 × per doubling: 1 → 2: 1.80 met, 2 → 4: 1.67 MISSED',
    );
  });

  it('is shown as a table', () => {
    const seen = rounds([1, 30, 32, 34], [2, 60, 64, 68]);
    const [, , one, two] = growthTable(seen, { concurrency: 8, latencyMs: 200 }).split('\n');
    expect(one).toBe('| 1 | 32.0 | 30.0–34.0 | – | 80 % | 5.0 | 50 % |');
    expect(two).toBe('| 2 | 64.0 | 60.0–68.0 | 2.00 | 80 % | 5.0 | 50 % |');
  });
});

describe('the parts of a cluster', () => {
  it('are shown with what a page takes of each, and how many a core of it carries', () => {
    expect(partsTable(rounds([1, 30], [2, 60])).split('\n')).toEqual([
      '| part | CPU ms/page, 1 fetchers | CPU ms/page, 2 fetchers | pages/s a core |',
      '| --- | --- | --- | --- |',
      '| api | 1.00 | 1.00 | 1000 |',
      '| fetcher | 4.00 | 4.00 | 250 |',
    ]);
  });
});

describe('calls to the object storage', () => {
  it('are counted over all processes, and shown for each page', () => {
    const name = 'trawl_blob_operation_duration_seconds_count';
    const before = countCalls([`${name}{operation="put",outcome="ok"} 3\n`]);
    const after = countCalls([
      `${name}{operation="put",outcome="ok"} 5\n${name}{operation="put",outcome="error"} 1\n`,
      `${name}{operation="get",outcome="ok"} 2\n`,
    ]);
    expect(callsSince(before, after)).toEqual({ put: 3, get: 2 });
    expect(storageLine(rounds([1, 30], [2, 60]))).toBe(
      'calls to the object storage a page, 2 fetchers: put 0.100, get 0.000',
    );
  });
});

describe('the limit of a host', () => {
  it.each([
    { allowed: 8, verdict: 'kept' },
    { allowed: 7, verdict: 'BROKEN' },
  ])('is $verdict at $allowed', ({ allowed, verdict }) => {
    expect(hostVerdict(rounds([1, 30], [2, 60, 50]), allowed)).toBe(
      `pages of one host at a time, at most ${allowed}: 4 with 1, 8 with 2: ${verdict}`,
    );
  });
});

describe('the flags of the growth suite', () => {
  it('have defaults', () => {
    expect(parseGrowthOptions(['--suite', 'growth'])).toEqual({
      rounds: 3,
      fetchers: [1, 2, 4],
      pages: 360,
      concurrency: 4,
      latencyMs: 200,
      hosts: 8,
      isThin: false,
      roundTimeoutMs: 600_000,
    });
  });

  it('name fetchers in any order', () => {
    expect(parseGrowthOptions(['--fetchers', '8,2,8']).fetchers).toEqual([2, 8]);
  });

  it.each([
    [['--fetchers', '1,two'], "not 'two'"],
    [['--hosts', '0'], '--hosts must be a whole number from 1'],
    [['--only', 'trawl'], '--only'],
  ])('refuses %j', (args, text) => {
    expect(() => parseGrowthOptions(args)).toThrow(text);
  });
});
