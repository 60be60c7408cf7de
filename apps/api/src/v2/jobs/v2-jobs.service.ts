import { Injectable } from '@nestjs/common';
import { BlobNotFoundError, BlobUnavailableError } from '@app/blobs';
import { ApiError, isTerminal, type JobStatus, type JobType } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { readResults, type JobEntity } from '@app/jobs';
import type { Tenant } from '@app/accounts';
import type { Settings } from '@app/config';
import { JobsService } from '../../jobs/jobs.service.js';
import { InjectRuntime } from '../../runtime.token.js';
import { presentV2Stored } from '../documents/stored-document.js';

/** Clients wait for ever on any other word. */
type V2Status = 'scraping' | 'completed' | 'failed' | 'cancelled';

const V2_STATUS: Readonly<Record<JobStatus, V2Status>> = {
  queued: 'scraping',
  running: 'scraping',
  processing: 'scraping',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

function v2StatusOf(status: JobStatus): V2Status {
  return V2_STATUS[status];
}

const DAY_MS = 86_400_000;

/**
 * The state of a job, without its documents. A job that failed is a success of this request: clients would otherwise
 * repeat it for ever.
 */
export function presentV2State(
  job: JobEntity,
  { resultDays }: Pick<Settings, 'resultDays'>,
): Record<string, unknown> {
  const { completedAt, createdAt, deadlineAt, options, error, scraped, status } = job;
  const expiresAt = new Date((completedAt ?? deadlineAt).getTime() + resultDays * DAY_MS);
  const warning = options.v2?.warning ?? null;
  return {
    success: true,
    status: v2StatusOf(status),
    ...progressOf(job),
    creditsUsed: scraped,
    expiresAt: expiresAt.toISOString(),
    next: null,
    createdAt: createdAt.toISOString(),
    ...(completedAt === null ? {} : { completedAt: completedAt.toISOString() }),
    ...(warning === null ? {} : { warning }),
    ...(error === null ? {} : { error }),
  };
}

/**
 * Of a batch: its URLs, and those that have ended. Of a crawl: the pages to scrape as known so far, and those that were
 * scraped or failed; links that were not followed are no pages.
 */
function progressOf({
  type,
  pageLimit,
  discovered,
  pending,
  leased,
  scraped,
  failed,
  skipped,
  cancelled,
}: JobEntity): { readonly total: number; readonly completed: number } {
  if (type === 'batch')
    return { total: discovered, completed: discovered - pending - leased - cancelled };
  const completed = scraped + failed;
  const known = discovered - skipped - cancelled;
  return { total: Math.max(completed, Math.min(pageLimit, known)), completed };
}

/** Job types that have a route under /v2. */
export type V2JobType = Exclude<JobType, 'extract'>;

/** A document of a job as JSON text, with its number. */
export interface NumberedDocument {
  /** From 1 without gaps, in the order the pages were scraped. */
  readonly resultNo: number;
  readonly document: Buffer;
}

/** Jobs as the compatibility set shows them: their state, and their pages as documents. */
@Injectable()
export class V2JobsService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'blobs' | 'settings'>,
    private readonly jobs: JobsService,
  ) {}

  /** The tenant's job of this type, with its results. @throws ApiError */
  async find(tenant: Tenant, id: string, type: V2JobType): Promise<JobEntity> {
    const job = await this.jobs.findKept(tenant, id);
    if (job.type !== type) throw new ApiError('job_not_found');
    return job;
  }

  async cancel(tenant: Tenant, id: string, type: V2JobType): Promise<object> {
    const job = await this.jobs.find(tenant, id);
    if (job.type !== type) throw new ApiError('job_not_found');
    const { status } = await this.jobs.cancel(tenant, id);
    return { success: true, status: v2StatusOf(status as JobStatus) };
  }

  /** Everything but `data`. */
  state(job: JobEntity): object {
    return presentV2State(job, this.runtime.settings);
  }

  /** The state with all documents stored so far, as JSON text; the memory of one read, however many there are. */
  async *body(tenant: Tenant, job: JobEntity): AsyncGenerator<Buffer> {
    const state = JSON.stringify(this.state(job));
    yield Buffer.from(`${state.slice(0, -1)},"data":[`);
    let isFirst = true;
    for await (const { document } of this.documents(tenant, job)) {
      if (!isFirst) yield SEPARATOR;
      isFirst = false;
      yield document;
    }
    yield END;
  }

  /** Documents after a position, up to those that the job had when it was read. @throws ApiError */
  async *documents(
    tenant: Tenant,
    job: JobEntity,
    { after = 0, maxReadBytes }: { readonly after?: number; readonly maxReadBytes?: number } = {},
  ): AsyncGenerator<NumberedDocument> {
    const { database, blobs } = this.runtime;
    const most = job.scraped - after;
    if (most <= 0) return;
    const read = { after, most, ...(maxReadBytes === undefined ? {} : { maxReadBytes }) };
    const ports = { database: database.asReader(tenant.id), blobs };
    try {
      for await (const { resultNo, document } of readResults(ports, job.id, read))
        yield { resultNo, document: presentV2Stored(document, job.options.v2?.schemeless) };
    } catch (cause) {
      throw unreadable(job, cause);
    }
  }
}

const SEPARATOR = Buffer.from(',');
const END = Buffer.from(']}');

/** A 502 would make clients of a running job wait for ever, so only the last state of a job that succeeded has it. */
function unreadable({ status }: JobEntity, cause: unknown): unknown {
  if (!(cause instanceof BlobUnavailableError || cause instanceof BlobNotFoundError)) return cause;
  const isDone = isTerminal(status) && status === 'completed';
  return new ApiError(isDone ? 'results_unreadable' : 'results_unavailable', {}, { cause });
}
