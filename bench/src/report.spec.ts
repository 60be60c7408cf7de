import { median, reportTable } from './report.js';
import type { Round } from './round.js';

function makeRound(change: Partial<Round>): Round {
  return {
    contender: 'crawlee',
    round: 1,
    pagesPerSecond: 10,
    wholePagesPerSecond: 9,
    crawlMs: 1_000,
    cpuMsPerPage: 40,
    wholeCpuMsPerPage: 45,
    cpuMsPerPageByPart: { crawlee: 40 },
    peakRssMb: 400,
    peakPssMb: 300,
    completePages: 10,
    documents: 10,
    withBoilerplate: 10,
    markdownBytes: 1,
    duplicateRequests: 0,
    forbiddenRequests: 0,
    requestsPerPage: 1,
    p50Ms: null,
    p95Ms: null,
    fixtureCpuMsPerPage: 0.2,
    idleShare: 0.25,
    ...change,
  };
}

describe('the report', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
  ])('takes the median of %j', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('shows medians, ranges and ratios against crawlee', () => {
    const table = reportTable([
      makeRound({ pagesPerSecond: 10 }),
      makeRound({ pagesPerSecond: 20 }),
      makeRound({ pagesPerSecond: 12 }),
      makeRound({
        contender: 'trawl',
        pagesPerSecond: 36,
        cpuMsPerPage: 10,
        wholePagesPerSecond: null,
      }),
    ]);
    const [, , crawlee, trawl] = table.split('\n');
    expect(crawlee).toContain(
      '| crawlee | 12.0 | 10.0–20.0 | 1.00 | 9.0 | 40.0 | 40.0–40.0 | 1.00 |',
    );
    expect(trawl).toContain('| trawl | 36.0 | 36.0–36.0 | 3.00 | – | 10.0 | 10.0–10.0 | 0.25 |');
  });

  it('leaves the ratio open when crawlee did not run', () => {
    expect(reportTable([makeRound({ contender: 'bare' })])).toContain(
      '| bare | 10.0 | 10.0–10.0 | – |',
    );
  });
});
