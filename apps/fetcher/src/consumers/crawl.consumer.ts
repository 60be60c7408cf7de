import { DropTask, RetryTask, type Delivery } from '@app/broker';
import { isId } from '@app/contracts';
import {
  MAX_HELD_DUE_MS,
  type ClaimedPage,
  jobPageRequest,
  scopeOptions,
  type JobScreenshots,
  type LeaseKeeper,
  type PageClaims,
  endPage,
  faulty,
  postponed,
  type PageEnding,
  type StoredPages,
  type ResultWriter,
  type SitemapPages,
  type CrawlTask,
} from '@app/jobs';
import { annotateSpan, type Logger } from '@app/telemetry';
import { scopeOf, type PageFetcher, RequestPace, waitUnlessAborted } from '@app/scrape';
import type { CrawlThrottle } from '../load/crawl-throttle.js';

export interface CrawlConsumerOptions {
  readonly claims: PageClaims;
  readonly leases: LeaseKeeper;
  readonly pages: PageFetcher;
  readonly sitemaps: SitemapPages;
  readonly stored: StoredPages;
  readonly screenshots: JobScreenshots;
  readonly writer: ResultWriter;
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
    const lease = options.leases.hold(page);
    const signal = AbortSignal.any([lease.signal, delivery.signal]);
    const pace = new RequestPace(signal);
    try {
      const ending = await workOn(page, { signal, pace }, options).catch((err: unknown) => {
        if (signal.aborted) return null;
        options.log.error({ err, jobId: page.jobId }, 'a page failed with an internal error');
        return faulty(page);
      });
      if (!ending || signal.aborted) return;
      await options.writer.write({ ...ending, visits: pace.visits() }, signal);
    } finally {
      options.leases.release(lease);
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

async function workOn(
  page: ClaimedPage,
  terms: Terms,
  options: CrawlConsumerOptions,
): Promise<PageEnding | null> {
  if (page.attempts > options.maxAttempts) return faulty(page);
  if (page.dueInMs > MAX_HELD_DUE_MS) return postponed(page);
  // A page with a due time of its own is not delayed: a Crawl-delay is kept exactly.
  if (page.dueInMs > 0) await waitUnlessAborted(page.dueInMs, terms.signal);
  else await options.throttle.turn(terms.signal);
  if (page.jobType === 'extract') return options.stored.work(page, terms);
  switch (page.kind) {
    case 'sitemap':
      return options.sitemaps.work(page, terms);
    case 'page':
      return workOnPage(page, terms, options);
  }
}

async function workOnPage(
  page: ClaimedPage,
  terms: Terms,
  options: CrawlConsumerOptions,
): Promise<PageEnding | null> {
  const { fetchTimeoutMs, robotsAgent, maxAttempts } = options;
  const request = jobPageRequest(page, { ...terms, fetchTimeoutMs, robotsAgent });
  const result = await options.pages.fetch(request);
  if (terms.signal.aborted) return null;
  const context = { scope: scopeOf(page.jobId, scopeOptions(page)), maxAttempts };
  const ending = endPage(page, result, context);
  // The screenshot is stored only if the page is.
  const screenshot = ending.document && (await options.screenshots.keep(page, result));
  const ended = screenshot ? endPage(page, result, { ...context, screenshot }) : ending;
  return options.sitemaps.seeded(ended, result, terms);
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
