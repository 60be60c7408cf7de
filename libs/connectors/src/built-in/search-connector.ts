import type { Connector, ConnectorContext, ConnectorParams } from '../port/connector.js';
import { keyOfFields } from '../port/identity-key.js';
import { usdPerRecord } from '../port/record-price.js';
import { textOfParam } from './list-params.js';
import { INTEGER, paramsSchema, rowSchema, STRING, textParam, URI } from './row-schemas.js';

const MAX_RESULTS = 100;
const SAMPLE = 10;

/** Words that request a search of the web; the query is what follows. */
const REQUESTS: readonly { readonly pattern: RegExp; readonly score: number }[] = [
  {
    pattern:
      /^(?:please )?(?:(?:do an? )?web search|google|(?:search|look up)(?: on)? (?:the )?(?:web|internet|online|net)|what does the (?:web|internet) say about)(?: for| about)?:? (.+)$/i,
    score: 0.85,
  },
  {
    pattern:
      /^(?:please )?(?:(?:find|get|look for|search(?: for)?)(?: me)? )?(?:\d{1,4} |some )?(?:web ?sites?|web ?pages|pages|articles?|news|blog posts?|posts?|results?)(?: (?:about|on|for))? (.+)$/i,
    score: 0.75,
  },
  { pattern: /^(?:please )?search(?: for)?:? (.+)$/i, score: 0.5 },
];

/** Results of web search: 2 credits per 10, as POST /v1/search. */
export const SEARCH_CONNECTOR: Connector = {
  id: 'search_results',
  title: 'Web search results',
  description: 'Pages of the web for a query, up to 100.',
  params: paramsSchema(
    {
      query: textParam('The query; operators such as site: pass through.', 2_000),
      country: { type: 'string', pattern: '^[A-Za-z]{2}$', description: 'Two-letter code.' },
    },
    ['query'],
  ),
  schema: rowSchema({ url: URI, title: STRING, snippet: STRING, position: INTEGER }, ['url']),
  pricePerRecordUsd: usdPerRecord(5),
  needsSearchPlan: true,
  keyOf: keyOfFields('url'),
  match({ text }) {
    for (const { pattern, score } of REQUESTS) {
      const query = pattern.exec(text)?.[1];
      if (query !== undefined) return { score, params: { query } };
    }
    return null;
  },
  async preview(params, context) {
    const rows = await resultsOf(params, context, SAMPLE);
    // A full first page says only that there are more.
    return { rows, estimatedRows: rows.length < SAMPLE ? rows.length : null };
  },
  async *run(params, context) {
    yield* await resultsOf(params, context, Math.min(context.maxRows, MAX_RESULTS));
  },
};

async function resultsOf(params: ConnectorParams, { sources }: ConnectorContext, limit: number) {
  const country = (textOfParam(params, 'country') ?? 'us').toLowerCase();
  const query = textOfParam(params, 'query') ?? '';
  const results = await sources.searchWeb({ query, limit, country });
  return results.map(({ url, title, snippet }, at) => ({ url, title, snippet, position: at + 1 }));
}
