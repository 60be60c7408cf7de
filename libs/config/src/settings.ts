import type { Field } from './fields.js';
import { SERVER_SETTINGS } from './settings/server.js';
import { FETCHING_SETTINGS } from './settings/fetching.js';
import { JOB_SETTINGS } from './settings/jobs.js';
import { RUNG_SETTINGS } from './settings/rungs.js';
import { DOCUMENT_SETTINGS } from './settings/documents.js';
import { MODEL_SETTINGS } from './settings/models.js';
import { SEARCH_SETTINGS } from './settings/search.js';
import { GRAPH_SETTINGS } from './settings/graph.js';
import { SCRAPER_SETTINGS } from './settings/scrapers.js';
import { ACCOUNT_SETTINGS } from './settings/accounts.js';
import { TECH_SETTINGS } from './settings/tech.js';
import { TRACING_SETTINGS } from './settings/tracing.js';
import { BROWSER_SETTINGS } from './settings/browser.js';

/** The settings by subject, in the order of docs/settings.md, which has a table for each. */
export const SETTING_GROUPS = {
  'Servers, addresses, life of a process': SERVER_SETTINGS,
  Fetching: FETCHING_SETTINGS,
  'Further fetch methods, proxies and the page cache': RUNG_SETTINGS,
  Browsers: BROWSER_SETTINGS,
  'Crawls, batches, results, webhooks': JOB_SETTINGS,
  'Document files': DOCUMENT_SETTINGS,
  Models: MODEL_SETTINGS,
  'Web search': SEARCH_SETTINGS,
  'Company graph': GRAPH_SETTINGS,
  'Listing scrapers and connectors': SCRAPER_SETTINGS,
  'Technology detection': TECH_SETTINGS,
  'Payments and sign-in': ACCOUNT_SETTINGS,
  Traces: TRACING_SETTINGS,
} as const satisfies Record<string, Record<string, Field<unknown>>>;

/**
 * Every setting of every process. The variable name is the interface to operators: the chart, the
 * compose file and docs/settings.md are compared with this table by tests.
 */
export const SETTINGS = {
  ...SERVER_SETTINGS,
  ...TRACING_SETTINGS,
  ...FETCHING_SETTINGS,
  ...JOB_SETTINGS,
  ...RUNG_SETTINGS,
  ...DOCUMENT_SETTINGS,
  ...MODEL_SETTINGS,
  ...SEARCH_SETTINGS,
  ...GRAPH_SETTINGS,
  ...SCRAPER_SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...TECH_SETTINGS,
  ...BROWSER_SETTINGS,
} as const satisfies Record<string, Field<unknown>>;

type Table = typeof SETTINGS;
type ValueOf<F> = F extends Field<infer T> ? T : never;
type WithDefault = {
  [K in keyof Table]: K extends NoDefault ? never : K;
}[keyof Table];
type NoDefault =
  | 'databaseUrl'
  | 'brokerUrl'
  | 'storageUrl'
  | 'storagePublicUrl'
  | 'publicUrl'
  | 'metricsPort'
  | 'downloadSecret'
  | 'otlpEndpoint'
  | 'unblockHttp'
  | 'hostedCrawlerUrl'
  | 'browserWsUrl'
  | 'llmBaseUrl'
  | 'searchSerp'
  | 'searchSearxngUrl'
  | 'searchHtml'
  | 'scraperMaps'
  | 'scraperReviews'
  | 'scraperListings'
  | 'chromiumPath'
  | 'webBotAuthUrl';

export type Settings = { readonly [K in WithDefault]: ValueOf<Table[K]> } & {
  readonly [K in NoDefault]: ValueOf<Table[K]> | undefined;
};

/** Names of all environment variables that are settings. */
export const SETTING_NAMES: readonly string[] = Object.values(SETTINGS).map((field) => field.env);
