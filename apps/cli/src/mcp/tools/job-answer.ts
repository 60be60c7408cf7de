import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JobSnapshot, TrawlJob } from '@app/client';
import { z } from 'zod';
import { cleanWebLine } from '../text/clean-web-text.js';

const MAX_URL_CHARS = 500;
const MAX_ERROR_CHARS = 500;

const counted = z.record(z.string(), z.int());

/** The structured result of tools that start, follow and cancel crawls. */
export const jobOutput = z.object({
  jobId: z.string().describe('Pass it to crawl_status, crawl_results and crawl_cancel.'),
  status: z.string().describe('queued, running, processing, completed, failed or cancelled.'),
  isOver: z.boolean().describe('The status will not change any more.'),
  url: z.string().describe('Start page.'),
  pagesScraped: z.int().describe('Pages with a result, which crawl_results returns.'),
  pages: counted.describe('Number of discovered URLs in each state.'),
  failed: counted.describe('Failed URLs by error class.'),
  skipped: counted.describe('Skipped URLs by reason.'),
  changes: counted.optional().describe('With since: pages by how they differ.'),
  changedUrls: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe(
      'With since, at the end: up to 20 URLs each of pages that are new, changed or gone (404 or 410). Others that count as gone, because they have moved or are copies, are only in GET /v1/crawl/:id/changes.',
    ),
  error: z.string().nullable().describe('Why the crawl failed.'),
  next: z.string().describe('Next step.'),
});

const OVER = ['completed', 'failed', 'cancelled'];

const STATES = { new: 'scraped', changed: 'scraped', gone: 'failed' } as const;
const NAMED_URLS = 20;

/** The same for the state of a job, which may have ended: then its answer names the pages that differ. */
export async function endedAnswer(
  job: TrawlJob,
  state: JobSnapshot,
  { signal, running }: { readonly signal: AbortSignal; readonly running?: string },
): Promise<CallToolResult> {
  const isNamed = OVER.includes(state.status) && state.changes !== undefined;
  return crawlAnswer(state, {
    running,
    changed: isNamed ? await changedUrls(job, state, signal) : undefined,
  });
}

type ChangedUrls = NonNullable<z.output<typeof jobOutput>['changedUrls']>;

async function changedUrls(
  job: TrawlJob,
  { changes, failed }: JobSnapshot,
  signal: AbortSignal,
): Promise<ChangedUrls> {
  const named: ChangedUrls = {};
  // Others that are gone are among the skipped ones, where the report does not tell them apart.
  const counts = { ...changes, gone: failed['gone'] };
  for (const change of ['new', 'changed', 'gone'] as const) {
    const most = Math.min(NAMED_URLS, counts[change] ?? 0);
    // Nothing is requested for a kind that has none, nor beyond the last that is named.
    if (most === 0) continue;
    const urls: string[] = (named[change] = []);
    for await (const { url } of job.urls({ state: STATES[change], reason: change, signal })) {
      urls.push(cleanWebLine(url, MAX_URL_CHARS));
      if (urls.length === most) break;
    }
  }
  return named;
}

/** @param running next step while the job is not over */
export function crawlAnswer(
  job: JobSnapshot,
  {
    running = 'The crawl is not over. Poll crawl_status again in some seconds.',
    changed,
  }: { readonly running?: string | undefined; readonly changed?: ChangedUrls | undefined } = {},
): CallToolResult {
  const isOver = OVER.includes(job.status);
  const structuredContent: z.output<typeof jobOutput> = {
    jobId: job.id,
    status: job.status,
    isOver,
    url: cleanWebLine(job.url, MAX_URL_CHARS),
    pagesScraped: job.pages_scraped,
    pages: { ...job.pages },
    failed: counts(job.failed),
    skipped: counts(job.skipped),
    ...(job.changes ? { changes: { ...job.changes } } : {}),
    ...(changed ? { changedUrls: changed } : {}),
    error: job.error === null ? null : cleanWebLine(job.error, MAX_ERROR_CHARS),
    next: isOver ? nextOf(job) : running,
  };
  const content = [{ type: 'text' as const, text: JSON.stringify(structuredContent) }];
  return { content, structuredContent };
}

function nextOf({ pages_scraped: scraped, status }: JobSnapshot): string {
  if (scraped > 0) return 'Call crawl_results with this job id to list the pages.';
  return status === 'cancelled'
    ? 'The crawl was cancelled before it scraped a page.'
    : 'No page was scraped: failed and skipped name the reasons.';
}

function counts(byReason: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(byReason).flatMap(([reason, count]) =>
      typeof count === 'number' ? [[reason, count]] : [],
    ),
  );
}
