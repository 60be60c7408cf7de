import { Injectable } from '@nestjs/common';
import {
  DEFAULT_FETCH_OPTIONS,
  isTerminal,
  PLAN_LIMITS,
  ApiError,
  JOB_FORMATS,
  type JobExtract,
  type ContentOptions,
  type JobScrape,
  type LlmRequest,
  type StoredForm,
} from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  createReextraction,
  readCrawlOptions,
  type CrawlOptions,
  type JobEntity,
  type NewReextraction,
  type Reextraction,
} from '@app/jobs';
import { CreditCharges, type Tenant } from '@app/accounts';
import { invalidRequest } from '../../http/invalid-request.js';
import { TargetCheck } from '../../fetchers/target-check.js';
import { admitJob, notStarted } from '../admit-job.js';
import { JobsService } from '../jobs.service.js';
import { InjectRuntime } from '../../runtime.token.js';
import type { ReextractAccepted, ReextractRequest } from './reextract.dto.js';
import { hasSchema, parseModelRequest, type ModelCaller } from '../../models/model-request.js';
import { contentOptions } from '../../scrape/parse-fetch-options.js';

/** The requested outputs of each stored page. */
export interface ReextractOptions {
  /** Outputs without a model. */
  readonly formats: JobScrape['formats'];
  readonly listing: boolean;
  readonly content: ContentOptions;
  /** Null: no model is used. */
  readonly llm: LlmRequest | null;
}

/** @throws ApiError */
export function parseReextract(body: ReextractRequest, caller: ModelCaller): ReextractOptions {
  const llm = llmRequest(body, caller);
  const formats = JOB_FORMATS.filter((format) => body.formats?.some((one) => one === format));
  const isNothingElse = llm === null && formats.length === 0;
  const listing = body.extractListing ?? isNothingElse;
  if (isNothingElse && !listing)
    throw invalidRequest('Nothing is requested: set `formats`, a `schema`, or `extractListing`');
  return { formats, listing, content: contentOptions(body), llm };
}

/** As with POST /v1/extract, a schema implies JSON. Without one its form is free. */
function llmRequest(body: ReextractRequest, caller: ModelCaller): LlmRequest | null {
  const json = hasSchema(body) || (body.formats?.includes('json') ?? false);
  const summary = body.formats?.includes('summary') ?? false;
  return parseModelRequest(body, { json, summary, complexity: body.complexity }, caller);
}

const CURE = 'crawl again with `rawHtml` in `scrapeOptions.formats`';

/**
 * Which stored form of the pages to read.
 * @throws ApiError that names the outputs the stored form cannot provide, and the solution
 */
export function storedFormFor(
  options: ReextractOptions,
  kept: Pick<JobScrape, 'formats'>,
): StoredForm {
  if (kept.formats.includes('rawHtml')) return 'html';
  if (!kept.formats.includes('markdown'))
    throw invalidRequest(
      `This job stored neither the source nor the Markdown of its pages, so nothing can be extracted: ${CURE}`,
    );
  const missing = needingSource(options);
  if (missing.length > 0)
    throw invalidRequest(
      `${missing.map((name) => `\`${name}\``).join(', ')} not available: this job stored the Markdown of its pages, but not their source. Remove the outputs that need the source, or ${CURE}`,
    );
  return 'markdown';
}

/** Outputs that need the source of a page. */
function needingSource({ formats, content }: ReextractOptions): string[] {
  const { onlyMainContent, includeTags, excludeTags, removeBase64Images, linkStyle } = content;
  return [
    ...formats.filter((format) => format !== 'markdown'),
    ...(onlyMainContent ? ['onlyMainContent'] : []),
    ...(includeTags.length > 0 ? ['includeTags'] : []),
    ...(excludeTags.length > 0 ? ['excludeTags'] : []),
    ...(removeBase64Images ? ['removeBase64Images'] : []),
    ...(linkStyle ? ['linkStyle'] : []),
  ];
}

const HOUR_MS = 3_600_000;
const unavailable = notStarted('extraction_unavailable');

/** The requested outputs, and the source job. */
interface Call {
  readonly sourceId: string;
  readonly body: ReextractRequest;
  readonly tenant: Tenant;
  /** Id of the new job; a repeated request with the same id gets the same job. */
  readonly id: string;
}

/** Starts jobs that extract from stored pages. They send no requests to the pages' sites. */
@Injectable()
export class ReextractService {
  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'database' | 'settings' | 'metrics' | 'queue'>,
    private readonly targets: TargetCheck,
    private readonly jobs: JobsService,
    private readonly charges: CreditCharges,
  ) {}

  async start({ sourceId, body, tenant, id }: Call): Promise<ReextractAccepted> {
    const { database, settings, queue, metrics } = this.runtime;
    const parsed = parseReextract(body, { tenant, settings });
    const source = await this.jobs.findKept(tenant, sourceId);
    const options = optionsOf(parsed, readable(source));
    const webhook = body.webhook ?? body.webhookUrl ?? null;
    const webhookUrl = webhook === null ? null : (await this.targets.vet(webhook)).href;
    await queue.ping().catch(unavailable);
    await admitJob(database, tenant);
    const { pages, pageLimit, isNew } = await this.create({
      id,
      tenant,
      usesModel: parsed.llm !== null,
      sourceJobId: source.id,
      mostPages: body.limit ?? null,
      // A page may wait a minute for a model, so as many run at a time as in a batch.
      workers: parsed.llm === null ? null : PLAN_LIMITS[tenant.plan].batchWorkers,
      options,
      webhookUrl,
      deadlineAt: new Date(Date.now() + settings.crawlDeadlineHours * HOUR_MS),
    });
    if (isNew) metrics.jobsCreated.inc({ type: 'extract' });
    return {
      jobId: id,
      status: 'queued',
      url: source.url,
      sourceJobId: source.id,
      pages,
      message: `Extraction from ${pagesText(pageLimit, pages)} queued. Poll GET /v1/jobs/${id} for its state.`,
    };
  }

  /** The source may have changed since it was checked. */
  private async create(job: NewReextraction): Promise<CreatedReextraction> {
    const made = await createReextraction(this.runtime.database, job).catch(unavailable);
    switch (made.kind) {
      case 'created':
        return made;
      case 'unpaid':
        throw this.charges.unpaid(made);
      case 'unknown':
        throw new ApiError('job_not_found');
      case 'expired':
        throw new ApiError('results_expired');
      case 'empty':
        throw new ApiError('nothing_stored');
      case 'running':
        throw new ApiError('job_running', { status: made.status });
    }
  }
}

type CreatedReextraction = Extract<Reextraction, { kind: 'created' }>;

function pagesText(paid: number, pages: number): string {
  if (paid >= pages) return `${pages} stored pages`;
  return `${paid} of ${pages} stored pages, because your credits do not cover more,`;
}

/** @throws ApiError unless the job's stored pages can be read */
function readable(source: JobEntity): JobEntity {
  const { type, status, scraped, options } = source;
  if (type === 'extract')
    throw invalidRequest(
      `This job was extracted from stored pages itself: use its source job ${options.extract?.sourceJobId ?? ''}`,
    );
  if (!isTerminal(status)) throw new ApiError('job_running', { status });
  if (scraped === 0) throw new ApiError('nothing_stored');
  return source;
}

function optionsOf(
  { formats, listing, content, llm }: ReextractOptions,
  source: JobEntity,
): CrawlOptions {
  const { scrape: kept } = readCrawlOptions(source.options);
  const storedForm = storedFormFor({ formats, listing, content, llm }, kept);
  const extract: JobExtract = {
    sourceJobId: source.id,
    storedForm,
    llm: llm === null ? null : JSON.stringify(llm),
  };
  return {
    // Nothing is fetched, so no links are followed.
    maxDepth: 0,
    includePaths: [],
    excludePaths: [],
    allowBackwardLinks: false,
    ignoreRobotsTxt: false,
    sitemap: 'skip',
    scrape: { formats, listing, listingProvenance: true, content, fetch: DEFAULT_FETCH_OPTIONS },
    extract,
  };
}
