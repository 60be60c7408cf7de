import { Deadline } from '@app/contracts';
import { type FingerprintSet, scanPage } from '@app/tech';
import { processCpuClock } from '../markdown-rounds.js';
import type { HostilePage } from './hostile-pages.js';
import type { Table } from './tables.js';
import { scanInputOf, type TechPage } from './tech-page.js';

/** Time a scan may take, as the service gives it. */
export const SCAN_BUDGET_MS = 1_000;
const WARM_UP_ROUNDS = 3;

export interface TechRound {
  readonly table: string;
  readonly round: number;
  readonly cpuMsPerPage: number;
}

/**
 * All tables scan all pages in turns, in reverse order every other round, after some uncounted
 * ones.
 */
export function runTechRounds(
  tables: readonly Table[],
  pages: readonly TechPage[],
  rounds: number,
): readonly TechRound[] {
  const inputs = pages.map(scanInputOf);
  const clock = processCpuClock();
  const measured: TechRound[] = [];
  for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++)
    for (const { name, set } of round % 2 !== 0 ? tables : [...tables].reverse()) {
      clock();
      for (const input of inputs)
        scanPage(set, input, { deadline: Deadline.after(SCAN_BUDGET_MS) });
      const cpuMsPerPage = clock() / inputs.length;
      if (round >= 1) measured.push({ table: name, round, cpuMsPerPage });
    }
  return measured;
}

export interface Recall {
  readonly found: number;
  readonly expected: number;
  readonly missed: readonly string[];
}

/** How many of the marked technologies a detector names, by its answer for each page. */
export function detectionRecall(
  pages: readonly TechPage[],
  answers: readonly ReadonlySet<string>[],
): { readonly recall: Recall; readonly foundPerPage: number } {
  const missed = pages.flatMap(({ expect }, index) =>
    expect.filter((name) => !answers[index]?.has(name)),
  );
  const expected = pages.reduce((sum, { expect }) => sum + expect.length, 0);
  const found = answers.reduce((sum, { size }) => sum + size, 0);
  return {
    recall: { found: expected - missed.length, expected, missed: [...new Set(missed)].sort() },
    foundPerPage: found / pages.length,
  };
}

export function namesFound(set: FingerprintSet, page: TechPage): ReadonlySet<string> {
  const { technologies } = scanPage(set, scanInputOf(page), { deadline: Deadline.after(60_000) });
  return new Set(technologies.map(({ name }) => name));
}

export interface HostileRun {
  readonly shape: string;
  readonly table: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly reasons: readonly string[];
}

/** One page once, as the first that a thread gets of its kind. */
export function runHostile({ name, set }: Table, page: HostilePage): HostileRun {
  const input = scanInputOf(page);
  const clock = processCpuClock();
  const startedAtMs = performance.now();
  const { reasons } = scanPage(set, input, { deadline: Deadline.after(SCAN_BUDGET_MS) });
  const wallMs = performance.now() - startedAtMs;
  return { shape: page.shape, table: name, wallMs, cpuMs: clock(), reasons };
}

/**
 * The page that a table's author fears: all that its patterns look for in the source, over and
 * over.
 */
export function literalsOf({ set }: Table): HostilePage {
  const literals = set.html.marks.flatMap(({ pattern }) => pattern.literals ?? []);
  const once = [...new Set(literals)].map((literal) => `${literal} 1.1 `).join('');
  const html = once.repeat(Math.ceil(512_000 / Math.max(1, once.length)));
  return {
    shape: "the table's literals",
    url: 'https://hostile.example/',
    headers: {},
    expect: [],
    html,
  };
}
