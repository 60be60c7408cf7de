import type { CallToolResult } from '@modelcontextprotocol/server';
import { TrawlError, type CrawlInput, type JobSnapshot, type TrawlJob } from '@app/client';
import { z } from 'zod';
import { CliError } from '../../cli-error.js';
import type { ToolCall } from '../calls/tool-call.js';
import { cleanWebLine } from '../text/clean-web-text.js';
import { defineTool } from './define-tool.js';
import { jobIdField, sourcesField, urlField, useField } from './fields.js';
import { crawlAnswer, endedAnswer, jobOutput } from './job-answer.js';

const DEFAULT_PAGES = 10;
const MAX_PAGES = 1_000;
const MAX_DEPTH = 10_000;
const MAX_PATTERNS = 1_000;
const MAX_PATTERN_CHARS = 2_000;
const MAX_DATE_CHARS = 40;
const DEFAULT_WAIT_SECONDS = 300;
const MAX_WAIT_SECONDS = 3_600;
/** Of the request that starts or cancels a crawl; a cancelled call does not interrupt it. */
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_ERROR_CHARS = 300;

const patterns = (description: string) =>
  z
    .array(z.string().min(1).max(MAX_PATTERN_CHARS))
    .max(MAX_PATTERNS)
    .optional()
    .describe(description);

const input = z.strictObject({
  url: urlField('Start page; the crawl stays on its host.'),
  limit: z
    .int()
    .min(1)
    .max(MAX_PAGES)
    .default(DEFAULT_PAGES)
    .describe('Maximum number of pages, each of which costs a credit.'),
  maxDepth: z
    .int()
    .min(0)
    .max(MAX_DEPTH)
    .optional()
    .describe('Maximum distance from the start page, in links.'),
  includePaths: patterns('Only these paths, such as /docs or /blog/**.'),
  excludePaths: patterns('Leave out these paths.'),
  allowBackwardLinks: z
    .boolean()
    .default(false)
    .describe('Also follow links above the path of the start page.'),
  sitemap: z
    .enum(['include', 'skip', 'only'])
    .default('include')
    .describe(
      "Whether the URLs of the site's sitemaps are added, left out, or used instead of links.",
    ),
  sources: sourcesField,
  respectUse: useField('Skip pages whose site does not allow this use.'),
  since: jobIdField
    .optional()
    .describe('Job id of an earlier crawl of the site: read only what has changed, and name it.'),
  modifiedSince: z
    .string()
    .max(MAX_DATE_CHARS)
    .optional()
    .describe('A date: leave out pages whose site says that they are older. Not with since.'),
  onlyMainContent: z
    .boolean()
    .default(true)
    .describe('Leave out menus, footers and banners of each page.'),
  wait: z
    .boolean()
    .default(false)
    .describe(
      'Wait until the crawl ends, with progress. Cancelling the call then cancels the crawl.',
    ),
  waitSeconds: z
    .int()
    .min(1)
    .max(MAX_WAIT_SECONDS)
    .default(DEFAULT_WAIT_SECONDS)
    .describe('With wait: answer after this many seconds at the latest; the crawl goes on.'),
});
type CrawlArgs = z.output<typeof input>;

export const crawlTool = defineTool({
  name: 'crawl',
  title: 'Crawl a site',
  description:
    'Read many pages of one site by following its links and sitemaps. Returns a job id at once; the crawl goes on by itself, also after this session. Follow it with crawl_status, read its pages with crawl_results, stop it with crawl_cancel. With wait it returns when the crawl has ended. For one page use scrape. robots.txt is respected.',
  credits: '1 credit for each page scraped, 0.1 for one unchanged with since',
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  input,
  output: jobOutput,
  run: async (args, call) => {
    const job = await start(args, call);
    try {
      if (args.wait) return await waitFor(job, args, call);
      const state = await job.status({ signal: call.signal });
      return crawlAnswer(state, { running: STARTED });
    } catch (error) {
      if (!call.signal.aborted) throw stateUnknown(job, error);
      await cancel(job, call);
      throw error;
    }
  },
});

const STARTED =
  'The crawl is running. Poll crawl_status until it ends; crawl_results has the pages so far.';

/**
 * Interrupting this request would leave a job without an id. So it is completed even if the call is cancelled, and
 * the job is cancelled then.
 */
async function start(args: CrawlArgs, call: ToolCall): Promise<TrawlJob> {
  const { url, wait: _w, waitSeconds: _s, onlyMainContent, ...options } = args;
  const crawl: CrawlInput = {
    ...options,
    scrapeOptions: { formats: ['markdown'], onlyMainContent, removeBase64Images: true },
  };
  call.signal.throwIfAborted();
  const sent = call.connect().crawl(url, crawl, { timeoutMs: REQUEST_TIMEOUT_MS });
  return call.progress.during('Starting the crawl', sent);
}

async function waitFor(job: TrawlJob, args: CrawlArgs, call: ToolCall): Promise<CallToolResult> {
  const { signal, progress } = call;
  let last: JobSnapshot | undefined;
  const onStatus = (state: JobSnapshot): void => {
    last = state;
    const { status, pages_scraped: scraped } = state;
    const message = `Crawl ${job.id} is ${status}: ${scraped} pages scraped`;
    progress.report({ progress: scraped, total: args.limit, message });
  };
  const timeoutMs = args.waitSeconds * 1_000;
  try {
    const state = await job.wait({ signal, timeoutMs, onStatus });
    return await endedAnswer(job, state, { signal });
  } catch (error) {
    if (last && isTimeout(error)) return crawlAnswer(last, { running: STARTED });
    throw error;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof TrawlError && error.code === 'timeout';
}

async function cancel(job: TrawlJob, { log }: ToolCall): Promise<void> {
  try {
    await job.cancel({ timeoutMs: REQUEST_TIMEOUT_MS });
  } catch (error) {
    log(`crawl ${job.id} was not cancelled: ${String(error)}`);
  }
}

/** Without the id the caller would start the crawl again. */
function stateUnknown({ id }: TrawlJob, error: unknown): unknown {
  if (!(error instanceof TrawlError)) return error;
  return new CliError(
    `Crawl ${id} was started, but its state could not be read: ${cleanWebLine(error.message, MAX_ERROR_CHARS)}`,
    `Do not start it again: call crawl_status with jobId ${id}.`,
  );
}
