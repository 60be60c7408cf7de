import { z } from 'zod';
import type { ExtractResponse } from '@app/client';
import { request } from '../calls/tool-call.js';
import { defineTool, READS_THE_WEB } from './define-tool.js';
import { pagingFields, urlField } from './fields.js';
import { jsonText } from './page-text.js';
import { pagedAnswer, type ToolText } from './paged-answer.js';

const MAX_URLS = 20;

const input = z.strictObject({
  urls: z
    .array(urlField('A page.'))
    .min(1)
    .max(MAX_URLS)
    .describe('Pages to read, http:// or https://.'),
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'JSON Schema of the data, or a shape such as {"price": "number", "tags": ["string"]}. Without it: the business listing of each page (name, address, phone, hours …), free.',
    ),
  complexity: z
    .enum(['low', 'high'])
    .default('low')
    .describe('high: a stronger model. Used with schema.'),
  ...pagingFields,
});

export const extractTool = defineTool({
  name: 'extract',
  title: 'Extract structured data from pages',
  description:
    'Get fields as JSON instead of text: prices, dates, contacts, specifications. With a schema a model reads each page and its output is checked against the page; values that the page does not contain are null. Use scrape to read the page itself.',
  credits: 'without schema free; with schema 1 credit a page and the usage of the model',
  annotations: READS_THE_WEB,
  input,
  run: (args, call) =>
    pagedAnswer(call, args, async () => {
      const { urls, schema, complexity } = args;
      const options = { urls, ...(schema ? { schema, complexity } : {}) };
      return toText(
        await request(call, 'Extracting', (trawl, sent) => trawl.extract(options, sent)),
      );
    }),
});

function toText(output: ExtractResponse): ToolText {
  const results = 'results' in output ? output.results : [];
  const failed = results.filter(({ ok }) => !ok).length;
  const empty = results.filter(({ ok, data }) => ok && (data ?? null) === null).length;
  const notes = [
    `${results.length - failed} of ${results.length} pages read.`,
    empty > 0 ? `${empty} without data.` : '',
  ];
  const source = results.length === 1 ? (results[0]?.url ?? '') : `${results.length} pages`;
  const about = notes.filter((note) => note !== '').join(' ');
  return { about, source, text: jsonText(results) };
}
