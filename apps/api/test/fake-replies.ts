import type { Chunk, Listing, LlmOutput, LlmUsage, ParsedFile } from '@app/contracts';

/** Replies of fake fetchers. */
export const FAKE_PAGE_URL = 'http://a.example/';
export const PRICE_SCHEMA = { type: 'object', properties: { price: { type: 'number' } } };
export const CASCADE = { level: 1, attempts: [], unblock: [] };

export const LISTING: Listing = {
  name: 'Corner Bakery',
  phone: '+1 555 0100',
  hours: { monday: '08:00-18:00' },
  review_count: 3,
  _completeness: 0.5,
  _confidence: 0.5,
  _extraction_method: 'json-ld',
  _provenance: { name: { layer: 'json-ld', path: '$[0].name' } },
};

export const USAGE: LlmUsage = {
  model: 'low-model',
  calls: 1,
  inputTokens: 1_000,
  outputTokens: 100,
  costMicroUsd: 168,
  latencyMs: 20,
};
export const OUTPUT: LlmOutput = {
  json: { price: 12.5 },
  quotes: { '/price': { quote: '$12.50' } },
  usage: USAGE,
};

export const FILE: ParsedFile = {
  format: 'pdf',
  markdown: '# Report',
  text: 'Report',
  pages: 3,
  links: ['http://b.example/'],
};
export const CHUNK: Chunk = {
  id: 'c1',
  index: 0,
  text: '# Report',
  headings: ['Report'],
  tokens: 2,
  contentHash: 'ab',
};

/** Reply to a successful scrape; `more` is merged into its page result. */
export function served(more: object = {}): object {
  const document = {
    url: FAKE_PAGE_URL,
    sourceUrl: FAKE_PAGE_URL,
    statusCode: 200,
    contentType: 'text/html',
    markdown: '# A',
    metadata: { title: 'A' },
    fetchMethod: 'plain',
    latencyMs: 5,
    cascade: CASCADE,
    ...more,
  };
  return { kind: 'document', document };
}

/** Reply to a failed scrape. */
export function failedScrape(more: object = {}): object {
  return { kind: 'failed', problem: 'Fetch failed: HTTP 404', cascade: CASCADE, ...more };
}

/** Reply to a conversion. */
export function converted(more: object = {}): object {
  return { kind: 'converted', markdown: '', ...more };
}
