import type { ContenderName, SuiteName } from './options.js';
import type { Round } from './round.js';

/** The contender that ratios are taken against. */
const BASES: Readonly<Record<SuiteName, ContenderName>> = {
  crawl: 'crawlee',
  rendered: 'crawlee-playwright',
};

/** One line per round, to follow progress. */
export function roundLine(round: Round): string {
  const parts = Object.entries(round.cpuMsPerPageByPart);
  const cpu = parts.map(([part, ms]) => `${part} ${ms.toFixed(1)}`).join(', ');
  const took = round.p50Ms === null ? '' : `  p50 ${round.p50Ms} p95 ${round.p95Ms} ms`;
  return (
    `[${round.round}] ${round.contender.padEnd(14)} ${round.pagesPerSecond.toFixed(1).padStart(7)} pages/s` +
    `  cpu ${round.cpuMsPerPage.toFixed(2)} ms/page (${cpu})  rss ${round.peakRssMb.toFixed(0)} MB` +
    `  pss ${round.peakPssMb.toFixed(0)} MB  ok ${round.completePages}  dup ${round.duplicateRequests}` +
    `  forbidden ${round.forbiddenRequests}${took}  requests ${round.requestsPerPage.toFixed(1)}` +
    `  idle ${percent(round.idleShare)}`
  );
}

interface Column {
  readonly title: string;
  /** Rounds of the contender, and of the one that it is compared with. */
  readonly cell: (rounds: readonly Round[], base: readonly Round[]) => string;
}

const speed = (round: Round): number => round.pagesPerSecond;
const cpu = (round: Round): number => round.cpuMsPerPage;

const SPEED: readonly Column[] = [
  middle('pages/s (crawl)', 1, speed),
  { title: 'min–max', cell: (rounds) => range(rounds.map(speed), 1) },
  times(speed),
];
const CPU: readonly Column[] = [
  middle('CPU ms/page', 1, cpu),
  { title: 'min–max', cell: (rounds) => range(rounds.map(cpu), 1) },
  times(cpu),
];
const MEMORY: readonly Column[] = [
  middle('RSS MB', 0, ({ peakRssMb }) => peakRssMb),
  middle('PSS MB', 0, ({ peakPssMb }) => peakPssMb),
];
const DELIVERED: readonly Column[] = [
  count('complete', ({ completePages }) => completePages),
  count('dup', ({ duplicateRequests }) => duplicateRequests),
  count('forbidden', ({ forbiddenRequests }) => forbiddenRequests),
];
const CIRCUMSTANCES: readonly Column[] = [
  middle('site CPU ms/page', 2, ({ fixtureCpuMsPerPage }) => fixtureCpuMsPerPage),
  { title: 'idle', cell: (rounds) => percent(median(rounds.map(({ idleShare }) => idleShare))) },
];

const COLUMNS: Readonly<Record<SuiteName, readonly Column[]>> = {
  crawl: [
    ...SPEED,
    middle('pages/s (whole process)', 1, ({ wholePagesPerSecond }) => wholePagesPerSecond),
    ...CPU,
    ...MEMORY,
    ...DELIVERED,
    count('with menu', ({ withBoilerplate }) => withBoilerplate),
    ...CIRCUMSTANCES,
  ],
  rendered: [
    ...SPEED,
    middle('p50 ms', 0, ({ p50Ms }) => p50Ms),
    middle('p95 ms', 0, ({ p95Ms }) => p95Ms),
    ...CPU,
    middle('of it browser', 1, ({ cpuMsPerPageByPart }) => cpuMsPerPageByPart.browser ?? null),
    ...MEMORY,
    times(({ peakPssMb }) => peakPssMb),
    ...DELIVERED,
    middle('requests/page', 1, ({ requestsPerPage }) => requestsPerPage),
    ...CIRCUMSTANCES,
  ],
};

/** Medians, ranges and ratios as a Markdown table. */
export function reportTable(rounds: readonly Round[], suite: SuiteName = 'crawl'): string {
  const names = [...new Set(rounds.map(({ contender }) => contender))];
  const columns = COLUMNS[suite];
  const base = rounds.filter(({ contender }) => contender === BASES[suite]);
  const titles = ['contender', ...columns.map(({ title }) => title || `× ${BASES[suite]}`)];
  const rows = names.map((name) => {
    const own = rounds.filter(({ contender }) => contender === name);
    return [name, ...columns.map(({ cell }) => cell(own, base))];
  });
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function middle(title: string, digits: number, pick: (round: Round) => number | null): Column {
  return {
    title,
    cell: (rounds) => {
      const known = rounds.map(pick).filter((value) => value !== null);
      return known.length === 0 ? '–' : median(known).toFixed(digits);
    },
  };
}

function count(title: string, pick: (round: Round) => number): Column {
  return { title, cell: (rounds) => String(median(rounds.map(pick))) };
}

/** How many times the base's figure; titled after the base. */
function times(pick: (round: Round) => number): Column {
  return {
    title: '',
    cell: (rounds, base) =>
      base.length === 0 ? '–' : (median(rounds.map(pick)) / median(base.map(pick))).toFixed(2),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middleAt = sorted.length >> 1;
  const upper = sorted[middleAt] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middleAt - 1] ?? Number.NaN) + upper) / 2;
}

function range(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
