import { DropTask, RetryTask, type Delivery } from '@app/broker';
import { isId } from '@app/contracts';
import {
  MAX_HELD_DUE_MS,
  type ClaimedPage,
  jobPageRequest,
  scopeAfter,
  type JobScreenshots,
  type PageLeases,
  type PageClaims,
  endPage,
  leftOut,
  faulty,
  type RepeatedParts,
  postponed,
  type PageEnding,
  type StoredPages,
  type ResultWriter,
  type SitemapPages,
  type CrawlTask,
} from '@app/jobs';
import { annotateSpan, type Logger } from '@app/telemetry';
import { type PageFetcher, type PageResult, RequestPace, waitUnlessAborted } from '@app/scrape';
import type { CrawlThrottle } from '../load/crawl-throttle.js';

export interface CrawlConsumerOptions {
  readonly claims: PageClaims;
  readonly leases: PageLeases;
  readonly pages: PageFetcher;
  readonly sitemaps: SitemapPages;
  readonly stored: StoredPages;
  readonly screenshots: JobScreenshots;
  readonly writer: ResultWriter;
  readonly repeated: RepeatedParts;
  readonly throttle: CrawlThrottle;
  readonly log: Logger;
  readonly fetchTimeoutMs: number;
  /** Product token of this robot in robots directives of pages. */
  readonly robotsAgent: string;
  readonly maxAttempts: number;
}

/**
 * Handler of the `crawl` queue: claims the page in SQL, fetches it or reads its stored copy, and settles
 * it. A message is only a hint: it is void if its page is done, re-dispatched or cancelled. A page
 * whose lease expired on the way is dropped here; its new owner finishes it.
 */
export function crawlHandler(options: CrawlConsumerOptions) {
  return async (delivery: Delivery): Promise<void> => {
    const page = await claimed(parseCrawlTask(delivery.task), options.claims);
    if (!page) return;
    annotateSpan({ 'trawl.job.id': page.jobId });
    const signal = AbortSignal.any([options.leases.hold(page), delivery.signal]);
    const pace = new RequestPace(signal);
    try {
      const ended = await workOn(page, { signal, pace }, options).catch((err: unknown) => {
        if (signal.aborted) return null;
        options.log.error({ err, jobId: page.jobId }, 'a page failed with an internal error');
        return endedBy(faulty(page));
      });
      if (!ended || signal.aborted) return;
      const ending = { ...ended.ending, visits: pace.visits() };
      const isScraped = await options.writer.write(ending, signal);
      // Only what is stored may be left out of later pages.
      if (isScraped && ended.result) options.repeated.learn(page, ended.result);
    } finally {
      options.leases.release(page);
    }
  };
}

const CLAIM_RETRY_MS = 1_000;

/** A short outage of the database must not cost the message. */
async function claimed(task: CrawlTask, claims: PageClaims): Promise<ClaimedPage | null> {
  try {
    return await claims.claim(task);
  } catch (cause) {
    throw new RetryTask(CLAIM_RETRY_MS, 'the page could not be claimed', { cause });
  }
}

interface Terms {
  readonly signal: AbortSignal;
  readonly pace: RequestPace;
}

interface EndedPage {
  readonly ending: PageEnding;
  /** Of a page that was fetched. */
  readonly result?: PageResult;
}

function endedBy(ending: PageEnding): EndedPage {
  return { ending };
}

async function workOn(
  page: ClaimedPage,
  terms: Terms,
  options: CrawlConsumerOptions,
): Promise<EndedPage | null> {
  if (page.attempts > options.maxAttempts) return endedBy(faulty(page));
  if (page.dueInMs > MAX_HELD_DUE_MS) return endedBy(postponed(page));
  const unwanted = leftOut(page);
  if (unwanted !== null) return endedBy(unwanted);
  // A page with a due time of its own is not delayed: a Crawl-delay is kept exactly.
  if (page.dueInMs > 0) await waitUnlessAborted(page.dueInMs, terms.signal);
  else await options.throttle.turn(terms.signal);
  if (page.kind === 'page' && page.jobType !== 'extract') return workOnPage(page, terms, options);
  const reader = page.jobType === 'extract' ? options.stored : options.sitemaps;
  const ending = await reader.work(page, terms);
  return ending && endedBy(ending);
}

async function workOnPage(
  page: ClaimedPage,
  terms: Terms,
  options: CrawlConsumerOptions,
): Promise<EndedPage | null> {
  const { fetchTimeoutMs, robotsAgent, maxAttempts } = options;
  const request = jobPageRequest(page, { ...terms, fetchTimeoutMs, robotsAgent });
  const result = await options.pages.fetch(request);
  if (terms.signal.aborted) return null;
  const shortened = options.repeated.without(page, result);
  const scope = scopeAfter(page, result);
  const screenshot = await options.screenshots.keep(page, result, scope);
  const ending = endPage(page, result, { scope, maxAttempts, shortened, screenshot });
  return { ending: await options.sitemaps.seeded(ending, result, terms), result };
}

function parseCrawlTask(value: unknown): CrawlTask {
  const task = value as Partial<CrawlTask> | null;
  const isTask =
    typeof task?.jobId === 'string' &&
    isId(task.jobId) &&
    typeof task.urlKey === 'string' &&
    /^[0-9a-f]{32}$/.test(task.urlKey) &&
    Number.isInteger(task.epoch);
  if (!isTask) throw new DropTask('not a crawl task');
  return task as CrawlTask;
}
