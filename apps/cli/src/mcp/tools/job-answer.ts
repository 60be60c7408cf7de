import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JobSnapshot } from '@app/client';
import { z } from 'zod';
import { cleanWebLine } from '../text/clean-web-text.js';

const MAX_URL_CHARS = 500;
const MAX_ERROR_CHARS = 500;

/** The structured result of tools that start, follow and cancel crawls. */
export const jobOutput = z.object({
  jobId: z.string().describe('Pass it to crawl_status, crawl_results and crawl_cancel.'),
  status: z.string().describe('queued, running, processing, completed, failed or cancelled.'),
  isOver: z.boolean().describe('The status will not change any more.'),
  url: z.string().describe('Start page.'),
  pagesScraped: z.int().describe('Pages with a result, which crawl_results returns.'),
  pages: z.record(z.string(), z.int()).describe('Number of discovered URLs in each state.'),
  failed: z.record(z.string(), z.int()).describe('Failed URLs by error class.'),
  skipped: z.record(z.string(), z.int()).describe('Skipped URLs by reason.'),
  error: z.string().nullable().describe('Why the crawl failed.'),
  next: z.string().describe('Next step.'),
});

const OVER = ['completed', 'failed', 'cancelled'];

/** @param running next step while the job is not over */
export function crawlAnswer(
  job: JobSnapshot,
  running = 'The crawl is not over. Poll crawl_status again in some seconds.',
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
