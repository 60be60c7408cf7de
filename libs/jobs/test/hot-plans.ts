import { fullText } from '@app/content';
import { newId } from '@app/contracts';
import {
  type CrawlTask,
  claimPages,
  extendLeases,
  stoppedJobs,
  type ClaimedPage,
} from '../src/frontier/claim-pages.js';
import { adHocStatement, fillFrontier, type FrontierSize } from '@app/testing';
import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { createBatch } from '../src/create/create-batch.js';
import { createCrawl, type NewCrawl } from '../src/create/create-crawl.js';
import { jobReasons } from '../src/read-jobs.js';
import { readCrawlOptions } from '../src/create/crawl-options.js';
import {
  completeJob,
  extendProcessingJob,
  firstPageProblem,
  resultRows,
  takeProcessingJob,
} from '../src/results/finish-job.js';
import { leasedPages, leasePages, type DispatchCandidate } from '../src/frontier/dispatch-pages.js';
import { DispatchRounds } from '../src/frontier/dispatch-rounds.js';
import {
  cancelJob,
  closeOverdueJobs,
  releaseExpiredLeases,
  settleRows,
} from '../src/frontier/end-leases.js';
import { finishPages } from '../src/frontier/finish-pages.js';
import { deleteOutbox, relayOutbox } from '../src/frontier/outbox.js';
import { archivedRows, copiesOf, urlReportSlice } from '../src/results/url-report.js';
import { purgeRows } from '../src/retention/expire-jobs.js';
import { ExplainingDatabase } from '../../database/test/explaining-database.js';
import { urlKeyOf, linkTo } from './frontier-fixture.js';

const OPTIONS = readCrawlOptions({
  ...{ maxDepth: null, includePaths: [], excludePaths: [] },
  ...{ allowBackwardLinks: false, ignoreRobotsTxt: false },
});
const LEASE_MS = 30_000;
const ALL = { after: 0n, most: 100, state: null, reason: null, window: 10_000 };

/** Balances and holds of tenants without jobs, and texts of pages. */
const FILL_MORE = [
  `INSERT INTO tenants (id, name, plan) SELECT gen_random_uuid(), 'payer', 'free' FROM generate_series(1, 5000)`,
  `INSERT INTO credit_balances (tenant_id, period, grant_left)
     SELECT id, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 500 FROM tenants WHERE name = 'payer'`,
  `INSERT INTO credit_periods (tenant_id, period, granted)
     SELECT tenant_id, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 1000 FROM credit_balances`,
  `INSERT INTO credit_holds (id, tenant_id, operation, period, from_grant, from_topup, from_overage, opened_at)
     SELECT gen_random_uuid(), tenant_id, 'crawl', period, 1, 0, 0, now() FROM credit_balances`,
  `INSERT INTO page_texts (job_id, language, url_key, fence, url, title, body, terms)
     SELECT job_id, 'simple', url_key, 1, url, '', '', '' FROM pages TABLESAMPLE BERNOULLI (25)`,
  'VACUUM ANALYZE',
];

/** Rows read by one fetch of everything: all that are running, and at most that often. */
const READS_WHAT_RUNS = ['dispatch_candidates', 'dispatch_next_due'];
const LARGE = /Seq Scan on (?:pages|credit_ledger|outbox)/;
/** The text search configurations, thirty rows of the catalogue, have no need of an index. */
const ANY = /Seq Scan on (?!pg_ts_config )[a-z]/;

/** Every statement between the API and the last page of a job, in a frontier of a size. */
export function describeHotPlans(size: FrontierSize, fillMs: number): void {
  let fresh: FreshDatabase<ExplainingDatabase>;
  let database: ExplainingDatabase;
  const spec = <R extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) =>
    database.query<R>(adHocStatement(text), values);

  beforeAll(async () => {
    fresh = await openFreshDatabase(ExplainingDatabase);
    ({ database } = fresh);
    // Statements of minutes do not fit a pool whose statements end after seconds.
    await fresh.patiently([...fillFrontier(size, JSON.stringify(OPTIONS)), ...FILL_MORE]);
  }, fillMs);
  afterAll(() => fresh?.drop(), 60_000);

  it('plans every hot statement by an index', async () => {
    await begin(database);
    const pages = await take(database);
    await end(database, pages);
    await reap(database, spec);
    await finish(database);
    await read(database, pages[0]?.jobId ?? '');
    expect([...database.plans.keys()].sort()).toEqual([...HOT].sort());
    const scanned = [...database.plans].filter(([name, plan]) =>
      (READS_WHAT_RUNS.includes(name) ? LARGE : ANY).test(plan),
    );
    expect(scanned).toEqual([]);
  }, 120_000);
}

async function begin(database: ExplainingDatabase): Promise<void> {
  const job: Omit<NewCrawl, 'url' | 'urlKey' | 'host' | 'pageLimit'> = {
    id: newId(),
    // With credits that run out: reserving is a part of creating it, and of ending it.
    tenant: {
      id: (await someJob(database)).tenantId,
      plan: 'custom',
      agreed: { monthlyCredits: 100 },
    },
    ...{ options: OPTIONS, webhookUrl: null, deadlineAt: new Date(Date.now() + 3_600_000) },
    hostWindowStart: 4,
  };
  const page = { urlKey: urlKeyOf(1), url: 'http://new.example/', host: 'new.example' };
  const crawl = { ...job, ...page, pageLimit: 10 };
  await createCrawl(database, crawl);
  // The answer to the first was lost.
  await createCrawl(database, crawl);
  await cancelJob(database, job.tenant.id, job.id);
  await createBatch(database, {
    ...job,
    id: newId(),
    pages: [{ ...page, position: 0 }],
    workers: 2,
  });
}

async function someJob(database: ExplainingDatabase): Promise<{ id: string; tenantId: string }> {
  const text = `SELECT id, tenant_id AS "tenantId" FROM jobs WHERE status = 'running' LIMIT 1`;
  const [job] = await database.query<{ id: string; tenantId: string }>({ name: 'spec job', text });
  if (!job) throw new Error('no job runs');
  return job;
}

/** Dispatches and claims; a candidate without a page rests. */
async function take(database: ExplainingDatabase): Promise<ClaimedPage[]> {
  const tasks: CrawlTask[] = [];
  const rounds = new DispatchRounds(database, {
    leaseMs: LEASE_MS,
    publish: async (batches) => {
      tasks.push(...batches.flatMap(({ messages }) => messages as CrawlTask[]));
      await deleteOutbox(
        database,
        batches.map(({ outboxId }) => outboxId),
      );
    },
  });
  // Until the list of next jobs is used up, and a query for later due times follows.
  while ((await rounds.round(64)).waitMs === 0);
  const { id: jobId, tenantId } = await someJob(database);
  const idle: DispatchCandidate = {
    jobId,
    tenantId,
    plan: 'custom',
    host: 'old-1.example',
    busy: 0,
  };
  await leasePages(database, [{ ...idle, pages: 1 }], { leaseMs: LEASE_MS });
  await relayOutbox(database, { olderThanMs: 0, batch: 10 }, () => Promise.resolve());
  await leasedPages(database);
  const most = { leaseMs: LEASE_MS, discoveryBound: () => 1_000_000_000 };
  const pages = await claimPages(database, tasks.slice(0, 8), most);
  await extendLeases(database, pages, LEASE_MS);
  await stoppedJobs(
    database,
    pages.map((page) => page.jobId),
  );
  return pages;
}

async function end(database: ExplainingDatabase, pages: readonly ClaimedPage[]): Promise<void> {
  const [first] = pages;
  if (!first) throw new Error('nothing was claimed');
  const { host } = new URL(first.url);
  const target = { urlKey: urlKeyOf(9), url: `http://${host}/9`, host };
  const own = pages.filter(({ jobId }) => jobId === first.jobId);
  const { discovered } = await countsOf(database, first.jobId);
  await finishPages(database, {
    jobId: first.jobId,
    outcomes: own.map(({ urlKey, fence }) => ({
      ...{ urlKey, fence, host, state: 'scraped', reason: null, retryInMs: 0, statusCode: 200 },
      ...{ rung: 'plain', segment: { key: 's', offset: 0, bytes: 1 }, credits: 1, alias: target },
      canonical: { ...target, urlKey: urlKeyOf(8), isVariant: false },
      contentHash: urlKeyOf(7),
    })),
    // All but the first are copies: their texts are deleted again.
    texts: own.map(({ urlKey, fence, url }) => ({ ...fullText('text', {}), urlKey, fence, url })),
    links: [linkTo(4, { bound: { shape: 'shape 1', most: 3 } }), linkTo(3), linkTo(2)],
    hosts: [{ host, signals: [], crawlDelayMs: undefined, sentAgoMs: 1 }],
    // Room for all but one of the links: the known ones are looked up.
    maxDiscovered: discovered + 4,
    hostWindow: { start: 8, max: 8 },
  });
}

async function countsOf(database: ExplainingDatabase, id: string): Promise<{ discovered: number }> {
  const text = 'SELECT discovered FROM jobs WHERE id = $1';
  const [job] = await database.query<{ discovered: number }>({ name: 'spec counts', text }, [id]);
  return job ?? { discovered: 0 };
}

type Spec = (text: string, values?: readonly unknown[]) => Promise<unknown>;

/** Leases run out, a job is cancelled, another is late. */
async function reap(database: ExplainingDatabase, spec: Spec): Promise<void> {
  const fail = (_id: string, error: unknown): never => {
    throw error;
  };
  const lost = `SELECT job_id FROM pages WHERE state = 'leased' LIMIT 1`;
  await spec(`UPDATE pages SET lease_until = now() - interval '1 hour'
              WHERE state = 'leased' AND job_id = (${lost})`);
  await releaseExpiredLeases(database, { maxAttempts: 3, batch: 10, onError: fail });
  const { id, tenantId } = await someJob(database);
  await cancelJob(database, tenantId, id);
  const late = await someJob(database);
  await spec('UPDATE jobs SET deadline_at = now() WHERE id = $1', [late.id]);
  await closeOverdueJobs(database, { batch: 10, onError: fail });
  while ((await settleRows(database, 10_000)) > 0);
}

async function finish(database: ExplainingDatabase): Promise<void> {
  const job = await takeProcessingJob(database, LEASE_MS);
  if (!job) throw new Error('the late job is not there to be finished');
  await extendProcessingJob(database, job.id, LEASE_MS);
  await resultRows(database, job.id, 0, 100);
  await firstPageProblem(database, job);
  await completeJob(database, job.id, { resultKey: 'k', problem: '' });
}

async function read(database: ExplainingDatabase, jobId: string): Promise<void> {
  await jobReasons(database, jobId);
  await urlReportSlice(database, jobId, ALL);
  await archivedRows(database, jobId, 0, 100);
  await copiesOf(database, { jobId, urlKey: urlKeyOf(7) }, null, 10);
  await purgeRows(database, jobId, 10);
}

/** By their names: one that is new, or that the steps above no longer reach, shows here. */
const HOT = `
  admit_links aliases_count_naming aliases_held aliases_record aliases_targets archived_rows
  cancel_job cancel_lock_job claim_pages close_job close_job_credits complete_job copies_of count_released
  count_shapes count_stopped create_batch_job create_batch_pages create_crawl_job create_crawl_seed delete_page_texts
  dispatch_candidates dispatch_lease dispatch_leased dispatch_lock_job dispatch_lock_tenants dispatch_next_due
  dispatch_rest dispatch_tenants_busy end_leases_lock_job ensure_credit_balance expired_jobs extend_leases extend_processing_job
  finish_count finish_lock_hosts finish_lock_job finish_pages free_hosts hold_job_credits insert_page_texts job_reasons known_job
  known_keys open_credit_hold outbox_delete outbox_stale overdue_jobs page_ledger purge_job_hosts purge_job_shapes purge_page_texts purge_pages
  purge_rows_left release_expired result_rows seed_outcome settle_rows settled_job stop_leased
  stopped_jobs take_processing_job turn_credit_period unsettled_jobs wake_job_hosts`
  .trim()
  .split(/\s+/);
