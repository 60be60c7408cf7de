import { authTable, authVerdict, type AuthRound } from './auth-report.js';
import type { LoadResult } from './load-order.js';

const load = (p50Ms: number, perSecond = 1_000): LoadResult => ({
  ...{ answers: 10, perSecond, statuses: { 200: 10 } },
  ...{ p50Ms, p95Ms: p50Ms * 2, p99Ms: p50Ms * 3 },
});
const round = (target: 'echo' | 'trawl', p50Ms: number, perSecond: number): AuthRound => ({
  ...{ target, round: 1, cpuMs: {} },
  ...{ paced: load(p50Ms), full: load(10, perSecond) },
});

describe('the report of the suite auth', () => {
  const rounds = [
    round('echo', 0.5, 16_000),
    round('trawl', 2, 1_700),
    round('trawl', 1.5, 1_600),
    round('trawl', 9, 1_800),
  ];

  it('shows the medians of both', () => {
    expect(authTable(rounds).split('\n').slice(2)).toEqual([
      '| bare Nest on Fastify | 0.50 | 1.00 | 1.50 | 16000 | 10.0 | 20.0 |',
      '| Trawl, with a key | 2.00 | 4.00 | 6.00 | 1700 | 10.0 | 20.0 |',
    ]);
  });

  it('reports whether the bars are met', () => {
    expect(authVerdict(rounds).split('\n')).toEqual([
      'added: p50 1.50 ms, p95 3.00 ms; the bar is p50 3 ms: met',
      '1700 requests/s; the bar is 1500: met',
    ]);
    expect(authVerdict([round('echo', 0.5, 16_000), round('trawl', 3.6, 1_400)])).toMatch(
      /3 ms: MISSED\n1400 requests\/s; the bar is 1500: MISSED/,
    );
  });
});
