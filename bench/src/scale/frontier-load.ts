import { randomUUID } from 'node:crypto';
import { DEFAULT_JOB_SCRAPE } from '@app/contracts';
import {
  claimPages,
  completeJob,
  deleteOutbox,
  DispatchRounds,
  finishPages,
  urlReportSlice,
  resultRows,
  settleRows,
  takeProcessingJob,
  type ClaimedPage,
  type CrawlOptions,
  type CrawlTask,
} from '@app/jobs';
import { type Database } from '@app/database';

/** What the work at a frontier is made of. */
export const STEPS = ['dispatch', 'claim', 'finish', 'settle', 'complete', 'ledger'] as const;
export type Step = (typeof STEPS)[number];

/**
 * Milliseconds and things done of each step: pages, rows settled, jobs completed, ledger pages
 * read.
 */
export type StepTimes = Readonly<Record<Step, { readonly ms: number; readonly count: number }>>;

export const OPTIONS: CrawlOptions = {
  maxDepth: null,
  includePaths: [],
  excludePaths: [],
  allowBackwardLinks: false,
  ignoreRobotsTxt: false,
  sitemap: 'skip',
  scrape: DEFAULT_JOB_SCRAPE,
};

/** Messages that wait in the broker, and messages that a fetcher takes at once. */
const ROOM = 64;
const CLAIMED_AT_ONCE = 8;
const LEASE_MS = 60_000;
const NEW_LINKS = 5;
const KNOWN_LINKS = 5;
const RESULT_PAGE = 1_000;
const LEDGER_PAGE = 100;
const SETTLE_BATCH = 1_000;

/**
 * Does what dispatcher, fetchers and finisher do at the tables, and nothing else; times each step.
 */
export class FrontierLoad {
  private readonly times = Object.fromEntries(
    STEPS.map((step) => [step, { ms: 0, count: 0 }]),
  ) as Record<Step, { ms: number; count: number }>;
  private tasks: CrawlTask[] = [];
  private readonly rounds: DispatchRounds;

  constructor(private readonly database: Database) {
    this.rounds = new DispatchRounds(database, {
      leaseMs: LEASE_MS,
      publish: async (batches) => {
        this.tasks.push(...batches.flatMap(({ messages }) => messages as CrawlTask[]));
        await deleteOutbox(
          database,
          batches.map(({ outboxId }) => outboxId),
        );
      },
    });
  }

  /**
   * Fetches `pages` pages, in the sense of the tables. Returns what it took since the last call.
   */
  async run(pages: number): Promise<StepTimes> {
    for (let done = 0; done < pages;) {
      const found = await this.timed(
        'dispatch',
        () => this.rounds.round(ROOM),
        (r) => r.pages,
      );
      if (found.pages === 0) throw new Error('nothing was due in a frontier that is full');
      const tasks = this.tasks.splice(0);
      for (let at = 0; at < tasks.length; at += CLAIMED_AT_ONCE) {
        done += await this.fetch(tasks.slice(at, at + CLAIMED_AT_ONCE));
      }
    }
    return this.taken();
  }

  /** Ends `jobs` running jobs by their limit and finishes them. */
  async end(jobs: readonly string[]): Promise<StepTimes> {
    for (const id of jobs) await this.closeByLimit(id);
    while (
      (await this.timed(
        'settle',
        () => settleRows(this.database, SETTLE_BATCH),
        (n) => n,
      )) > 0
    );
    for (let left = jobs.length; left > 0; left--) {
      await this.timed(
        'complete',
        () => this.completeNext(),
        () => 1,
      );
    }
    return this.taken();
  }

  /** Reads a page of the ledger of each job from its middle. */
  async read(jobs: readonly string[]): Promise<StepTimes> {
    for (const id of jobs) {
      const first = await urlReportSlice(this.database, id, ledgerAfter(0n));
      const after = first?.next ?? 0n;
      await this.timed(
        'ledger',
        () => urlReportSlice(this.database, id, ledgerAfter(after)),
        () => 1,
      );
    }
    return this.taken();
  }

  private taken(): StepTimes {
    const taken = structuredClone(this.times);
    for (const step of STEPS) this.times[step] = { ms: 0, count: 0 };
    return taken;
  }

  private async timed<T>(
    step: Step,
    work: () => Promise<T>,
    countOf: (done: T) => number,
  ): Promise<T> {
    const startedAt = performance.now();
    const done = await work();
    this.times[step].ms += performance.now() - startedAt;
    this.times[step].count += countOf(done);
    return done;
  }

  private async fetch(tasks: readonly CrawlTask[]): Promise<number> {
    const options = { leaseMs: LEASE_MS, discoveryBound: () => 100_000_000 };
    const pages = await this.timed(
      'claim',
      () => claimPages(this.database, tasks, options),
      ({ length }) => length,
    );
    for (const [, own] of Map.groupBy(pages, ({ jobId }) => jobId)) await this.finish(own);
    return pages.length;
  }

  private async finish(pages: readonly ClaimedPage[]): Promise<void> {
    const [first] = pages;
    if (!first) return;
    const { host } = new URL(first.url);
    const batch = {
      jobId: first.jobId,
      outcomes: pages.map((page) => ({
        ...{ urlKey: page.urlKey, fence: page.fence, host, state: 'scraped' as const },
        ...{ reason: null, retryInMs: 0, statusCode: 200, rung: 'plain', alias: null, credits: 1 },
        segment: { key: `jobs/${first.jobId}/segments/${first.urlKey}`, offset: 0, bytes: 20_000 },
        latencyMs: 120,
        contentHash: newKey(),
      })),
      links: pages.flatMap((page) => linksOf(page, host)),
      hosts: [{ host, signals: [], crawlDelayMs: undefined, sentAgoMs: 1 }],
      maxDiscovered: 100_000_000,
      hostWindow: { start: 8, max: 8 },
    };
    await this.timed(
      'finish',
      () => finishPages(this.database, batch),
      ({ accepted }) => accepted.size,
    );
  }

  private async closeByLimit(id: string): Promise<void> {
    const text = `UPDATE jobs SET status = 'processing', skipped = skipped + pending, pending = 0,
      rest_reason = 'limit', closed_at = now() WHERE id = $1 AND leased = 0`;
    await this.database.query({ name: 'bench_close', text }, [id]);
  }

  private async completeNext(): Promise<void> {
    const job = await takeProcessingJob(this.database, LEASE_MS);
    if (!job) throw new Error('a job that ended was not there to be finished');
    for (let after = 0, rows = [{ resultNo: 0 }]; rows.length > 0;) {
      rows = await resultRows(this.database, job.id, after, RESULT_PAGE);
      after = rows.at(-1)?.resultNo ?? after;
    }
    await completeJob(this.database, job.id, { resultKey: 'none', problem: '' });
  }
}

const newKey = (): string => randomUUID().replaceAll('-', '');

/** New links, and the page itself and its neighbours by keys that are taken. */
function linksOf(page: ClaimedPage, host: string) {
  const link = (urlKey: string) => ({
    ...{ urlKey, host, depth: 3, skip: null, parentKey: page.urlKey },
    url: `http://${host}/section/new/page-${urlKey}`,
  });
  return [
    ...Array.from({ length: NEW_LINKS }, () => link(newKey())),
    ...Array.from({ length: KNOWN_LINKS }, () => link(page.urlKey)),
  ];
}

const ledgerAfter = (after: bigint) => ({
  ...{ after, most: LEDGER_PAGE, state: null, reason: null, window: 10_000 },
});
