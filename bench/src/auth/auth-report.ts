import { median } from '../report.js';
import type { LoadResult } from './load-order.js';

export type AuthTarget = 'echo' | 'trawl';

/** One turn of one of the two. */
export interface AuthRound {
  readonly target: AuthTarget;
  readonly round: number;
  readonly paced: LoadResult;
  readonly full: LoadResult;
  /** Of the full load, milliseconds of CPU per request, by part. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

/** What a key, a window and whatever else comes before a cheap answer may cost. */
export const ADDED_P50_BAR_MS = 3;
export const PER_SECOND_BAR = 1_500;

export function authLine({ target, round, paced, full, cpuMs }: AuthRound): string {
  const cpu = Object.entries(cpuMs).map(([part, ms]) => `${part} ${ms.toFixed(3)}`);
  return (
    `[${round}] ${target.padEnd(5)}  paced p50 ${paced.p50Ms.toFixed(2)} p95 ${paced.p95Ms.toFixed(2)} ms` +
    `  full ${full.perSecond.toFixed(0)} requests/s p50 ${full.p50Ms.toFixed(1)} p95 ${full.p95Ms.toFixed(1)} ms` +
    `  cpu ms/request ${cpu.join(', ')}`
  );
}

type Figure = (round: AuthRound) => number;

const FIGURES: readonly (readonly [title: string, digits: number, figure: Figure])[] = [
  ['p50 ms', 2, ({ paced }) => paced.p50Ms],
  ['p95 ms', 2, ({ paced }) => paced.p95Ms],
  ['p99 ms', 2, ({ paced }) => paced.p99Ms],
  ['requests/s, full load', 0, ({ full }) => full.perSecond],
  ['p50 ms, full load', 1, ({ full }) => full.p50Ms],
  ['p95 ms, full load', 1, ({ full }) => full.p95Ms],
];

/** Medians of the rounds as a Markdown table. */
export function authTable(rounds: readonly AuthRound[]): string {
  const titles = ['', ...FIGURES.map(([title]) => title)];
  const row = (target: AuthTarget, name: string): string[] => [
    name,
    ...FIGURES.map(([, digits, figure]) => middle(rounds, target, figure).toFixed(digits)),
  ];
  const rows = [row('echo', 'bare Nest on Fastify'), row('trawl', 'Trawl, with a key')];
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Whether the bars are met, a line each. */
export function authVerdict(rounds: readonly AuthRound[]): string {
  const added = (figure: Figure): number =>
    middle(rounds, 'trawl', figure) - middle(rounds, 'echo', figure);
  const p50 = added(({ paced }) => paced.p50Ms);
  const p95 = added(({ paced }) => paced.p95Ms);
  const perSecond = middle(rounds, 'trawl', ({ full }) => full.perSecond);
  return [
    `added: p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms; the bar is p50 ${ADDED_P50_BAR_MS} ms: ${said(p50 <= ADDED_P50_BAR_MS)}`,
    `${perSecond.toFixed(0)} requests/s; the bar is ${PER_SECOND_BAR}: ${said(perSecond >= PER_SECOND_BAR)}`,
  ].join('\n');
}

function middle(rounds: readonly AuthRound[], target: AuthTarget, figure: Figure): number {
  return median(rounds.filter((round) => round.target === target).map(figure));
}

function said(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}
