// The benchmark: see ../README.md. Started by `npm run bench`.
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { hasProc, projectRoot, UsageMeter } from '@app/testing';
import type { Contender, Contest } from './contender.js';
import { batchContender } from './contenders/batch-contender.js';
import {
  embeddedContender,
  renderedCrawlContender,
  renderedScrapeContender,
  trawlContender,
} from './contenders/trawl-contender.js';
import { FixtureProcess } from './fixture-process.js';
import { mainContentBench } from './main-content-bench.js';
import { markdownBench } from './markdown-bench.js';
import { type BenchOptions, type ContenderName, parseOptions } from './options.js';
import { pdfWordsBench } from './pdf-words/pdf-words-bench.js';
import { reportTable, roundLine } from './report.js';
import { measureRound, type Round } from './round.js';

const CRAWLEE_BROWSER = 'crawlee-browser-crawl.js';

/** Suites that measure our code by itself; they take flags of their own. */
const LOCAL_SUITES: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  'main-content': mainContentBench,
  markdown: markdownBench,
  pdf: pdfWordsBench,
};

async function main(args: readonly string[]): Promise<void> {
  const suite = /--suite[= ](\S+)/.exec(args.join(' '))?.[1] ?? '';
  await (LOCAL_SUITES[suite] ?? crawlBench)(args);
}

async function crawlBench(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  if (!hasProc()) throw new Error('the benchmark reads CPU and memory from /proc: run it on Linux');
  const workDir = path.join(projectRoot(), '.cache/bench');
  await mkdir(workDir, { recursive: true });
  const site = await FixtureProcess.start(options);
  try {
    const { meanBytes, maxBytes } = await site.stats();
    console.log(`site of ${options.pages} pages, mean ${meanBytes} bytes, largest ${maxBytes}`);
    const measure = (roots: Readonly<Record<string, readonly number[]>>) => UsageMeter.start(roots);
    const contest = { options, siteUrl: site.url, workDir, measure };
    const rounds = await runRounds(contest, site);
    await keep(rounds, options, workDir);
    console.log(`\n${reportTable(rounds, options.suite)}`);
  } finally {
    await site.stop();
  }
}

async function runRounds(contest: Contest, site: FixtureProcess): Promise<readonly Round[]> {
  const { options } = contest;
  const contenders = options.only.map((name) => makeContender(name, contest));
  const started: Contender[] = [];
  const rounds: Round[] = [];
  try {
    for (const contender of options.fresh ? [] : contenders) {
      await contender.start();
      started.push(contender);
    }
    for (let round = 1; round <= options.rounds; round++) {
      // Reversed every other round, so that nobody always runs after the same neighbour.
      const order = round % 2 === 1 ? contenders : [...contenders].reverse();
      for (const contender of order) {
        rounds.push(await runOne(contender, round, site, options));
        console.log(roundLine(rounds.at(-1) as Round));
      }
    }
  } finally {
    for (const contender of started) await contender.stop();
  }
  return rounds;
}

async function runOne(
  contender: Contender,
  round: number,
  site: FixtureProcess,
  options: BenchOptions,
): Promise<Round> {
  if (!options.fresh) return measureRound(contender, round, site, options.suite);
  await contender.start();
  try {
    return await measureRound(contender, round, site, options.suite);
  } finally {
    await contender.stop();
  }
}

function makeContender(name: ContenderName, contest: Contest): Contender {
  switch (name) {
    case 'crawlee':
    case 'bare':
      return batchContender({ name, script: `${name}-crawl.js` }, contest);
    case 'crawlee-playwright':
      return batchContender({ name, script: CRAWLEE_BROWSER, isWarm: true }, contest);
    case 'crawlee-incognito':
      return batchContender(
        { name, script: CRAWLEE_BROWSER, mode: 'incognito', isWarm: true },
        contest,
      );
    case 'trawl':
      return trawlContender(contest);
    case 'trawl-embedded':
      return embeddedContender(contest);
    case 'trawl-scrape':
      return renderedScrapeContender(contest);
    case 'trawl-crawl':
      return renderedCrawlContender(contest);
  }
}

async function keep(rounds: readonly Round[], options: BenchOptions, dir: string): Promise<void> {
  const at = new Date().toISOString();
  const file = path.join(dir, `${at.replaceAll(/[:.]/g, '-')}.json`);
  const machine = {
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.version,
  };
  await writeFile(file, JSON.stringify({ at, options, machine, rounds }, null, 1));
  console.log(`\nresults in ${path.relative(projectRoot(), file)}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
