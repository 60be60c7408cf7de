import { DropTask, RetryTask, type Delivery } from '@app/broker';
import {
  Deadline,
  DEFAULT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  isId,
  type CrawlTask,
} from '@app/contracts';
import type { ScopeOptions } from '@app/crawl';
import { PLAIN_RENDER } from '@app/fetch';
import type { ClaimedPage } from '@app/store';
import type { Logger } from '@app/telemetry';
import { scopeOf } from './content/scope-of.js';
import type { LeaseKeeper } from './lease-keeper.js';
import type { PageClaims } from './page-claims.js';
import { endPage, faulty, type PageEnding } from './page-ending.js';
import type { PageFetcher } from './page-fetcher.js';
import type { ResultWriter } from './result-writer.js';

export interface CrawlConsumerOptions {
  readonly claims: PageClaims;
  readonly leases: LeaseKeeper;
  readonly pages: PageFetcher;
  readonly writer: ResultWriter;
  readonly log: Logger;
  readonly fetchTimeoutMs: number;
  readonly maxAttempts: number;
}

/**
 * Handler of the `crawl` queue: claim the page in SQL, fetch it, make it count. A message is only a
 * hint: one whose page is done, re-dispatched or cancelled is void. A page whose lease is lost on the
 * way is dropped here; whoever has it now finishes it.
 */
export function crawlHandler(options: CrawlConsumerOptions) {
  return async (delivery: Delivery): Promise<void> => {
    const page = await claimed(parseCrawlTask(delivery.task), options.claims);
    if (!page) return;
    const lease = options.leases.hold(page);
    const signal = AbortSignal.any([lease.signal, delivery.signal]);
    try {
      const ending = await workOn(page, signal, options).catch((err: unknown) => {
        if (signal.aborted) return null;
        options.log.error({ err, jobId: page.jobId }, 'a page failed by a fault of ours');
        return faulty(page);
      });
      if (ending && !signal.aborted) await options.writer.write(ending, signal);
    } finally {
      options.leases.release(lease);
    }
  };
}

const CLAIM_RETRY_MS = 1_000;

/** A database that is away for a moment must not cost the message. */
async function claimed(task: CrawlTask, claims: PageClaims): Promise<ClaimedPage | null> {
  try {
    return await claims.claim(task);
  } catch (cause) {
    throw new RetryTask(CLAIM_RETRY_MS, 'the page could not be claimed', { cause });
  }
}

async function workOn(
  page: ClaimedPage,
  signal: AbortSignal,
  options: CrawlConsumerOptions,
): Promise<PageEnding | null> {
  if (page.attempts > options.maxAttempts) return faulty(page);
  const scope = scopeOptions(page);
  const result = await options.pages.fetch({
    url: page.url,
    deadline: Deadline.after(options.fetchTimeoutMs),
    signal,
    ignoreRobotsTxt: page.options.ignoreRobotsTxt,
    markdown: true,
    rawHtml: false,
    links: false,
    listing: false,
    branding: false,
    chunks: false,
    fetch: DEFAULT_FETCH_OPTIONS,
    content: DEFAULT_CONTENT_OPTIONS,
    render: { ...PLAIN_RENDER, contextKey: `${page.jobId} ${new URL(page.url).host}` },
    // Whoever dispatches waits instead: a delay never holds a worker.
    onRetryAfter: 'report',
    crawl: { jobId: page.jobId, depth: page.depth, scope },
  });
  if (signal.aborted) return null;
  return endPage(page, result, {
    scope: scopeOf(page.jobId, scope),
    maxAttempts: options.maxAttempts,
  });
}

function scopeOptions({ seed, options }: ClaimedPage): ScopeOptions {
  return {
    seed,
    maxDepth: options.maxDepth,
    includePaths: options.includePaths,
    excludePaths: options.excludePaths,
    allowBackwardLinks: options.allowBackwardLinks,
  };
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
