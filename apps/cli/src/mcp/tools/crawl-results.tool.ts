import type { CallToolResult } from '@modelcontextprotocol/server';
import type { CrawledPage, JobUpdate } from '@app/client';
import { z } from 'zod';
import { CliError } from '../../cli-error.js';
import type { ToolCall } from '../calls/tool-call.js';
import { cleanWebLine } from '../text/clean-web-text.js';
import { tokenEstimate } from '../text/estimate-tokens.js';
import { defineTool, READS_RESULTS } from './define-tool.js';
import { jobIdField, pagingFields } from './fields.js';
import { joinBlocks, pageHead, partialNote } from './page-text.js';
import { pagedAnswer, type ToolText } from './paged-answer.js';

const DEFAULT_LISTED = 20;
const MAX_LISTED = 100;
const MAX_NUMBER = 2 ** 31 - 1;
const MAX_TITLE_CHARS = 200;
const MAX_LISTED_URL_CHARS = 500;

const input = z.strictObject({
  jobId: jobIdField,
  page: z
    .int()
    .min(1)
    .max(MAX_NUMBER)
    .optional()
    .describe('Read this page in full: its number in the list. Without it: the list.'),
  cursor: z
    .int()
    .min(0)
    .max(MAX_NUMBER)
    .default(0)
    .describe('Of the list: pages to skip. The list names the next cursor.'),
  limit: z
    .int()
    .min(1)
    .max(MAX_LISTED)
    .default(DEFAULT_LISTED)
    .describe('Of the list: maximum number of pages.'),
  ...pagingFields,
});
type ResultsArgs = z.output<typeof input>;

export const crawlResultsTool = defineTool({
  name: 'crawl_results',
  title: 'Pages of a crawl',
  description:
    'Read the pages of a crawl, while it runs or after it. Without page it lists number, title, URL and length of each page; with page it returns the text of that one. Nothing is fetched from the site.',
  credits: 'nothing',
  annotations: READS_RESULTS,
  input,
  run: (args, call) =>
    args.page === undefined
      ? list(args, call)
      : pagedAnswer(call, args, () => readPage(args, call, args.page ?? 1)),
});

/** The page results after `after`, as far as they are stored: the state of the job comes after them. */
async function* storedPages(
  call: ToolCall,
  jobId: string,
  after: number,
): AsyncGenerator<Extract<JobUpdate, { type: 'page' }>, void> {
  const { signal } = call;
  for await (const update of call.connect().job(jobId).updates({ after, signal })) {
    if (update.type === 'status') return;
    yield update;
  }
}

async function readPage({ jobId }: ResultsArgs, call: ToolCall, number: number): Promise<ToolText> {
  for await (const { page } of storedPages(call, jobId, number - 1)) return pageText(number, page);
  throw new CliError(
    `The crawl has no page ${number} yet.`,
    'Call crawl_results without page to list the pages that are stored.',
  );
}

function pageText(number: number, page: CrawledPage): ToolText {
  const { url, markdown = '', metadata = {} } = page;
  const text = joinBlocks([pageHead(metadata), markdown]);
  const facts = [
    `Page ${number}`,
    ...(page.statusCode === undefined ? [] : [`HTTP ${page.statusCode}`]),
    `about ${tokenEstimate(text)} tokens in all`,
  ];
  return { about: `${facts.join(', ')}.${partialNote(page)}`, source: url, text };
}

/** Lists pages until one of the limits; the next call continues after the last one. */
async function list(args: ResultsArgs, call: ToolCall): Promise<CallToolResult> {
  const { jobId, cursor, limit, maxTokens } = args;
  const state = await call.connect().job(jobId).status({ signal: call.signal });
  const { pages_scraped: scraped, status } = state;
  const rows: string[] = [];
  let tokens = 0;
  if (cursor < scraped)
    for await (const { position, page } of storedPages(call, jobId, cursor)) {
      const row = listRow(position, page);
      tokens += tokenEstimate(row) + 1;
      if (rows.length > 0 && tokens > maxTokens) break;
      rows.push(row);
      if (rows.length === limit) break;
    }
  const last = cursor + rows.length;
  const about = `Crawl ${jobId} is ${status} and has ${scraped} pages. ${
    rows.length === 0 ? `None after ${cursor}.` : `Pages ${cursor + 1} to ${last}:`
  }`;
  const texts = [
    about,
    ...(rows.length === 0 ? [] : [call.mark.around(rows.join('\n'), `pages of crawl ${jobId}`)]),
    nextStep({ last, scraped, isEmpty: rows.length === 0 }),
  ];
  return { content: texts.map((text) => ({ type: 'text', text })) };
}

function nextStep(state: { last: number; scraped: number; isEmpty: boolean }): string {
  const { last, scraped, isEmpty } = state;
  const more =
    last < scraped
      ? `For more pages, call crawl_results with ${JSON.stringify({ cursor: last })}.`
      : '';
  const read = isEmpty ? '' : 'To read one, call crawl_results with its number as page.';
  return (
    [read, more].filter((step) => step !== '').join(' ') ||
    'crawl_status says whether more pages follow.'
  );
}

function listRow(position: number, page: CrawledPage): string {
  const title = cleanWebLine(page.metadata?.title ?? '(no title)', MAX_TITLE_CHARS);
  const url = cleanWebLine(page.url, MAX_LISTED_URL_CHARS);
  return `${position}. ${title} | ${url} | about ${tokenEstimate(page.markdown ?? '')} tokens${partialNote(page)}`;
}
