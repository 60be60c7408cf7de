import { hostileTable, verdicts } from './tech-report.js';
import { LARGE_TABLE, OWN, SMALL } from './tables.js';
import type { HostileRun, TechRound } from './tech-rounds.js';

const round = (table: string, cpuMsPerPage: number): TechRound => ({
  table,
  round: 1,
  cpuMsPerPage,
});
const run = (wallMs: number): HostileRun => ({
  shape: 'spaces',
  table: OWN,
  wallMs,
  cpuMs: wallMs,
  reasons: ['html_cap'],
});

describe('the report of the tech suite', () => {
  it.each<[string, readonly TechRound[], number, readonly boolean[]]>([
    [
      'all met',
      [round(OWN, 8), round(SMALL, 10), round(LARGE_TABLE, 20)],
      1_250,
      [true, true, true, true],
    ],
    [
      'too slow a page',
      [round(OWN, 8.1), round(SMALL, 15), round(LARGE_TABLE, 20.1)],
      900,
      [false, false, true, true],
    ],
    [
      'too much growth',
      [round(OWN, 1), round(SMALL, 1), round(LARGE_TABLE, 2.1)],
      900,
      [true, true, false, true],
    ],
    [
      'too late an answer',
      [round(OWN, 1), round(SMALL, 1), round(LARGE_TABLE, 1)],
      1_251,
      [true, true, true, false],
    ],
  ])('says of bars: %s', (_, rounds, wallMs, expected) => {
    const lines = verdicts(rounds, [run(wallMs), run(5)]);
    expect(lines.map((line) => line.startsWith('met: '))).toEqual(expected);
  });

  it('names those without a response', () => {
    expect(hostileTable([run(12)], new Map([['spaces', null]]))).toContain(
      '| spaces | 12 | html_cap | no answer |',
    );
  });
});
