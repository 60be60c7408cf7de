import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DEFAULT_JOB_SCRAPE, isTerminal, newId, Refusal } from '@app/contracts';
import { urlKey } from '@app/crawl';
import type { Runtime } from '@app/runtime';
import { cancelJob, createCrawl, type CrawlOptions, type NewCrawl, type Tenant } from '@app/store';
import { TargetCheck } from '../http/target-check.js';
import { JobsService } from '../jobs/jobs.service.js';
import { InjectRuntime } from '../runtime.token.js';
import type { CrawlAccepted, CrawlCancelled, CrawlRequest, ResultsPage } from './crawl.dto.js';
import { readResults } from './read-results.js';

/** Specification: `maxPages`, default 10. */
const DEFAULT_PAGES = 10;
const HOUR_MS = 3_600_000;
const DEFAULT_RESULTS = 20;
const MAX_RESULTS = 100;
/** A page of results ends early rather than grow beyond this. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

@Injectable()
export class CrawlService {
  constructor(
    @InjectRuntime() private readonly runtime: Runtime,
    private readonly targets: TargetCheck,
    private readonly jobs: JobsService,
  ) {}

  async start(body: CrawlRequest, tenant: Tenant): Promise<CrawlAccepted> {
    const { settings, queue, metrics } = this.runtime;
    const seed = await this.targets.vet(body.url);
    const webhook = body.webhook ?? body.webhookUrl ?? null;
    const webhookUrl = webhook === null ? null : (await this.targets.vet(webhook)).href;
    await queue.ping().catch((cause: unknown) => {
      throw new Refusal('crawl_unavailable', {}, { cause });
    });
    const id = newId();
    seed.hash = '';
    const pageLimit = Math.min(
      body.limit ?? body.maxPages ?? DEFAULT_PAGES,
      settings.crawlMaxPages,
    );
    const crawl: NewCrawl = {
      id,
      tenantId: tenant.id,
      url: seed.href,
      urlKey: urlKey(seed),
      host: seed.host,
      pageLimit,
      options: optionsOf(body),
      webhookUrl,
      deadlineAt: new Date(Date.now() + settings.crawlDeadlineHours * HOUR_MS),
      hostWindowStart: settings.hostWindowStart,
    };
    await createCrawl(this.runtime.store, crawl).catch((cause: unknown) => {
      throw new Refusal('crawl_unavailable', {}, { cause });
    });
    metrics.jobsCreated.inc({ type: 'crawl' });
    return {
      jobId: id,
      status: 'queued',
      url: seed.href,
      message: `Crawl queued for up to ${pageLimit} pages. Poll GET /v1/crawl/${id} for its state.`,
    };
  }

  async cancel(tenant: Tenant, id: string): Promise<CrawlCancelled> {
    const job = await this.jobs.find(tenant, id);
    const end = await cancelJob(this.runtime.store, tenant.id, job.id);
    if (!end) throw new Refusal('job_not_found');
    if (end.changed)
      this.runtime.metrics.jobsCompleted.inc({ type: 'crawl', outcome: 'cancelled' });
    return { jobId: job.id, status: end.status, cancelled: end.status === 'cancelled' };
  }

  async resultsPage(
    tenant: Tenant,
    id: string,
    query: { readonly cursor?: string; readonly limit?: string },
  ): Promise<ResultsPage> {
    const most = wholeNumber('limit', query.limit, {
      fallback: DEFAULT_RESULTS,
      min: 1,
      max: MAX_RESULTS,
    });
    const after = wholeNumber('cursor', query.cursor, { fallback: 0, min: 0, max: 2 ** 31 - 1 });
    const job = await this.jobs.find(tenant, id);
    const results: object[] = [];
    let bytes = 0;
    let last = after;
    for await (const { resultNo, document } of readResults(this.runtime, job.id, { after, most })) {
      bytes += document.byteLength;
      if (results.length > 0 && bytes > MAX_PAGE_BYTES) break;
      results.push(JSON.parse(document.toString('utf8')) as object);
      last = resultNo;
    }
    const isMore = last < job.scraped || !isTerminal(job.status);
    return { id: job.id, status: job.status, results, next: isMore ? String(last) : null };
  }

  /** Every document there is now, one JSON line each, as fast as the reader takes them. */
  async resultLines(tenant: Tenant, id: string): Promise<Readable> {
    const job = await this.jobs.find(tenant, id);
    const { runtime } = this;
    async function* lines(): AsyncGenerator<Buffer> {
      for await (const { document } of readResults(runtime, job.id, {
        after: 0,
        most: job.pageLimit,
      })) {
        yield Buffer.concat([document, NEWLINE]);
      }
    }
    return Readable.from(lines(), { objectMode: false });
  }
}

const NEWLINE = Buffer.from('\n');

function optionsOf(body: CrawlRequest): CrawlOptions {
  return {
    maxDepth: body.maxDepth ?? null,
    includePaths: body.includePaths ?? [],
    excludePaths: body.excludePaths ?? [],
    allowBackwardLinks: body.allowBackwardLinks ?? false,
    ignoreRobotsTxt: body.ignoreRobotsTxt ?? false,
    sitemap: 'skip',
    scrape: DEFAULT_JOB_SCRAPE,
  };
}

function wholeNumber(
  name: string,
  text: string | undefined,
  { fallback, min, max }: { readonly fallback: number; readonly min: number; readonly max: number },
): number {
  if (text === undefined) return fallback;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw new Refusal('invalid_request', {
    problem: `\`${name}\` must be a whole number from ${min} to ${max}`,
  });
}
