import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectNode, SpawnedProcess, type ResourceUsage } from '@app/testing';
import type { Contender, Contest, RoundOutcome } from '../contender.js';
import type { ContenderName } from '../options.js';
import { filesIn, tallyDocuments } from '../page-tally.js';
import { profileFlags } from '../profile-flags.js';
import { BATCH_WORDS } from './batch-signals.js';
import { browserPartOf } from './browsers-of.js';

/** A contender's own program, and which kind of itself it is to be. */
export interface BatchProgram {
  readonly name: ContenderName;
  /** Module beside this one; with an interpreter: path of a script. */
  readonly script: string;
  /** Program that runs the script. @default our Node */
  readonly interpreter?: string;
  readonly mode?: string;
  /** It rendered some pages before it said it was ready. */
  readonly isWarm?: boolean;
}

/** A contender that is one process per crawl and writes files. */
export function batchContender(program: BatchProgram, contest: Contest): Contender {
  return {
    name: program.name,
    start: async () => {},
    stop: async () => {},
    round: (begin) => runRound(program, contest, begin),
  };
}

async function runRound(
  program: BatchProgram,
  contest: Contest,
  begin: () => Promise<void>,
): Promise<RoundOutcome> {
  const outDir = path.join(contest.workDir, `out-${program.name}`);
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  try {
    return {
      ...(await timeCrawl(program, outDir, contest, begin)),
      tally: await tallyDocuments(filesIn(outDir)),
    };
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

async function timeCrawl(
  program: BatchProgram,
  outDir: string,
  contest: Contest,
  begin: () => Promise<void>,
): Promise<Omit<RoundOutcome, 'tally'>> {
  const spawnedAtMs = performance.now();
  const child = spawnBatch(program, outDir, contest);
  const startUp = contest.measure({ [program.name]: [child.pid] });
  let meter = startUp;
  try {
    await child.waitForLine(new RegExp(`^${BATCH_WORDS.ready}$`), 60_000);
    const before = startUp.stop();
    await emptyFolder(outDir);
    await begin();
    meter = contest.measure({ ...browserPartOf(child.pid), [program.name]: [child.pid] });
    const startedAtMs = performance.now();
    child.send(BATCH_WORDS.go);
    const done = await child.waitForLine(
      new RegExp(`^${BATCH_WORDS.done} `),
      contest.options.roundTimeoutMs,
    );
    const crawlMs = performance.now() - startedAtMs;
    const endedAtMs = Date.now();
    const after = meter.stop();
    child.send(BATCH_WORDS.end);
    await child.exited;
    const wholeMs = program.isWarm ? null : performance.now() - spawnedAtMs;
    const latenciesMs = JSON.parse(done.slice(BATCH_WORDS.done.length)) as readonly number[];
    return { crawlMs, endedAtMs, latenciesMs, wholeMs, ...usageOf(before, after, program) };
  } finally {
    startUp.stop();
    meter.stop();
    await child.kill9();
  }
}

function spawnBatch(program: BatchProgram, outDir: string, contest: Contest): SpawnedProcess {
  const { name, mode = '', interpreter } = program;
  const { options, siteUrl } = contest;
  const terms = [siteUrl, outDir, String(options.concurrency), mode];
  if (interpreter !== undefined)
    return SpawnedProcess.spawn({ name, command: interpreter, args: [program.script, ...terms] });
  const script = fileURLToPath(new URL(`./${program.script}`, import.meta.url));
  const flags = profileFlags(options, contest.workDir, name);
  return SpawnedProcess.spawn({ name, command: projectNode(), args: [...flags, script, ...terms] });
}

/** What a warm-up wrote does not count. */
async function emptyFolder(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
}

function usageOf(before: ResourceUsage, after: ResourceUsage, { isWarm = false }: BatchProgram) {
  const { peakRssBytes, peakPssBytes, totalCpuMs, cpuMs } = after;
  const wholeCpuMs = isWarm ? null : before.totalCpuMs + totalCpuMs;
  return { crawlCpuMs: cpuMs, wholeCpuMs, peakRssBytes, peakPssBytes };
}
