import type { DocumentedContent, DocumentedOperation } from './documented-operations.js';

/** Placeholder for any site; texts show EXAMPLE_URL instead. */
export const EXAMPLE_SITE = 'https://example.com/';

/**
 * Bodies that show more than the required fields, by operation. They become part of the OpenAPI document, and a test sends
 * each of them to a running service.
 */
export const REQUEST_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  scrape: { url: EXAMPLE_SITE, formats: ['markdown', 'links'], onlyMainContent: true },
  extract: { url: EXAMPLE_SITE },
  parse: { url: `${EXAMPLE_SITE}report.pdf`, format: 'rag' },
  screenshot: { url: EXAMPLE_SITE, width: 800, waitFor: 0 },
  map: { url: EXAMPLE_SITE, limit: 50 },
  batch: { urls: [EXAMPLE_SITE, `${EXAMPLE_SITE}about`], formats: ['markdown'] },
  startCrawl: { url: EXAMPLE_SITE, limit: 5, scrapeOptions: { formats: ['markdown'] } },
  putProfile: { url: EXAMPLE_SITE, cookies: 'session=abc; theme=dark' },
  startReextraction: { formats: ['markdown'], limit: 2 },
  enrich: { domain: EXAMPLE_SITE, maxPages: 3 },
  enrichWebsite: { domain: EXAMPLE_SITE, maxPages: 3 },
  brand: { domain: EXAMPLE_SITE },
  resolve: { domain: EXAMPLE_SITE },
  queryGraph: { tech: ['WordPress'], state: 'TX', limit: 20 },
  scrapeMaps: { query: 'dentists', location: 'Austin, TX' },
  scrapeReviews: { query: 'dentists', location: 'Austin, TX' },
  scrapeListings: { query: 'dentists', location: 'Austin, TX' },
  scrapeDirectory: { urls: [EXAMPLE_SITE, `${EXAMPLE_SITE}about`] },
  preview: { connectorId: 'sitemap_urls', params: { url: EXAMPLE_SITE } },
  createFeed: {
    connectorId: 'sitemap_urls',
    params: { url: EXAMPLE_SITE },
    schedule: '0 7 * * 1-5',
    timeZone: 'Europe/Berlin',
    firstRun: 'full',
  },
  chat: { message: `all pages of ${EXAMPLE_SITE}` },
  search: { query: 'postgresql row level security', limit: 5, includeDomains: ['postgresql.org'] },
};

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';
const EVENT_STREAM = 'text/event-stream';

/** The shell variable for a path parameter: `$JOB_ID` for `/v1/jobs/{id}`. */
export function pathVariable(path: string, parameter: string): string {
  const [before = ''] = path.split(`/{${parameter}}`);
  const resource = (before.split('/').at(-1) ?? '').replace(/ies$/, 'y').replace(/s$/, '');
  return `${resource}_${parameter}`.toUpperCase().replace(/\W/g, '_');
}

/** A shell command that expects `$KEY` and the ids of the path in variables. */
export function curlExample(operation: DocumentedOperation, address: string): string {
  const { method, path, needsKey, body } = operation;
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${pathVariable(path, name)}`);
  const json = body[JSON_TYPE];
  const isForm = !json && body[FORM_TYPE] !== undefined;
  return [
    'curl -s',
    ...(isStream(operation) ? ['-N'] : []),
    ...(method === 'GET' || (method === 'POST' && (json || isForm)) ? [] : [`-X ${method}`]),
    `"${address}${target}${requiredQuery(operation)}"`,
    ...(needsKey ? [`-H "x-api-key: $KEY"`] : []),
    ...(isForm ? ['-F file=@report.pdf'] : []),
    ...(json ? [`-H 'content-type: ${JSON_TYPE}' \\\n  -d ${shellQuoted(exampleBody(json))}`] : []),
  ].join(' ');
}

/** The required parameters of the query with their examples. */
function requiredQuery({ parameters }: DocumentedOperation): string {
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  const pairs = required.map(({ name, schema }) => {
    const value = encodeURIComponent(String(schema?.example ?? ''));
    // A URL stays readable (RFC 3986, 3.4).
    return `${name}=${value.replaceAll('%3A', ':').replaceAll('%2F', '/')}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function isStream({ responses }: DocumentedOperation): boolean {
  return responses['200']?.content?.[EVENT_STREAM] !== undefined;
}

function exampleBody({ example }: DocumentedContent): string {
  return JSON.stringify(example ?? {});
}

/** For a POSIX shell: nothing in single quotes is special but the quote itself. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
