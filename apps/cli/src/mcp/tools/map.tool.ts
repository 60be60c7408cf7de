import { z } from 'zod';
import type { Schemas } from '@app/client';
import { request } from '../calls/tool-call.js';
import { defineTool, READS_THE_WEB } from './define-tool.js';
import { pagingFields, sourcesField, urlField } from './fields.js';
import { pagedAnswer, type ToolText } from './paged-answer.js';

const MAX_LINKS = 50_000;
const DEFAULT_LINKS = 100;
const MAX_SEARCH_CHARS = 500;

const input = z.strictObject({
  url: urlField('Homepage, any page, sitemap, feed or llms.txt of the site, http:// or https://.'),
  search: z
    .string()
    .min(1)
    .max(MAX_SEARCH_CHARS)
    .optional()
    .describe('Only URLs that contain this text, ignoring case.'),
  limit: z
    .int()
    .min(1)
    .max(MAX_LINKS)
    .default(DEFAULT_LINKS)
    .describe('Maximum number of URLs; your plan caps it.'),
  sources: sourcesField,
  ...pagingFields,
});

export const mapTool = defineTool({
  name: 'map',
  title: 'List the URLs of a site',
  description:
    'List the URLs of one site, from its sitemaps or, without any, from the given page and the homepage, without reading the listed pages. Use it to find the right page before scrape, or to choose includePaths for crawl.',
  credits: '1 credit a call, 0 if no URL was found',
  annotations: READS_THE_WEB,
  input,
  run: (args, call) =>
    pagedAnswer(call, args, async () => {
      const { url, limit, search, sources } = args;
      const options = {
        limit,
        ...(search === undefined ? {} : { search }),
        ...(sources === undefined ? {} : { sources }),
      };
      return toText(
        await request(call, 'Reading the sitemaps', (trawl, sent) => trawl.map(url, options, sent)),
      );
    }),
});

function toText({ url, links, source, timedOut, cuts = [] }: Schemas['MapResult']): ToolText {
  const notes = [
    `${links.length} URLs, source: ${source}.`,
    timedOut ? 'The time limit was reached; there may be more.' : '',
    cuts.includes('limit')
      ? 'There are more URLs: raise limit, or narrow the list with search.'
      : '',
  ];
  const about = notes.filter((note) => note !== '').join(' ');
  return { about, source: url, text: links.join('\n') };
}
