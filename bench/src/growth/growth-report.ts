import { median } from '../report.js';
import type { ClusterGrowthOptions } from './growth-options.js';

/** One crawl of all hosts by a cluster of so many fetchers. */
export interface GrowthRound {
  readonly fetchers: number;
  readonly round: number;
  /** Complete documents. */
  readonly pages: number;
  readonly seconds: number;
  readonly cpuMsPerPage: number;
  /** Share of the machine that was idle. */
  readonly idleShare: number;
}

/** What a doubling of the fetchers is to bring. */
export const GROWTH_BAR = 1.8;

export function pagesPerSecond({ pages, seconds }: GrowthRound): number {
  return pages / seconds;
}

/** Pages a second if a page took nothing but the site's answer: unreachable in practice. */
export function ceilingOf(
  fetchers: number,
  { concurrency, latencyMs }: Pick<ClusterGrowthOptions, 'concurrency' | 'latencyMs'>,
): number {
  return (fetchers * concurrency * 1_000) / latencyMs;
}

/**
 * What each doubling brought from one count to the next: the median over the rounds, each compared
 * with its own neighbours in time. From 1 to 4 fetchers it is the root of the whole.
 */
export function growthPerDoubling(
  rounds: readonly GrowthRound[],
  from: number,
  to: number,
): number {
  const byRound = Map.groupBy(rounds, ({ round }) => round);
  const doublings = Math.log2(to / from);
  const ratios = [...byRound.values()].flatMap((own) => {
    const before = own.find(({ fetchers }) => fetchers === from);
    const after = own.find(({ fetchers }) => fetchers === to);
    if (!before || !after) return [];
    return [(pagesPerSecond(after) / pagesPerSecond(before)) ** (1 / doublings)];
  });
  return median(ratios);
}

export function growthLine(round: GrowthRound): string {
  return (
    `[${round.round}] ${round.fetchers} fetchers  ${pagesPerSecond(round).toFixed(1).padStart(6)} pages/s` +
    `  ${round.pages} pages in ${round.seconds.toFixed(1)} s  cpu ${round.cpuMsPerPage.toFixed(1)} ms/page` +
    `  idle ${Math.round(round.idleShare * 100)} %`
  );
}

const TITLES = [
  'fetchers',
  'pages/s',
  'min–max',
  '× per doubling',
  'of what waiting allows',
  'CPU ms/page',
  'idle',
];

/** Medians as a Markdown table. */
export function growthTable(
  rounds: readonly GrowthRound[],
  options: Pick<ClusterGrowthOptions, 'concurrency' | 'latencyMs'>,
): string {
  const counts = [...new Set(rounds.map(({ fetchers }) => fetchers))].sort((a, b) => a - b);
  const rows = counts.map((count, at) => {
    const own = rounds.filter(({ fetchers }) => fetchers === count);
    const speeds = own.map(pagesPerSecond);
    const before = counts[at - 1];
    return [
      String(count),
      median(speeds).toFixed(1),
      `${Math.min(...speeds).toFixed(1)}–${Math.max(...speeds).toFixed(1)}`,
      before === undefined ? '–' : growthPerDoubling(rounds, before, count).toFixed(2),
      percent(median(speeds) / ceilingOf(count, options)),
      median(own.map(({ cpuMsPerPage }) => cpuMsPerPage)).toFixed(1),
      percent(median(own.map(({ idleShare }) => idleShare))),
    ];
  });
  return [TITLES, TITLES.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The bar, and whether each step reached it. */
export function growthVerdict(rounds: readonly GrowthRound[]): string {
  const counts = [...new Set(rounds.map(({ fetchers }) => fetchers))].sort((a, b) => a - b);
  const steps = counts.slice(1).map((count, at) => {
    const growth = growthPerDoubling(rounds, counts[at] ?? count, count);
    return `${counts[at]} → ${count}: ${growth.toFixed(2)} ${growth >= GROWTH_BAR ? 'met' : 'MISSED'}`;
  });
  return `at least ${GROWTH_BAR} × per doubling: ${steps.join(', ')}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
