import { idleShare, readMachineTimes, UsageMeter } from '@app/testing';
import type { Contender, RoundOutcome } from './contender.js';
import type { FixtureProcess } from './fixture-process.js';
import type { FixtureStats } from './fixture-stats.js';
import type { ContenderName, SuiteName } from './options.js';
import { percentile } from './percentile.js';

/** One measured crawl. Per-page figures divide by complete pages. */
export interface Round {
  readonly contender: ContenderName;
  readonly round: number;
  readonly pagesPerSecond: number;
  /** Start-up and end of the process included; null for a service. */
  readonly wholePagesPerSecond: number | null;
  readonly crawlMs: number;
  readonly cpuMsPerPage: number;
  readonly wholeCpuMsPerPage: number | null;
  readonly cpuMsPerPageByPart: Readonly<Record<string, number>>;
  readonly peakRssMb: number;
  readonly peakPssMb: number;
  readonly completePages: number;
  readonly documents: number;
  readonly withBoilerplate: number;
  readonly markdownBytes: number;
  readonly duplicateRequests: number;
  readonly forbiddenRequests: number;
  /** All requests the site saw: pages, their parts, robots.txt. */
  readonly requestsPerPage: number;
  /** What pages took, half and 95 of 100; null where unknown. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly fixtureCpuMsPerPage: number;
  /** Share of the machine that was idle: near 0 with few of our processes, others were at work. */
  readonly idleShare: number;
}

const BYTES_PER_MB = 1_048_576;

export async function measureRound(
  contender: Contender,
  round: number,
  site: FixtureProcess,
  suite: SuiteName,
): Promise<Round> {
  let siteMeter: UsageMeter | null = null;
  let machine = readMachineTimes();
  const outcome = await contender
    .round(async () => {
      await site.reset();
      siteMeter = UsageMeter.start({ site: [site.pid] }, { intervalMs: 10_000 });
      machine = readMachineTimes();
    })
    .finally(() => siteMeter?.stop());
  const idle = idleShare(machine, readMachineTimes());
  const stats = await site.stats();
  const siteCpuMs = (siteMeter as UsageMeter | null)?.stop().totalCpuMs ?? 0;
  const { tally, wholeMs, wholeCpuMs, crawlCpuMs, latenciesMs } = outcome;
  const crawlMs = clockOf(suite, outcome, stats);
  const perPage = (amount: number): number => amount / Math.max(1, tally.complete);
  const parts = Object.entries(crawlCpuMs);
  return {
    contender: contender.name,
    round,
    pagesPerSecond: (tally.complete / crawlMs) * 1_000,
    wholePagesPerSecond: wholeMs === null ? null : (tally.complete / wholeMs) * 1_000,
    crawlMs,
    cpuMsPerPage: perPage(parts.reduce((sum, [, ms]) => sum + ms, 0)),
    wholeCpuMsPerPage: wholeCpuMs === null ? null : perPage(wholeCpuMs),
    cpuMsPerPageByPart: Object.fromEntries(parts.map(([part, ms]) => [part, perPage(ms)])),
    peakRssMb: outcome.peakRssBytes / BYTES_PER_MB,
    peakPssMb: outcome.peakPssBytes / BYTES_PER_MB,
    completePages: tally.complete,
    documents: tally.documents,
    withBoilerplate: tally.withBoilerplate,
    markdownBytes: tally.markdownBytes,
    duplicateRequests: stats.pageRequests - stats.uniquePages,
    forbiddenRequests: stats.forbiddenRequests,
    requestsPerPage: perPage(stats.requests),
    p50Ms: percentile(latenciesMs, 50),
    p95Ms: percentile(latenciesMs, 95),
    fixtureCpuMsPerPage: perPage(siteCpuMs),
    idleShare: idle,
  };
}

/** Rendered pages: from the first request, so that no contender's dispatch of work is timed. */
function clockOf(
  suite: SuiteName,
  { crawlMs, endedAtMs }: RoundOutcome,
  { firstPageAtMs }: FixtureStats,
): number {
  return suite === 'rendered' && firstPageAtMs !== null ? endedAtMs - firstPageAtMs : crawlMs;
}
