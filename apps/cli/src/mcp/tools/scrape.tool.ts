import { z } from 'zod';
import type { Schemas, ScrapeInput, ScrapeOutput } from '@app/client';
import { LINK_STYLE_NAMES } from '../../commands/options.js';
import { request, type ToolCall } from '../calls/tool-call.js';
import { tokenEstimate } from '../text/estimate-tokens.js';
import { defineTool, READS_THE_WEB } from './define-tool.js';
import { pagingFields, urlField, useField } from './fields.js';
import { joinBlocks, pageHead, partialNote } from './page-text.js';
import { pagedAnswer, type ToolText } from './paged-answer.js';

const MAX_SELECTORS = 50;
const MAX_SELECTOR_CHARS = 500;
const MAX_QUESTION_CHARS = 500;
const MAX_WAIT_MS = 60_000;
const MAX_AGE_MS = 30 * 24 * 3_600_000;
/** A reader who continues accepts the copy that the service keeps for its cache, however old. */
const CONTINUE_MAX_AGE_MS = 48 * 3_600_000;

const selectors = (description: string) =>
  z
    .array(z.string().min(1).max(MAX_SELECTOR_CHARS))
    .max(MAX_SELECTORS)
    .optional()
    .describe(description);

const input = z.strictObject({
  url: urlField('Page or document file to read, http:// or https://.'),
  onlyMainContent: z
    .boolean()
    .default(true)
    .describe('Leave out menus, footers and banners. Use false if something is missing.'),
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .optional()
    .describe(
      'Return only the passages that answer it, best first, in place of the whole page: takes far fewer tokens. Use words that the page may use, in its language.',
    ),
  links: z.boolean().default(false).describe('Add the links of the page after its text.'),
  linkStyle: z
    .enum(LINK_STYLE_NAMES)
    .default('inlined')
    .describe(
      'Addresses in the text: inlined behind each link, referenced by number in a list at the end, or omitted, which takes fewest tokens.',
    ),
  includeTags: selectors('CSS selectors: keep only matching elements.'),
  excludeTags: selectors('CSS selectors: leave out matching elements.'),
  forceHeadless: z
    .boolean()
    .default(false)
    .describe(
      'Start with the browser. Rarely needed: pages that need scripts are rendered anyway.',
    ),
  waitFor: z
    .int()
    .min(0)
    .max(MAX_WAIT_MS)
    .default(0)
    .describe('Milliseconds to wait after load, in a browser.'),
  respectUse: useField('Refuse the page if its site does not allow this use.'),
  maxAge: z
    .int()
    .min(0)
    .max(MAX_AGE_MS)
    .default(0)
    .describe('Accept a cached copy up to this age in milliseconds. 0: fetch the page now.'),
  ...pagingFields,
});

export const scrapeTool = defineTool({
  name: 'scrape',
  title: 'Read a web page',
  description:
    'Read one page whose URL you know, as Markdown; document files (PDF, Office and more) too. Pages that need scripts are rendered in a browser. A long page is cut; call again with the offset that the answer names to read on. To find pages of a site use map, to read many of them crawl, to find pages anywhere search.',
  credits:
    '1 credit for each page fetched or taken from the cache; 0 for a failed one and for reading on in a copy that is still kept',
  annotations: READS_THE_WEB,
  input,
  run: (args, call) => pagedAnswer(call, args, () => scrape(args, call)),
});

async function scrape(args: z.output<typeof input>, call: ToolCall): Promise<ToolText> {
  const { url, maxTokens: _m, copy: _c, offset, links, maxAge, question, ...options } = args;
  const scrape: ScrapeInput = {
    ...options,
    formats: [
      question === undefined ? 'markdown' : { type: 'passages', query: question },
      ...(links ? (['links'] as const) : []),
    ],
    extractListing: false,
    removeBase64Images: true,
    maxAge: offset > 0 ? CONTINUE_MAX_AGE_MS : maxAge,
  };
  const page = await request(call, 'Fetching the page', (trawl, sent) =>
    trawl.scrape(url, scrape, sent),
  );
  const shown = question === undefined ? page : { ...page, markdown: passagesText(page) };
  return 'isPdf' in shown ? fileText(shown) : pageText(shown);
}

const NO_PASSAGE =
  'The page has none of the words of the question. Ask with other words, or read it without a question.';

/** The passages of a page under the titles of their sections, with addresses that lead to them. */
function passagesText({ formats }: ScrapeOutput): string {
  const passages = formats?.passages ?? [];
  if (passages.length === 0) return NO_PASSAGE;
  return joinBlocks(
    passages.map(
      ({ text, headings, url }) => `[${headings.join(' › ') || 'Passage'}](${url})\n\n${text}`,
    ),
  );
}

function pageText(page: Schemas['ScrapeResult']): ToolText {
  const { url, markdown = '', metadata, statusCode } = page;
  const text = joinBlocks([pageHead(metadata), markdown, linkList(page)]);
  const facts = [
    `HTTP ${statusCode}`,
    `fetched by ${metadata.fetchMethod}`,
    ...(metadata.cached ? [`from the cache, ${metadata.cacheAgeMs ?? 0} ms old`] : []),
    `about ${tokenEstimate(text)} tokens in all`,
  ];
  return { about: `Page: ${facts.join(', ')}.${partialNote(page)}`, source: url, text };
}

function fileText(file: Schemas['ScrapedFile']): ToolText {
  const { url, markdown, format = 'pdf' } = file;
  const text = joinBlocks([markdown, linkList(file)]);
  const about = `${format.toUpperCase()} file, about ${tokenEstimate(text)} tokens in all.`;
  return { about: `${about}${partialNote(file)}`, source: url, text };
}

function linkList({ formats }: { readonly formats?: Readonly<Record<string, unknown>> }): string {
  const links: unknown = formats?.['links'];
  if (!Array.isArray(links) || links.length === 0) return '';
  return `## Links of the page\n\n${links.map((link) => `- ${String(link)}`).join('\n')}`;
}
