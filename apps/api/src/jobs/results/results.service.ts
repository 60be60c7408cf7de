import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BlobUnavailableError } from '@app/blobs';
import { isTerminal, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { DiffThreads } from '@app/scrape';
import {
  type Comparison,
  type JobEntity,
  readChanges,
  readResults,
  type ResultPorts,
  type StoredResult,
  gathered,
  warcFileName,
  writeWarc,
} from '@app/jobs';
import type { Tenant } from '@app/accounts';
import { invalidRequest } from '../../http/invalid-request.js';
import { JobsService } from '../jobs.service.js';
import { InjectRuntime } from '../../runtime.token.js';
import { csvOf, MAX_ZIPPED_PAGES, zipOf } from './result-files.js';
import type { ResultsPage } from './results.dto.js';

/** A page of results ends early instead of exceeding this size. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const NEWLINE = Buffer.from('\n');

/** The requested part of a job's page results: `most` after the first `after`. */
export interface ResultRange {
  readonly after: number;
  readonly most: number;
}

@Injectable()
export class ResultsService implements OnModuleDestroy {
  private threads: DiffThreads | undefined;

  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'blobs'>,
    private readonly jobs: JobsService,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await this.threads?.close();
  }

  async page(tenant: Tenant, id: string, range: ResultRange): Promise<ResultsPage> {
    const job = await this.jobs.findKept(tenant, id);
    const results: object[] = [];
    let bytes = 0;
    let last = range.after;
    const documents = readResults(this.portsFor(tenant), job.id, range);
    for await (const { resultNo, document } of readable(documents)) {
      bytes += document.byteLength;
      if (results.length > 0 && bytes > MAX_PAGE_BYTES) break;
      results.push(JSON.parse(document.toString('utf8')) as object);
      last = resultNo;
    }
    const isMore = last < job.scraped || !isTerminal(job.status);
    return { id: job.id, status: job.status, results, next: isMore ? String(last) : null };
  }

  /** One JSON line per page result, up to the current end. */
  async lines(tenant: Tenant, id: string, range: ResultRange): Promise<AsyncGenerator<Buffer>> {
    const job = await this.jobs.findKept(tenant, id);
    const documents = readResults(this.portsFor(tenant), job.id, range);
    async function* lines(): AsyncGenerator<Buffer> {
      for await (const { document } of documents) {
        yield document;
        yield NEWLINE;
      }
    }
    return readable(gathered(lines()));
  }

  /** A job whose results are kept. @throws ApiError */
  jobOf(tenant: Tenant, id: string): Promise<JobEntity> {
    return this.jobs.findKept(tenant, id);
  }

  /** JSON lines: see `readChanges`. @param isCompared says of pages that have changed what differs */
  async changes(tenant: Tenant, id: string, isCompared: boolean): Promise<AsyncGenerator<Buffer>> {
    const job = await this.jobs.findKept(tenant, id);
    const baseId = isCompared ? job.options.since : undefined;
    const comparison = baseId === undefined ? undefined : this.comparisonWith(baseId, tenant);
    return readable(gathered(readChanges(this.portsFor(tenant), job.id, comparison)));
  }

  private comparisonWith(baseId: string, { id }: Tenant): Comparison {
    const threads = (this.threads ??= new DiffThreads());
    return { baseId, compare: (before, after) => threads.diff(before, after, id) };
  }

  /** A CSV file with a line for each page result, up to the current end. */
  async table(tenant: Tenant, id: string): Promise<AsyncGenerator<Buffer>> {
    const job = await this.jobs.findKept(tenant, id);
    return readable(gathered(csvOf(this.all(tenant, job))));
  }

  /** The Markdown of each page result in a ZIP archive, up to the current end. */
  async files(tenant: Tenant, id: string): Promise<AsyncGenerator<Buffer>> {
    const job = await this.jobs.findKept(tenant, id);
    if (job.scraped > MAX_ZIPPED_PAGES)
      throw invalidRequest(
        `A ZIP archive holds ${MAX_ZIPPED_PAGES} pages, and this job has ${job.scraped}: download its JSON lines`,
      );
    return readable(gathered(zipOf(this.all(tenant, job))));
  }

  private all(tenant: Tenant, job: JobEntity): AsyncGenerator<StoredResult> {
    return readResults(this.portsFor(tenant), job.id, { after: 0, most: job.scraped });
  }

  /** A web archive of the results so far. */
  async archive(
    tenant: Tenant,
    id: string,
  ): Promise<{ readonly fileName: string; readonly bytes: AsyncGenerator<Buffer> }> {
    const job = await this.jobs.findKept(tenant, id);
    if (job.type === 'extract') throw nothingVisited(job);
    const records = writeWarc(this.portsFor(tenant), job);
    return { fileName: warcFileName(job), bytes: readable(gathered(records)) };
  }

  /** Reads rows of the tenant and no other. */
  private portsFor({ id }: Tenant): ResultPorts {
    const { database, blobs } = this.runtime;
    return { database: database.asReader(id), blobs };
  }
}

/** An archive records when a page was visited, which a job over stored pages does not know. */
function nothingVisited({ options }: JobEntity): ApiError {
  const source = options.extract?.sourceJobId ?? '';
  return invalidRequest(
    `\`format=warc\` needs a job that fetched its pages: use the archive of job ${source}`,
  );
}

/** Unavailable storage is a 503: it is usually back soon. */
async function* readable<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (cause) {
    if (!(cause instanceof BlobUnavailableError)) throw cause;
    throw new ApiError('results_unavailable', {}, { cause });
  }
}
