// The benchmark: see ../README.md. Started by `npm run bench`.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { hasProc, projectRoot, UsageMeter } from '@app/testing';
import { authBench } from './auth/auth-bench.js';
import { brokerBench } from './broker/broker-bench.js';
import { type Contender, type Contest, LeftOut } from './contender.js';
import { batchContender } from './contenders/batch-contender.js';
import { scrapyContender } from './contenders/scrapy-contender.js';
import {
  embeddedContender,
  renderedCrawlContender,
  renderedScrapeContender,
  trawlContender,
} from './contenders/trawl-contender.js';
import { entityResolutionBench } from './entity-resolution/entity-resolution-bench.js';
import { fileWordsBench } from './file-words/file-words-bench.js';
import { FixtureProcess } from './fixture-process.js';
import { graphBench } from './graph/graph-bench.js';
import { growthBench } from './growth/growth-bench.js';
import { keepResults } from './keep-results.js';
import { mainContentBench } from './main-content/main-content-bench.js';
import { markdownBench } from './markdown-bench.js';
import { type BenchOptions, type ContenderName, parseOptions } from './options.js';
import { pdfWordsBench } from './pdf-words/pdf-words-bench.js';
import { reportTable, roundLine } from './report.js';
import { measureRound, type Round } from './round.js';
import { scaleBench } from './scale/scale-bench.js';
import { techBench } from './tech/tech-bench.js';

const CRAWLEE_BROWSER = 'crawlee-browser-crawl.js';

/** Suites that measure our code by itself; they take flags of their own. */
const LOCAL_SUITES: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  auth: authBench,
  broker: brokerBench,
  'entity-resolution': entityResolutionBench,
  files: fileWordsBench,
  graph: graphBench,
  growth: growthBench,
  'main-content': mainContentBench,
  markdown: markdownBench,
  pdf: pdfWordsBench,
  scale: scaleBench,
  tech: techBench,
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
  const site = await FixtureProcess.start({ ...options, kind: options.suite });
  try {
    const { meanBytes, maxBytes } = await site.stats();
    console.log(`site of ${options.pages} pages, mean ${meanBytes} bytes, largest ${maxBytes}`);
    const measure = (roots: Readonly<Record<string, readonly number[]>>) => UsageMeter.start(roots);
    const contest = { options, siteUrl: site.url, workDir, measure };
    const { rounds, leftOut } = await runRounds(contest, site);
    await keepResults({ options, rounds, leftOut }, workDir);
    console.log(`\n${reportTable(rounds, options.suite)}`);
    for (const line of leftOut) console.log(`\nleft out: ${line}`);
  } finally {
    await site.stop();
  }
}

interface Results {
  readonly rounds: readonly Round[];
  /** Contenders that could not take part, and why. */
  readonly leftOut: readonly string[];
}

async function runRounds(contest: Contest, site: FixtureProcess): Promise<Results> {
  const { options } = contest;
  const { contenders, leftOut } = await present(contest);
  const started: Contender[] = [];
  const rounds: Round[] = [];
  try {
    for (const contender of options.fresh ? [] : contenders) {
      await contender.start();
      started.push(contender);
    }
    for (let round = 1; round <= options.rounds; round++) {
      // Reversed every other round, so that no contender always runs after the same neighbour.
      const order = round % 2 === 1 ? contenders : [...contenders].reverse();
      for (const contender of order) {
        rounds.push(await runOne(contender, round, site, options));
        console.log(roundLine(rounds.at(-1) as Round));
      }
    }
  } finally {
    for (const contender of started) await contender.stop();
  }
  return { rounds, leftOut };
}

/**
 * Those of the contenders that this machine can run; the others are named at once and in the end.
 */
async function present(
  contest: Contest,
): Promise<{ readonly contenders: readonly Contender[]; readonly leftOut: readonly string[] }> {
  const contenders: Contender[] = [];
  const leftOut: string[] = [];
  for (const name of contest.options.only) {
    try {
      const contender = makeContender(name, contest);
      await contender.prepare?.();
      contenders.push(contender);
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      leftOut.push(`${name}: ${error.message}`);
      console.error(`left out: ${name}: ${error.message}`);
    }
  }
  if (contenders.length === 0) throw new Error('no contender is left to measure');
  return { contenders, leftOut };
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
    case 'scrapy':
      return scrapyContender({ name, converter: 'markdownify' }, contest);
    case 'scrapy-native':
      return scrapyContender({ name, converter: 'native' }, contest);
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

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
