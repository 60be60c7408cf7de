import { adHocStatement } from '@app/testing';
import { DEFAULT_JOB_SCRAPE, newId } from '@app/contracts';
import { FrontierFixture, linkTo } from '../../test/frontier-fixture.js';
import {
  createReextraction,
  type NewReextraction,
  type Reextraction,
} from './create-reextraction.js';
import type { CrawlOptions } from './crawl-options.js';
import { completeJob, firstPageProblem } from '../results/finish-job.js';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import { cancelJob, releaseExpiredLeases } from '../frontier/end-leases.js';
import type { PageOutcome } from '../frontier/page-outcome.js';
import { urlReportSlice } from '../results/url-report.js';
import { expireJobs } from '../retention/expire-jobs.js';
import { createTenant } from '@app/accounts';

const SCHEMA_TEXT = JSON.stringify({ b: 1, a: '\0 and \ud800' });

describe('re-extractions in SQL', () => {
  let fixture: FrontierFixture;
  /** A completed crawl of six pages, of which one failed. */
  let sourceId: string;

  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(async () => {
    await fixture?.close();
  });
  beforeEach(async () => {
    await fixture.run('TRUNCATE jobs, hosts, outbox, credit_ledger CASCADE');
    sourceId = await fixture.start();
    const pages = await fixture.seeded(
      sourceId,
      [1, 2, 3, 4, 5].map((n) => linkTo(n)),
    );
    await fixture.finish(pages, {
      each: (_, at) =>
        at === 2
          ? { state: 'failed', reason: 'http_error', segment: null, credits: 0 }
          : { segment: { key: `segment ${at}`, offset: at * 10, bytes: 10 } },
    });
    await completeJob(fixture.database, sourceId, { resultKey: 'r', problem: '' });
  });

  const optionsOf = (over: Partial<CrawlOptions> = {}): CrawlOptions => ({
    maxDepth: 0,
    includePaths: [],
    excludePaths: [],
    allowBackwardLinks: false,
    ignoreRobotsTxt: false,
    sitemap: 'skip',
    scrape: DEFAULT_JOB_SCRAPE,
    extract: { sourceJobId: sourceId, storedForm: 'markdown', llm: SCHEMA_TEXT },
    ...over,
  });
  const extractionOf = (over: Partial<NewReextraction> = {}): NewReextraction => ({
    id: newId(),
    tenant: fixture.tenant,
    usesModel: true,
    sourceJobId: sourceId,
    mostPages: null,
    workers: null,
    options: optionsOf(),
    webhookUrl: null,
    deadlineAt: new Date(Date.now() + 3_600_000),
    ...over,
  });
  const create = (job: NewReextraction): Promise<Reextraction> =>
    createReextraction(fixture.database, job);
  const finish = (pages: readonly ClaimedPage[], over: Partial<PageOutcome> = {}) =>
    fixture.finish(pages, {
      over: { credits: 0, segment: { key: 'new', offset: 0, bytes: 1 }, ...over },
    });
  const rows = <T extends object>(text: string, values: readonly unknown[]): Promise<T[]> =>
    fixture.database.query<T & Record<string, unknown>>(adHocStatement(text), values);

  it('hold the stored pages of the source in their order, and their segments', async () => {
    const job = extractionOf();
    const made = { kind: 'created', isNew: true, pages: 5, pageLimit: 5 };
    expect(await create(job)).toEqual(made);
    expect(await fixture.job(job.id)).toMatchObject({
      type: 'extract',
      status: 'queued',
      url: 'http://site.example/',
      pageLimit: 5,
      discovered: 5,
      pending: 5,
      options: { extract: { sourceJobId: sourceId, llm: SCHEMA_TEXT } },
    });
    const pages = await fixture.take(job.id);
    expect(
      pages.map(({ urlKey, stored, jobType, depth }) => [urlKey.at(-1), stored, jobType, depth]),
    ).toEqual([
      ['0', { key: 's', offset: 0, bytes: 1 }, 'extract', 0],
      ['1', { key: 'segment 0', offset: 0, bytes: 10 }, 'extract', 0],
      ['2', { key: 'segment 1', offset: 10, bytes: 10 }, 'extract', 0],
      ['4', { key: 'segment 3', offset: 30, bytes: 10 }, 'extract', 0],
      ['5', { key: 'segment 4', offset: 40, bytes: 10 }, 'extract', 0],
    ]);
    expect(pages.every(({ dueInMs }) => dueInMs === 0)).toBe(true);
    const ledger = await urlReportSlice(fixture.database, job.id, {
      ...{ after: 0n, most: 10, state: null, reason: null, window: 10 },
    });
    expect(ledger?.entries.map(({ url }) => url.split('/').at(-1))).toEqual([
      '',
      '1',
      '2',
      '4',
      '5',
    ]);
  });

  it('touch neither the sites nor each other: no pace applies', async () => {
    await fixture.run(`UPDATE hosts SET next_at = now() + interval '1 hour', window_size = 1`);
    const [one, two] = [extractionOf(), extractionOf()];
    await create(one);
    await create(two);
    const [ofOne, ofTwo] = [await fixture.take(one.id), await fixture.take(two.id)];
    expect([ofOne.length, ofTwo.length]).toEqual([5, 5]);
    await finish(ofOne);
    await finish(ofTwo);
    const hosts = await rows<{ host: string; busy: number; size: number }>(
      'SELECT host, in_flight AS busy, window_size::int AS size FROM hosts ORDER BY host',
      [],
    );
    expect(hosts).toEqual([
      { host: 'site.example', busy: 0, size: 1 },
      { host: `stored:${fixture.tenant.id}`, busy: 0, size: 10_000 },
    ]);
  });

  it('read only the first pages with `limit`, and at most one per worker at a time', async () => {
    const job = extractionOf({ mostPages: 3, workers: 2 });
    expect(await create(job)).toMatchObject({ pages: 3 });
    expect(await fixture.take(job.id)).toHaveLength(2);
    expect(await fixture.take(job.id)).toEqual([]);
    expect(await create(extractionOf({ mostPages: 100 }))).toMatchObject({ pages: 5 });
  });

  it('are made once under one id', async () => {
    const job = extractionOf();
    expect([await create(job), await create(job)]).toEqual([
      { kind: 'created', isNew: true, pages: 5, pageLimit: 5 },
      { kind: 'created', isNew: false, pages: 5, pageLimit: 5 },
    ]);
    expect(await rows('SELECT 1 FROM pages WHERE job_id = $1', [job.id])).toHaveLength(5);
  });

  it('are refused for a source that is not there to be read', async () => {
    const other = await createTenant(fixture.database, 'other', 'custom');
    expect(await create(extractionOf({ tenant: other }))).toEqual({ kind: 'unknown' });
    expect(await create(extractionOf({ sourceJobId: newId() }))).toEqual({ kind: 'unknown' });
    const running = await fixture.start();
    expect(await create(extractionOf({ sourceJobId: running }))).toEqual({
      kind: 'running',
      status: 'queued',
    });
    await cancelJob(fixture.database, fixture.tenant.id, running);
    expect(await create(extractionOf({ sourceJobId: running }))).toEqual({ kind: 'empty' });
    await expireJobs(fixture.database, { before: new Date(Date.now() + 1_000), limit: 10 });
    expect(await create(extractionOf())).toEqual({ kind: 'expired' });
    expect(await rows(`SELECT 1 FROM jobs WHERE type = 'extract'`, [])).toEqual([]);
  });

  it('read a cancelled job, too', async () => {
    const id = await fixture.start();
    await fixture.seeded(
      id,
      [1, 2].map((n) => linkTo(n)),
    );
    await cancelJob(fixture.database, fixture.tenant.id, id);
    expect(await create(extractionOf({ sourceJobId: id }))).toMatchObject({ pages: 1 });
  });

  it('find the stored document again after a dead worker and after a try that failed', async () => {
    const job = extractionOf({ mostPages: 1 });
    await create(job);
    const [first] = await fixture.take(job.id);
    await fixture.run(
      `UPDATE pages SET lease_until = now() - interval '1 second' WHERE state = 'leased'`,
    );
    const onError = (_: string, error: unknown): never => {
      throw error;
    };
    await releaseExpiredLeases(fixture.database, { maxAttempts: 3, batch: 10, onError });
    const [second] = await fixture.take(job.id);
    expect(second).toMatchObject({ stored: first?.stored, attempts: 2 });
    // A worker declared dead changes nothing any more.
    expect((await finish(first ? [first] : [])).accepted.size).toBe(0);
    await finish(second ? [second] : [], { state: 'pending', segment: null, costMicroUsd: 7 });
    const [third] = await fixture.take(job.id);
    expect(third).toMatchObject({ stored: first?.stored, attempts: 3 });
    await finish(third ? [third] : [], { credits: 1, costMicroUsd: 11 });
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'processing',
      scraped: 1,
      pending: 0,
    });
  });

  it('charge each page once, record model cost for each try, and write nothing for free pages', async () => {
    const job = extractionOf({ mostPages: 3 });
    await create(job);
    const [paid, free, failing] = await fixture.take(job.id);
    if (!paid || !free || !failing) throw new Error('no pages');
    await finish([failing], { state: 'pending', segment: null, costMicroUsd: 5 });
    await finish([paid], { credits: 1, costMicroUsd: 40 });
    await finish([free]);
    const again = await fixture.take(job.id);
    await finish(again, { state: 'failed', reason: 'llm_invalid', segment: null, costMicroUsd: 6 });
    // A write that comes again changes nothing.
    await finish([paid], { credits: 1, costMicroUsd: 40 });
    const charged = await rows<{
      operation: string;
      credits: number;
      cost: number;
      isPage: boolean;
    }>(
      `SELECT operation, credits, cost_micro_usd::int AS cost, item = $2 AS "isPage"
       FROM credit_ledger WHERE reference = $1 ORDER BY id`,
      [job.id, paid.urlKey],
    );
    expect(charged).toEqual([
      { operation: 'extract', credits: 0, cost: 5, isPage: false },
      { operation: 'extract', credits: 1, cost: 40, isPage: true },
      { operation: 'extract', credits: 0, cost: 6, isPage: false },
    ]);
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'processing',
      scraped: 2,
      failed: 1,
    });
    expect(await fixture.credits(sourceId)).toBe(5);
  });

  it('report how the first page ended when none was produced', async () => {
    const job = extractionOf();
    await create(job);
    await finish(await fixture.take(job.id), {
      state: 'failed',
      reason: 'source_expired',
      segment: null,
      statusCode: null,
    });
    const { type } = await fixture.job(job.id);
    expect(await firstPageProblem(fixture.database, { id: job.id, type })).toBe(
      'No page could be scraped: the first stored page was failed (source_expired).',
    );
  });
});
