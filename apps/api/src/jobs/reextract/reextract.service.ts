import { Injectable } from '@nestjs/common';
import {
  DEFAULT_FETCH_OPTIONS,
  isTerminal,
  PLAN_LIMITS,
  ApiError,
  type JobExtract,
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
import { type Tenant, CreditCharges } from '@app/accounts';
import { invalidRequest } from '../../http/invalid-request.js';
import { TargetCheck } from '../../fetchers/target-check.js';
import { JobsService } from '../jobs.service.js';
import { InjectRuntime } from '../../runtime.token.js';
import { parseReextract, storedFormFor, type ReextractAsk } from './parse-reextract.js';
import type { ReextractAccepted, ReextractRequest } from './reextract.dto.js';

const HOUR_MS = 3_600_000;

/** What the body asks for, of which job. */
interface Call {
  readonly sourceId: string;
  readonly body: ReextractRequest;
  readonly tenant: Tenant;
  /** Of the new job; asked for again under the same id it is the same job. */
  readonly id: string;
}

/** Starts jobs that make something new of stored documents. Nothing leaves for their pages. */
@Injectable()
export class ReextractService {
  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'store' | 'settings' | 'metrics' | 'queue'>,
    private readonly targets: TargetCheck,
    private readonly jobs: JobsService,
    private readonly charges: CreditCharges,
  ) {}

  async start({ sourceId, body, tenant, id }: Call): Promise<ReextractAccepted> {
    const { settings, queue, metrics } = this.runtime;
    const ask = parseReextract(body, { tenant, settings });
    const source = await this.jobs.findKept(tenant, sourceId);
    const options = optionsOf(ask, readable(source));
    const webhook = body.webhook ?? body.webhookUrl ?? null;
    const webhookUrl = webhook === null ? null : (await this.targets.vet(webhook)).href;
    await queue.ping().catch(unavailable);
    const { pages, pageLimit, isNew } = await this.create({
      id,
      tenant,
      asksModel: ask.llm !== null,
      sourceJobId: source.id,
      mostPages: body.limit ?? null,
      // A page may wait for a model for a minute: as many of them as of a batch.
      workers: ask.llm === null ? null : PLAN_LIMITS[tenant.plan].batchWorkers,
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

  /** What was true of the source a moment ago may have changed. */
  private async create(job: NewReextraction): Promise<CreatedReextraction> {
    const made = await createReextraction(this.runtime.store, job).catch(unavailable);
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
  return `${paid} of ${pages} stored pages, as there are no credits for more,`;
}

function unavailable(cause: unknown): never {
  throw new ApiError('extraction_unavailable', {}, { cause });
}

/** @throws Refusal unless the job is one whose documents can be read */
function readable(source: JobEntity): JobEntity {
  const { type, status, scraped, options } = source;
  if (type === 'extract')
    throw invalidRequest(
      `This job was made from stored pages itself: name job ${options.extract?.sourceJobId ?? ''}, which has them`,
    );
  if (!isTerminal(status)) throw new ApiError('job_running', { status });
  if (scraped === 0) throw new ApiError('nothing_stored');
  return source;
}

function optionsOf(
  { formats, listing, content, llm }: ReextractAsk,
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
    // Nothing is fetched, so nothing is followed.
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
