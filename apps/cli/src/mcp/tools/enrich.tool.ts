import { z } from 'zod';
import type { Schemas } from '@app/client';
import { request } from '../calls/tool-call.js';
import { defineTool, READS_THE_WEB } from './define-tool.js';
import { pagingFields } from './fields.js';
import { jsonText } from './page-text.js';
import { pagedAnswer, type ToolText } from './paged-answer.js';

const MAX_DOMAIN_CHARS = 2_048;
/** As many as the service reads. */
const MAX_PAGES = 7;
const CONTINUE_MAX_AGE_MS = 48 * 3_600_000;

const input = z.strictObject({
  domain: z
    .string()
    .min(1)
    .max(MAX_DOMAIN_CHARS)
    .describe('Domain or URL of the company, such as example.com.'),
  maxPages: z
    .int()
    .min(1)
    .max(MAX_PAGES)
    .default(MAX_PAGES)
    .describe('Maximum number of pages of the site to read.'),
  includeBrand: z.boolean().default(false).describe('Add logo, colors, fonts and industry.'),
  ...pagingFields,
});

/** Of the service, not of the company. */
const LEFT_OUT = new Set([
  '_confidence',
  '_latency_ms',
  '_cache_age_ms',
  'tech_meta',
  'brand_meta',
]);

export const enrichTool = defineTool({
  name: 'enrich',
  title: 'Look up a company by its site',
  description:
    'Get the facts that the site of a company states: e-mail addresses, phone numbers, social profiles, team, technologies, as JSON. Use it for a company, and extract for other pages.',
  credits: '1 credit and the usage of providers on paid plans, 0 if nothing was found',
  annotations: READS_THE_WEB,
  input,
  run: (args, call) =>
    pagedAnswer(call, args, async () => {
      const { domain, maxPages, includeBrand, offset } = args;
      const maxAge = offset > 0 ? CONTINUE_MAX_AGE_MS : 0;
      const options = { maxPages, includeBrand, maxAge };
      const found = await request(call, 'Reading the pages of the site', (trawl, sent) =>
        trawl.enrich(domain, options, sent),
      );
      return toText(found);
    }),
});

function toText(result: Schemas['EnrichResult']): ToolText {
  const { domain, pages_crawled: pages, _completeness: completeness } = result;
  const facts = Object.fromEntries(Object.entries(result).filter(([name]) => !LEFT_OUT.has(name)));
  return {
    about: `${pages} pages read. Completeness ${completeness} of 1.`,
    source: domain,
    text: jsonText(facts),
  };
}
