// The broker's memory and queue while a long crawl runs. See ../../README.md.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { openTaskQueue } from '@app/broker';
import { hasProc, projectRoot } from '@app/testing';
import { startCluster, type TrawlCluster } from '../contenders/trawl-service.js';
import { FixtureProcess } from '../fixture-process.js';
import { keepResults } from '../keep-results.js';
import { type BrokerOptions, parseBrokerOptions } from './broker-options.js';
import { brokerReport } from './broker-report.js';
import { BrokerWatch } from './broker-watch.js';

const POLL_MS = 200;

/** Prints how flat the broker's memory stayed during one crawl. */
export async function brokerBench(args: readonly string[]): Promise<void> {
  const options = parseBrokerOptions(args);
  if (!hasProc()) throw new Error('the benchmark reads memory from /proc: run it on Linux');
  const workDir = path.join(projectRoot(), '.cache/bench');
  await mkdir(workDir, { recursive: true });
  const { pages, latencyMs } = options;
  const site = await FixtureProcess.start({ pages, latencyMs, kind: 'small' });
  try {
    const service = await startCluster({
      options: { ...options, profile: false },
      siteUrls: site.urls,
      workDir,
    });
    try {
      const { seconds, watch } = await watchedCrawl(service, `${site.url}/`, options);
      const { samples, reports, problem } = watch;
      await keepResults({ options, seconds, samples, reports, problem }, workDir, 'broker-');
      console.log(`\n${brokerReport({ samples, reports, problem, seconds, pages })}`);
    } finally {
      await service.stop();
    }
  } finally {
    await site.stop();
  }
}

async function watchedCrawl(
  service: TrawlCluster,
  url: string,
  { pages, sampleMs, reportMs, roundTimeoutMs }: BrokerOptions,
): Promise<{ readonly seconds: number; readonly watch: BrokerWatch }> {
  const { client, broker } = service;
  const pid = service.roots().rabbitmq?.[0];
  if (pid === undefined) throw new Error('the broker runs elsewhere: its memory cannot be read');
  const queue = openTaskQueue({ url: broker.url, prefix: broker.prefix });
  const startedAtMs = performance.now();
  const { jobId } = await client.crawl({ url, limit: pages, index: false });
  const scraped = async (): Promise<number> => (await client.job(jobId)).pages_scraped;
  const watch = new BrokerWatch({ pid, queue, scraped, sampleMs, reportMs });
  try {
    const job = await client.waitForEnd(jobId, { timeoutMs: roundTimeoutMs, pollMs: POLL_MS });
    const seconds = (performance.now() - startedAtMs) / 1_000;
    if (job.status !== 'completed' || job.pages_scraped !== pages)
      throw new Error(`the job ended as ${JSON.stringify(job)}`);
    return { seconds, watch };
  } finally {
    await watch.stop();
    await queue.close();
  }
}
