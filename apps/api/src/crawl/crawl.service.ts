import { Injectable } from '@nestjs/common';
import { parseInstant, pathPatternsProblem, urlKey } from '@app/crawl';
import { ApiError, isId } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  BaseGoneError,
  createCrawl,
  DEFAULT_CRAWL_PAGES,
  type CrawlOptions,
  type NewCrawl,
} from '@app/jobs';
import { type Tenant, CreditCharges } from '@app/accounts';
import { admitJob, notStarted } from '../jobs/admit-job.js';
import { ProfileCheck } from '../profiles/profile-check.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { invalidRequest } from '../http/invalid-request.js';
import { InjectRuntime } from '../runtime.token.js';
import { parseJobScrape } from '../scrape/job-scrape.js';
import { requireUnsigned, respectedUse } from '../scrape/parse-fetch-options.js';
import { MAX_INDEXED_UNASKED, type CrawlAccepted, type CrawlRequest } from './crawl.dto.js';

const HOUR_MS = 3_600_000;
const unavailable = notStarted('crawl_unavailable');

/** Options of a crawl beside its body. */
export type CrawlExtras = Pick<CrawlOptions, 'pathRegexes' | 'v2' | 'site'>;

export interface QueuedCrawl {
  /** Of its start page. */
  readonly url: string;
  /** Fewer than requested where credits do not cover more. */
  readonly paidPages: number;
  /** At most those that the service allows. */
  readonly requestedPages: number;
}

@Injectable()
export class CrawlService {
  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'database' | 'settings' | 'metrics' | 'queue'>,
    private readonly targets: TargetCheck,
    private readonly charges: CreditCharges,
    private readonly profiles: ProfileCheck,
  ) {}

  /** @param id of the job; a repeated request with the same id gets the same job */
  async start(
    body: CrawlRequest,
    tenant: Tenant,
    id: string,
    extras: CrawlExtras = {},
  ): Promise<CrawlAccepted> {
    const { url, paidPages, requestedPages } = await this.startJob(body, tenant, id, extras);
    const pages = pagesText({ paid: paidPages, allowed: requestedPages, asked: askedPages(body) });
    return {
      jobId: id,
      status: 'queued',
      url,
      message: `Crawl queued for up to ${pages}. Poll GET /v1/crawl/${id} for its state.`,
    };
  }

  /** The same, for callers with a response of their own. */
  async startJob(
    body: CrawlRequest,
    tenant: Tenant,
    id: string,
    extras: CrawlExtras = {},
  ): Promise<QueuedCrawl> {
    const { settings, queue, metrics } = this.runtime;
    const { seed, webhookUrl, ...options } = await this.check(body, extras);
    await this.profiles.requireUsable(tenant, options.scrape.fetch, seed);
    await queue.ping().catch(unavailable);
    seed.hash = '';
    const pageLimit = Math.min(askedPages(body), settings.crawlMaxPages);
    const crawl: NewCrawl = {
      id,
      tenant,
      url: seed.href,
      urlKey: urlKey(seed),
      host: seed.host,
      pageLimit,
      options,
      webhookUrl,
      deadlineAt: new Date(Date.now() + settings.crawlDeadlineHours * HOUR_MS),
      hostWindowStart: settings.hostWindowStart,
      chainDays: settings.resultDays,
    };
    await admitJob(this.runtime.database, tenant);
    const made = await createCrawl(this.runtime.database, crawl).catch((error: unknown) => {
      if (error instanceof BaseGoneError) throw new ApiError('since_unusable');
      return unavailable(error);
    });
    if (made.kind === 'unpaid') throw this.charges.unpaid(made);
    if (made.isNew) metrics.jobsCreated.inc({ type: 'crawl' });
    return { url: seed.href, paidPages: made.pageLimit, requestedPages: pageLimit };
  }

  /** @throws ApiError if no crawl can be started so */
  async check(body: CrawlRequest, extras: CrawlExtras = {}): Promise<CheckedCrawl> {
    const options = { ...(await optionsOf(body)), ...extras };
    requireUnsigned(options.scrape.fetch, this.runtime.settings);
    const problem = pathPatternsProblem(options);
    if (problem !== null) throw invalidRequest(problem);
    // An id of another form is none of a job.
    if (options.since !== undefined && !isId(options.since)) throw new ApiError('since_unusable');
    const seed = await this.targets.vet(body.url);
    const webhook = body.webhook ?? body.webhookUrl ?? null;
    const webhookUrl = webhook === null ? null : (await this.targets.vet(webhook)).href;
    return { ...options, seed, webhookUrl };
  }
}

/** What a body asks for, once it is known to be usable. */
interface CheckedCrawl extends CrawlOptions {
  readonly seed: URL;
  readonly webhookUrl: string | null;
}

function askedPages({ limit, maxPages }: CrawlRequest): number {
  return limit ?? maxPages ?? DEFAULT_CRAWL_PAGES;
}

interface PageLimits {
  /** Those that the credits cover. */
  readonly paid: number;
  /** Those that the service allows. */
  readonly allowed: number;
  readonly asked: number;
}

/** The limit of a crawl; fewer pages than asked for have a reason. */
function pagesText({ paid, allowed, asked }: PageLimits): string {
  if (paid < allowed) return `${paid} pages instead of ${asked}: your credits do not cover more`;
  if (allowed < asked)
    return `${allowed} pages instead of ${asked}: this service allows no more in one crawl`;
  return `${asked} pages`;
}

async function optionsOf(body: CrawlRequest): Promise<CrawlOptions> {
  return {
    maxDepth: body.maxDepth ?? null,
    includePaths: body.includePaths ?? [],
    excludePaths: body.excludePaths ?? [],
    allowBackwardLinks: body.allowBackwardLinks ?? false,
    ...(body.strictScope ? { strictScope: true } : {}),
    ignoreRobotsTxt: body.ignoreRobotsTxt ?? false,
    ...respectedUse(body),
    sitemap: body.sitemap ?? 'include',
    ...(body.sources ? { sources: body.sources } : {}),
    scrape: await parseJobScrape(body.scrapeOptions),
    ...((body.index ?? askedPages(body) <= MAX_INDEXED_UNASKED) ? { index: true } : {}),
    ...(body.since == null ? {} : { since: body.since }),
    ...modifiedSince(body),
  };
}

function modifiedSince({
  modifiedSince: text,
  since,
}: CrawlRequest): Pick<CrawlOptions, 'modifiedSince'> {
  if (text == null) return {};
  const instant = parseInstant(text);
  if (instant === null)
    throw invalidRequest(
      '`modifiedSince` must be a day such as 2026-11-01, or an instant with its zone such as 2026-11-01T10:00:00Z',
    );
  if (since != null)
    throw invalidRequest(
      '`modifiedSince` cannot be used with `since`: that looks at each page again, whatever its date. Leave out one of them',
    );
  return { modifiedSince: instant };
}
