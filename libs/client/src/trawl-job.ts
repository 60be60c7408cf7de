import { abortableDelay, type ApiConnection, type CallOptions } from './api-connection.js';
import { JobFollower, type FollowOptions, type JobUpdate } from './follow-job.js';
import type { CrawledPage, JobSnapshot, JobUrl, ReextractInput, Schemas } from './schemas.js';
import { readLines } from './server-events.js';
import { TrawlError } from './trawl-error.js';

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Rejects with code `timeout` if the job is not over by then; the job goes on. @default no limit */
  readonly timeoutMs?: number;
  /** Called with every state that is read. */
  readonly onStatus?: (job: JobSnapshot) => void;
}

export interface PageSearchOptions extends CallOptions {
  /** At most 50. @default 10 */
  readonly limit?: number;
  /** `next` of the previous answer, for the same query. */
  readonly cursor?: string;
  /** Parts of each page that have the words, 1 to 5; `limit` is then at most 10. @default none */
  readonly passages?: number | undefined;
}

export interface UrlsOptions {
  readonly state?: JobUrl['state'];
  /** Error class of a failure, or reason of a skip. */
  readonly reason?: string;
  readonly signal?: AbortSignal;
}

export interface ChangesOptions extends CallOptions {
  /** Also says of pages that have changed what differs. @default false */
  readonly diff?: boolean;
}

/** A page to put into a copy of the site, or to take out. */
export type PageChange =
  | {
      readonly op: 'upsert';
      /** That of the address: the same in every crawl. */
      readonly id: string;
      readonly url: string;
      readonly change: 'new' | 'changed';
      /** With `diff`, of a page that has changed. Null: its results differ too much, or cannot be compared. */
      readonly diff?: string | null;
      /** Lines that only one of the results has. */
      readonly changed_lines?: number | null;
      readonly result: CrawledPage;
    }
  | {
      readonly op: 'delete';
      readonly id: string;
      readonly url: string;
      /** Error class of a failure, or reason of a skip. */
      readonly reason: string;
      /** The page that it leads to, or is a copy of. */
      readonly moved_to?: string;
    };

const FIRST_POLL_MS = 500;
const MAX_POLL_MS = 5_000;
const REPORTED_URLS = 1_000;

/**
 * A crawl, a batch or an extraction that runs in the background. It goes on when the program ends; `trawl.job(id)`
 * returns to it. `for await (const page of job)` yields its page results, while it runs or after it.
 */
export class TrawlJob implements AsyncIterable<CrawledPage> {
  private readonly path: string;

  constructor(
    private readonly connection: ApiConnection,
    readonly id: string,
    /** What the service said when it started the job, such as a page limit that it cut; undefined for another's job. */
    readonly message?: string,
  ) {
    this.path = `/v1/jobs/${encodeURIComponent(id)}`;
  }

  /** The state of the job now. `result_url` of a completed job is signed and expires. */
  status(options: CallOptions = {}): Promise<JobSnapshot> {
    return this.connection.json({ ...options, method: 'GET', path: this.path });
  }

  /** Page results in the order in which they were scraped; see {@link pages}. */
  [Symbol.asyncIterator](): AsyncGenerator<CrawledPage, void> {
    return this.pages();
  }

  /**
   * Page results as they are stored, until the job ends. Connections that break are opened again, and every page
   * comes once.
   * @throws TrawlError `job_failed` after the last page if the job failed; a cancelled job just ends
   */
  async *pages(options: FollowOptions = {}): AsyncGenerator<CrawledPage, void> {
    for await (const update of this.updates(options)) {
      if (update.type === 'page') yield update.page;
      else if (update.job.status === 'failed') throw failureOf(update.job);
    }
  }

  /** Page results with their positions, and the state of the job when it has changed. */
  updates(options: FollowOptions = {}): AsyncGenerator<JobUpdate, void> {
    return new JobFollower(this.connection, this.id, options).updates();
  }

  /** Resolves when the job is completed, failed or cancelled: see `status` of the result. */
  async wait({ signal, timeoutMs = Infinity, onStatus }: WaitOptions = {}): Promise<JobSnapshot> {
    const endsAt = performance.now() + timeoutMs;
    let isLastLook = false;
    for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(MAX_POLL_MS, delayMs * 1.5)) {
      const job = await this.status({ signal });
      onStatus?.(job);
      if (isOver(job)) return job;
      const leftMs = endsAt - performance.now();
      if (isLastLook || leftMs <= 0)
        throw new TrawlError(`The job is ${job.status} after ${timeoutMs} ms`, {
          code: 'timeout',
          hint: 'The job goes on: wait again, or cancel it.',
        });
      // A timer may end a little before its time.
      isLastLook = leftMs <= delayMs;
      await abortableDelay(Math.min(delayMs, leftMs), signal);
    }
  }

  /** Cancels the job. No request leaves for the site 5 s after the response; a job that is over stays as it is. */
  cancel(options: CallOptions = {}): Promise<Schemas['JobCancelled']> {
    return this.connection.json({ ...options, method: 'DELETE', path: this.path });
  }

  /** URL report: every discovered URL with its state and the reason, as far as the job has come. */
  async *urls({ state, reason, signal }: UrlsOptions = {}): AsyncGenerator<JobUrl, void> {
    let cursor: string | undefined;
    do {
      const page = await this.connection.json<Schemas['LedgerPage']>({
        ...{ method: 'GET', path: `/v1/crawl/${encodeURIComponent(this.id)}/urls`, signal },
        query: { state, reason, cursor, limit: REPORTED_URLS },
      });
      yield* page.urls;
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
  }

  /** What the crawl changes in a copy of the site: pages to put in, then pages to take out, by ids that are the same in every crawl. */
  async *changes({ diff, ...options }: ChangesOptions = {}): AsyncGenerator<PageChange, void> {
    const path = `/v1/crawl/${encodeURIComponent(this.id)}/changes`;
    const call = { ...options, method: 'GET', path, accept: 'application/x-ndjson' } as const;
    const { body } = await this.connection.open({
      ...call,
      query: { diff: diff ? 'true' : undefined },
    });
    const { signal } = options;
    if (body)
      for await (const line of readLines(body, signal ? { signal } : {}))
        yield JSON.parse(line) as PageChange;
  }

  /** Full text search of the stored pages of a crawl or batch that was started with `index: true`; best matches first. */
  search(query: string, options: PageSearchOptions = {}): Promise<Schemas['PageSearchAnswer']> {
    const { limit, cursor, passages, ...call } = options;
    return this.connection.json({
      ...{ ...call, method: 'GET', path: `/v1/crawl/${encodeURIComponent(this.id)}/search` },
      query: { q: query, limit, cursor, passages },
    });
  }

  /** Produces other formats or data from the stored pages, as a new job. It sends no request to the sites. */
  async extract(options: ReextractInput, call: CallOptions = {}): Promise<TrawlJob> {
    const { jobId } = await this.connection.json<Schemas['ReextractAccepted']>({
      ...{ ...call, method: 'POST', path: `/v1/crawl/${encodeURIComponent(this.id)}/extract` },
      body: options,
    });
    return new TrawlJob(this.connection, jobId);
  }
}

function isOver({ status }: JobSnapshot): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function failureOf({ id, error }: JobSnapshot): TrawlError {
  return new TrawlError(`Job ${id} failed: ${error ?? 'the service gives no reason'}`, {
    code: 'job_failed',
    hint: 'urls() lists what happened to each URL.',
  });
}
