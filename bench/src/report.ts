import type { ContenderName } from './options.js';
import type { Round } from './round.js';

/** The contender that ratios are taken against. */
const BASE: ContenderName = 'crawlee';

/** One line per round, for whoever watches. */
export function roundLine(round: Round): string {
  const parts = Object.entries(round.cpuMsPerPageByPart);
  const cpu = parts.map(([part, ms]) => `${part} ${ms.toFixed(1)}`).join(', ');
  return (
    `[${round.round}] ${round.contender.padEnd(14)} ${round.pagesPerSecond.toFixed(1).padStart(7)} pages/s` +
    `  cpu ${round.cpuMsPerPage.toFixed(2)} ms/page (${cpu})  rss ${round.peakRssMb.toFixed(0)} MB` +
    `  pss ${round.peakPssMb.toFixed(0)} MB  ok ${round.completePages}  dup ${round.duplicateRequests}` +
    `  forbidden ${round.forbiddenRequests}  idle ${percent(round.idleShare)}`
  );
}

/** Medians, ranges and ratios as a Markdown table. */
export function reportTable(rounds: readonly Round[]): string {
  const names = [...new Set(rounds.map(({ contender }) => contender))];
  const base = rounds.filter(({ contender }) => contender === BASE);
  const columns = [
    'contender',
    'pages/s (crawl)',
    'min–max',
    `× ${BASE}`,
    'pages/s (whole process)',
    'CPU ms/page',
    'min–max',
    `× ${BASE}`,
    'RSS MB',
    'PSS MB',
    'complete',
    'dup',
    'forbidden',
    'with menu',
    'site CPU ms/page',
    'idle',
  ];
  const rows = names.map((name) =>
    tableRow(
      name,
      rounds.filter((one) => one.contender === name),
      base,
    ),
  );
  return [columns, columns.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function tableRow(
  name: string,
  rounds: readonly Round[],
  base: readonly Round[],
): readonly string[] {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const speed = (round: Round): number => round.pagesPerSecond;
  const cpu = (round: Round): number => round.cpuMsPerPage;
  const whole = rounds.map((round) => round.wholePagesPerSecond).filter((value) => value !== null);
  return [
    name,
    of(speed).toFixed(1),
    range(rounds.map(speed), 1),
    ratio(of(speed), base.map(speed)),
    whole.length === 0 ? '–' : median(whole).toFixed(1),
    of(cpu).toFixed(1),
    range(rounds.map(cpu), 1),
    ratio(of(cpu), base.map(cpu)),
    of((round) => round.peakRssMb).toFixed(0),
    of((round) => round.peakPssMb).toFixed(0),
    String(of((round) => round.completePages)),
    String(of((round) => round.duplicateRequests)),
    String(of((round) => round.forbiddenRequests)),
    String(of((round) => round.withBoilerplate)),
    of((round) => round.fixtureCpuMsPerPage).toFixed(2),
    percent(of((round) => round.idleShare)),
  ];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

function range(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;
}

function ratio(value: number, base: readonly number[]): string {
  return base.length === 0 ? '–' : (value / median(base)).toFixed(2);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
