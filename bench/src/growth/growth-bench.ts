// What more fetchers bring where a crawl waits for sites. See ../../README.md.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { hasProc, idleShare, projectRoot, readMachineTimes, UsageMeter } from '@app/testing';
import { hostWindowMax, startCluster, type TrawlCluster } from '../contenders/trawl-service.js';
import { FixtureProcess } from '../fixture-process.js';
import { keepResults } from '../keep-results.js';
import { tallyDocuments } from '../page-tally.js';
import { type ClusterGrowthOptions, parseGrowthOptions } from './growth-options.js';
import {
  growthLine,
  type GrowthRound,
  growthTable,
  growthVerdict,
  hostVerdict,
  partsTable,
  storageLine,
} from './growth-report.js';
import { callsSince, storageCalls } from './storage-calls.js';

/** Crawled before the clock starts, so that connections are open, code is warm and hosts are known. */
const WARM_UP_PAGES_PER_HOST = 20;
const POLL_MS = 200;
const THIN_FETCHER = { BROWSER_MAX: '0', CONTENT_THREADS: '1', DATABASE_POOL_SIZE: '3' };

/** Prints pages a second for each number of fetchers. */
export async function growthBench(args: readonly string[]): Promise<void> {
  const options = parseGrowthOptions(args);
  if (!hasProc()) throw new Error('the benchmark reads CPU from /proc: run it on Linux');
  const workDir = path.join(projectRoot(), '.cache/bench');
  await mkdir(workDir, { recursive: true });
  const { latencyMs, hosts } = options;
  const most = pagesPerHost(options, Math.max(...options.fetchers));
  const site = await FixtureProcess.start({ pages: most, latencyMs, kind: 'small', hosts });
  const rounds: GrowthRound[] = [];
  try {
    for (let round = 1; round <= options.rounds; round++) {
      // Reversed every other round, so that no count always has the quieter hour.
      const counts = round % 2 === 1 ? options.fetchers : [...options.fetchers].reverse();
      for (const fetchers of counts) {
        const one = await measureCluster(options, fetchers, { site, workDir });
        rounds.push({ ...one, round });
        console.log(growthLine({ ...one, round }));
      }
    }
  } finally {
    await site.stop();
  }
  await keepResults({ options, rounds }, workDir, 'growth-');
  const tables = `${growthTable(rounds, options)}\n\n${partsTable(rounds)}`;
  console.log(
    `\n${tables}\n\n${storageLine(rounds)}\n${growthVerdict(rounds)}\n${hostVerdict(rounds, hostWindowMax(options))}`,
  );
}

interface Setting {
  readonly site: FixtureProcess;
  readonly workDir: string;
}

async function measureCluster(
  options: ClusterGrowthOptions,
  fetchers: number,
  { site, workDir }: Setting,
): Promise<Omit<GrowthRound, 'round'>> {
  const { concurrency, roundTimeoutMs } = options;
  const pages = pagesPerHost(options, fetchers);
  const service = await startCluster({
    options: { pages, concurrency, fetchers, profile: false },
    siteUrls: site.urls,
    workDir,
    fetcherEnv: options.isThin ? THIN_FETCHER : {},
  });
  try {
    const warmUpPages = Math.min(pages, WARM_UP_PAGES_PER_HOST);
    await crawlAll(service, site.urls, { pages: warmUpPages, roundTimeoutMs });
    await site.reset();
    const figures = await measured(service, site.urls, { pages, roundTimeoutMs });
    return { fetchers, ...figures, peakOfOneHost: (await site.stats()).peakOfOneHost };
  } finally {
    await service.stop();
  }
}

interface CrawlTerms {
  /** Of each host. */
  readonly pages: number;
  readonly roundTimeoutMs: number;
}

async function measured(
  service: TrawlCluster,
  urls: readonly string[],
  terms: CrawlTerms,
): Promise<Omit<GrowthRound, 'round' | 'fetchers' | 'peakOfOneHost'>> {
  const before = await storageCalls(service.metricsUrls);
  const meter = UsageMeter.start(service.roots());
  try {
    const machine = readMachineTimes();
    const startedAtMs = performance.now();
    const jobIds = await crawlAll(service, urls, terms);
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const idle = idleShare(machine, readMachineTimes());
    const { cpuMs, peakPssBytes } = meter.stop();
    const calls = callsSince(before, await storageCalls(service.metricsUrls));
    const pages = await completePages(service, jobIds);
    return { pages, seconds, cpuMs, peakPssBytes, calls, idleShare: idle };
  } finally {
    meter.stop();
  }
}

/** A crawl of every host at once; resolves when all have completed. */
async function crawlAll(
  { client }: TrawlCluster,
  urls: readonly string[],
  { pages, roundTimeoutMs }: CrawlTerms,
): Promise<readonly string[]> {
  const started = urls.map((url) => client.crawl({ url: `${url}/`, limit: pages, index: false }));
  const jobIds = (await Promise.all(started)).map(({ jobId }) => jobId);
  // One after another: asking after all of them at once would be a good part of what is measured.
  for (const jobId of jobIds) {
    const job = await client.waitForEnd(jobId, { timeoutMs: roundTimeoutMs, pollMs: POLL_MS });
    if (job.status !== 'completed') throw new Error(`the job ended as ${JSON.stringify(job)}`);
  }
  return jobIds;
}

/** Only documents that hold the last words of their page count. */
async function completePages({ client }: TrawlCluster, jobIds: readonly string[]): Promise<number> {
  let complete = 0;
  for (const jobId of jobIds) {
    complete += (await tallyDocuments(markdownOf(client, jobId))).complete;
  }
  return complete;
}

async function* markdownOf(client: TrawlCluster['client'], jobId: string): AsyncGenerator<string> {
  for await (const { markdown } of client.ndjson(jobId)) yield markdown ?? '';
}

function pagesPerHost({ pages, hosts }: ClusterGrowthOptions, fetchers: number): number {
  return Math.ceil((pages * fetchers) / hosts);
}
