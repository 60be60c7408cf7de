import { z } from 'zod';
import type { SearchOutput } from '@app/client';
import { request } from '../calls/tool-call.js';
import { defineTool, READS_THE_WEB } from './define-tool.js';
import { pagingFields } from './fields.js';
import { joinBlocks } from './page-text.js';
import { pagedAnswer, type ToolText } from './paged-answer.js';

const DEFAULT_RESULTS = 10;
const MAX_RESULTS = 100;
const MAX_QUERY_CHARS = 2_000;
const MAX_DOMAINS = 20;

const domains = (description: string) =>
  z.array(z.string().min(1).max(253)).max(MAX_DOMAINS).optional().describe(description);

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(MAX_QUERY_CHARS)
    .describe('Search terms; operators such as site: and filetype: work.'),
  limit: z
    .int()
    .min(1)
    .max(MAX_RESULTS)
    .default(DEFAULT_RESULTS)
    .describe('Maximum number of results.'),
  includeDomains: domains('Only results of these domains.'),
  excludeDomains: domains('No results of these domains.'),
  categories: z
    .array(z.enum(['github', 'research', 'pdf']))
    .optional()
    .describe('Only code repositories, research papers or PDF files.'),
  tbs: z
    .enum(['qdr:d', 'qdr:w', 'qdr:m', 'qdr:y'])
    .optional()
    .describe('Only results of the last day, week, month or year.'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .optional()
    .describe('Two-letter country of the searcher, us by default.'),
  scrapeResults: z
    .boolean()
    .default(false)
    .describe(
      'Add the text of each result page. The answer becomes long; scrape single pages instead if a few are enough.',
    ),
  include_answer: z
    .boolean()
    .default(false)
    .describe(
      'Add an answer that a model writes from the first results, citing them as [1], [2] ….',
    ),
  ...pagingFields,
});

export const searchTool = defineTool({
  name: 'search',
  title: 'Search the web',
  description:
    'Find pages anywhere on the web by a query. Returns position, title, URL and snippet of each result. Read the promising ones with scrape.',
  credits: '2 credits for each 10 results, 0 without a result',
  annotations: READS_THE_WEB,
  input,
  run: (args, call) =>
    pagedAnswer(call, args, async () => {
      const { query, maxTokens: _m, offset: _o, copy: _c, ...options } = args;
      const found = await request(call, 'Searching', (trawl, sent) =>
        trawl.search(query, options, sent),
      );
      return toText(found);
    }),
});

function toText({ query, results, source, answer }: SearchOutput): ToolText {
  const entries = results.map(({ url, title, snippet, position, markdown }) =>
    joinBlocks([`${position}. ${title}\n${url}${snippet ? `\n${snippet}` : ''}`, markdown ?? '']),
  );
  const about =
    results.length === 0
      ? 'No results. Try other terms or fewer filters.'
      : `${results.length} results.`;
  const text = joinBlocks([answerText(answer), ...entries]);
  return {
    about: source ? `${about} Source: ${source}.` : about,
    source: `search: ${query}`,
    text,
  };
}

function answerText(answer: unknown): string {
  if ((answer ?? null) === null) return '';
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return `Answer of a model, from the results below: ${text}`;
}
