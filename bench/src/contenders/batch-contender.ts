import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectNode, SpawnedProcess, type Usage } from '@app/testing';
import type { Contender, Contest, RoundOutcome } from '../contender.js';
import { filesIn, tallyDocuments } from '../page-tally.js';
import { profileFlags } from '../profile-flags.js';
import { BATCH_WORDS } from './batch-signals.js';

/** A contender that is one process per crawl and writes files. */
export function batchContender(name: 'crawlee' | 'bare', contest: Contest): Contender {
  return {
    name,
    start: async () => {},
    stop: async () => {},
    round: () => runRound(name, contest),
  };
}

async function runRound(name: 'crawlee' | 'bare', contest: Contest): Promise<RoundOutcome> {
  const outDir = path.join(contest.workDir, `out-${name}`);
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  try {
    return {
      ...(await timeCrawl(name, outDir, contest)),
      tally: await tallyDocuments(filesIn(outDir)),
    };
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

async function timeCrawl(
  name: 'crawlee' | 'bare',
  outDir: string,
  contest: Contest,
): Promise<Omit<RoundOutcome, 'tally'>> {
  const { options, siteUrl, workDir } = contest;
  const spawnedAtMs = performance.now();
  const child = SpawnedProcess.spawn({
    name,
    command: projectNode(),
    args: [
      ...profileFlags(options, workDir, name),
      fileURLToPath(new URL(`./${name}-crawl.js`, import.meta.url)),
      siteUrl,
      outDir,
      String(options.concurrency),
    ],
  });
  const meter = contest.measure({ [name]: [child.pid] });
  try {
    await child.waitForLine(wordLine(BATCH_WORDS.ready), 60_000);
    const before = meter.read();
    const startedAtMs = performance.now();
    child.send(BATCH_WORDS.go);
    await child.waitForLine(wordLine(BATCH_WORDS.done), options.roundTimeoutMs);
    const crawlMs = performance.now() - startedAtMs;
    const after = meter.stop();
    child.send(BATCH_WORDS.end);
    await child.exited;
    const wholeMs = performance.now() - spawnedAtMs;
    return { crawlMs, wholeMs, ...difference(before, after) };
  } finally {
    meter.stop();
    await child.kill9();
  }
}

function wordLine(word: string): RegExp {
  return new RegExp(`^${word}$`);
}

/** The meter starts with the process, so what it read at the end is the whole process's use. */
function difference(before: Usage, after: Usage) {
  const crawlCpuMs = Object.fromEntries(
    Object.entries(after.cpuMs).map(([part, ms]) => [part, ms - (before.cpuMs[part] ?? 0)]),
  );
  const { peakRssBytes, peakPssBytes, totalCpuMs } = after;
  return { crawlCpuMs, wholeCpuMs: totalCpuMs, peakRssBytes, peakPssBytes };
}
