import { median } from '../report.js';
import type { ClusterGrowthOptions } from './growth-options.js';

/** One crawl of all hosts by a cluster of so many fetchers. */
export interface GrowthRound {
  readonly fetchers: number;
  readonly round: number;
  /** Complete documents. */
  readonly pages: number;
  readonly seconds: number;
  /** CPU milliseconds by part: api, fetcher, postgres, rabbitmq, minio. */
  readonly cpuMs: Readonly<Record<string, number>>;
  /** Calls to the object storage by operation. */
  readonly calls: Readonly<Record<string, number>>;
  /** Of all parts together. */
  readonly peakPssBytes: number;
  /** Most pages of one host that were in work at the same time. */
  readonly peakOfOneHost: number;
  /** Share of the machine that was idle. */
  readonly idleShare: number;
}

/** What a doubling of the fetchers is to bring. */
export const GROWTH_BAR = 1.8;

export function pagesPerSecond({ pages, seconds }: GrowthRound): number {
  return pages / seconds;
}

/** CPU milliseconds that a page took in one part, or in all of them. */
export function cpuMsPerPage({ cpuMs, pages }: GrowthRound, part?: string): number {
  const all = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  return (part === undefined ? all : (cpuMs[part] ?? 0)) / Math.max(1, pages);
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
    `  ${round.pages} pages in ${round.seconds.toFixed(1)} s  cpu ${cpuMsPerPage(round).toFixed(1)} ms/page` +
    `  ${Math.round(round.peakPssBytes / 1e6)} MB  idle ${Math.round(round.idleShare * 100)} %`
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
  const counts = countsOf(rounds);
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
      median(own.map((round) => cpuMsPerPage(round))).toFixed(1),
      percent(median(own.map(({ idleShare }) => idleShare))),
    ];
  });
  return markdownTable(TITLES, rows);
}

/**
 * CPU milliseconds a page of each part, and what a core of it would carry at the largest count: the smallest figure
 * of a part that cannot be had twice is the first limit of the cluster.
 */
export function partsTable(rounds: readonly GrowthRound[]): string {
  const counts = countsOf(rounds);
  const parts = [...new Set(rounds.flatMap(({ cpuMs }) => Object.keys(cpuMs)))];
  const rows = parts.map((part) => {
    const costs = counts.map((count) => {
      const own = rounds.filter(({ fetchers }) => fetchers === count);
      return median(own.map((round) => cpuMsPerPage(round, part)));
    });
    const perCore = Math.round(1_000 / Math.max(costs.at(-1) ?? 0, Number.MIN_VALUE));
    return [part, ...costs.map((ms) => ms.toFixed(2)), String(perCore)];
  });
  const titles = counts.map((count) => `CPU ms/page, ${count} fetchers`);
  return markdownTable(['part', ...titles, 'pages/s a core'], rows);
}

/** Calls to the object storage for each page, with the largest number of fetchers. */
export function storageLine(rounds: readonly GrowthRound[]): string {
  const most = countsOf(rounds).at(-1);
  const own = rounds.filter(({ fetchers }) => fetchers === most);
  const operations = [...new Set(own.flatMap(({ calls }) => Object.keys(calls)))];
  const each = operations.map((operation) => {
    const perPage = own.map(({ calls, pages }) => (calls[operation] ?? 0) / Math.max(1, pages));
    return `${operation} ${median(perPage).toFixed(3)}`;
  });
  return `calls to the object storage a page, ${most} fetchers: ${each.join(', ')}`;
}

/** Whether the limit of pages of one host in work held with every number of fetchers. */
export function hostVerdict(rounds: readonly GrowthRound[], allowed: number): string {
  const peaks = countsOf(rounds).map((count) => {
    const own = rounds.filter(({ fetchers }) => fetchers === count);
    return { count, peak: Math.max(...own.map(({ peakOfOneHost }) => peakOfOneHost)) };
  });
  const all = peaks.map(({ count, peak }) => `${peak} with ${count}`).join(', ');
  const isKept = peaks.every(({ peak }) => peak <= allowed);
  return `pages of one host at a time, at most ${allowed}: ${all}: ${isKept ? 'kept' : 'BROKEN'}`;
}

function countsOf(rounds: readonly GrowthRound[]): readonly number[] {
  return [...new Set(rounds.map(({ fetchers }) => fetchers))].sort((a, b) => a - b);
}

function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The bar, and whether each step reached it. */
export function growthVerdict(rounds: readonly GrowthRound[]): string {
  const counts = countsOf(rounds);
  const steps = counts.slice(1).map((count, at) => {
    const growth = growthPerDoubling(rounds, counts[at] ?? count, count);
    return `${counts[at]} → ${count}: ${growth.toFixed(2)} ${growth >= GROWTH_BAR ? 'met' : 'MISSED'}`;
  });
  return `at least ${GROWTH_BAR} × per doubling: ${steps.join(', ')}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
