import { SettingsError } from '@app/config';
import {
  botIdentityOf,
  Dialler,
  EgressGuard,
  FilteringProxy,
  HttpClient,
  OutboundProxies,
  parseOutboundProxies,
} from '@app/egress';
import {
  createImpersonatingProvider,
  HostedCrawlerRung,
  HttpProvider,
  MISSING_BROWSER,
  parseHttpProviders,
  PlainRung,
  UnblockRung,
  type FetchedPage,
  type FetchRung,
  type UnblockProvider,
} from '@app/fetch';
import { createGuard, type Runtime } from '@app/runtime';
import { businessSearchMs } from '@app/connectors';
import {
  LlmClient,
  SearchChain,
  SearxngBackend,
  TemplateBackend,
  type SearchBackend,
} from '@app/providers';
import { ModelReader, BackendHealth, type ReadingThreads, type ResultThreads } from '@app/scrape';
import { reserveModelCall } from '@app/accounts';
import { parseHtmlSetting, parseSerpSetting } from '@app/search';
import { browserRung, type BrowserProcess } from '../browser/browser-process.js';
import { openBrowsers, type Browsers } from './open-browsers.js';

/** All outbound connections of a fetcher. */
export interface Outbound {
  readonly http: HttpClient;
  /** The configured rungs, in level order. */
  readonly rungs: readonly FetchRung[];
  /** Null: no model is configured. */
  readonly models: ModelReader | null;
  readonly search: SearchChain;
  /** A client for one address of the operator; closed with the others. */
  readonly endpointClient: (url: string) => HttpClient;
  /** Which addresses of the web may be fetched. */
  readonly guard: EgressGuard;
  /** The local browsers, once one was tried; null if none are wanted. */
  readonly tried: Browsers['tried'];
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly runtime: Pick<Runtime, 'settings' | 'log' | 'metrics'>;
  readonly guard: EgressGuard;
  readonly http: HttpClient;
  readonly proxy: FilteringProxy;
  readonly browsers: BrowserProcess | null;
}

/** Whether a page is a bot wall; does not modify the page. */
export type IsWall = (page: FetchedPage) => Promise<boolean>;

/** Threads of readers; the caller closes them. */
export interface OutboundThreads {
  readonly reading: ReadingThreads;
  readonly results: ResultThreads;
}

/** @throws SettingsError */
export async function openOutbound(
  runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics' | 'health'>,
  { reading, results }: OutboundThreads,
  isWall: IsWall,
): Promise<Outbound> {
  const { settings, metrics } = runtime;
  const guard = createGuard(settings, metrics);
  const proxies = new OutboundProxies(parseOutboundProxies(settings.outboundProxies), {
    resolvesNames: settings.outboundProxyResolvesNames,
  });
  const identity = botIdentityOf(settings);
  const signRequest = identity?.signRequest;
  if (identity !== null) {
    const { origin, keys } = identity;
    runtime.log.info({ origin, keyId: keys[0].id }, 'requests to sites are signed');
  }
  const http = new HttpClient({
    guard,
    userAgent: settings.userAgent,
    signRequest,
    proxies,
    // Same timeout as the page rules, so that slow sites are not given up earlier.
    headersTimeoutMs: Math.max(settings.scrapeTimeoutMs, settings.fetchTimeoutMs),
  });
  const proxy = new FilteringProxy({ guard, dialler: new Dialler({ guard, proxies }) });
  await proxy.start();
  const { process: browsers, tried } = openBrowsers(runtime, signRequest);
  const parts: Parts = { runtime, guard, http, proxy, browsers };
  const endpoints = new Set<HttpClient>();
  const unblock = openUnblock(parts, endpoints, isWall);
  const rungs = [
    ...(unblock ? [unblock] : []),
    new PlainRung(http),
    ...openHeadless(parts),
    ...openHostedCrawler(parts, endpoints),
    ...openHostedBrowser(parts),
  ];
  const models = openModels(runtime, reading, (url) =>
    endpointClient(runtime, endpoints, url, settings.llmTimeoutMs),
  );
  const search = openSearch(runtime, {
    threads: results,
    clientFor: (url) => endpointClient(runtime, endpoints, url, settings.searchTimeoutMs),
  });
  runtime.log.info({ rungs: rungs.map(({ fetchMethod }) => fetchMethod) }, 'fetch methods');
  return {
    http,
    rungs,
    models,
    search,
    endpointClient: (url) => endpointClient(runtime, endpoints, url, businessSearchMs(settings)),
    guard,
    tried,
    async close() {
      await browsers?.close();
      await unblock?.close();
      await proxy.close();
      await Promise.all([http, ...endpoints].map((client) => client.close()));
    },
  };
}

/** Null if no provider is configured or available. */
function openUnblock(parts: Parts, endpoints: Set<HttpClient>, isWall: IsWall): UnblockRung | null {
  const { unblockProviders } = parts.runtime.settings;
  const providers = unblockProviders.flatMap((name) =>
    name === 'impersonate' ? openImpersonating(parts) : openThirdParties(parts, endpoints),
  );
  return providers.length === 0 ? null : new UnblockRung({ providers, isBlocked: isWall });
}

function openImpersonating({ guard, proxy, runtime }: Parts): UnblockProvider[] {
  const provider = createImpersonatingProvider({
    guard,
    proxyPorts: proxy,
    onUnavailable: (reason) => runtime.log.warn({ reason }, 'no impersonating client'),
  });
  return provider ? [provider] : [];
}

function openThirdParties(
  { runtime, guard }: Parts,
  endpoints: Set<HttpClient>,
): UnblockProvider[] {
  const { unblockHttp } = runtime.settings;
  if (unblockHttp === undefined) {
    throw new SettingsError(['UNBLOCK_HTTP: is not set, though UNBLOCK_PROVIDERS names http.']);
  }
  return readProviders(unblockHttp).map(
    (setting) =>
      new HttpProvider({
        setting,
        guard,
        http: endpointClient(runtime, endpoints, placeholderFree(setting.url)),
      }),
  );
}

function readProviders(text: string): ReturnType<typeof parseHttpProviders> {
  try {
    return parseHttpProviders(text);
  } catch (error) {
    throw new SettingsError([`UNBLOCK_HTTP: ${(error as Error).message}`]);
  }
}

/** The host of a template: placeholders are in path and query only. */
function placeholderFree(template: string): string {
  return new URL(template.replace(/[{}]/g, '')).origin;
}

/** A client for one URL of the operator: it reaches that host and nothing else, private or not. */
function endpointClient(
  { settings }: Pick<Runtime, 'settings'>,
  endpoints: Set<HttpClient>,
  endpoint: string,
  headersTimeoutMs?: number,
): HttpClient {
  const { userAgent } = settings;
  const guard = EgressGuard.forEndpoint(endpoint);
  const patience = headersTimeoutMs === undefined ? {} : { headersTimeoutMs };
  const client = new HttpClient({ guard, userAgent, ...patience });
  endpoints.add(client);
  return client;
}

function openHeadless({ browsers, runtime }: Parts): FetchRung[] {
  if (!browsers?.hasOwn) return browsers === null ? [MISSING_BROWSER] : [];
  const plain = browserRung(browsers, 'headless');
  const { browserStealth } = runtime.settings;
  return browserStealth ? [plain, browserRung(browsers, 'stealth')] : [plain];
}

function openHostedCrawler({ runtime, guard }: Parts, endpoints: Set<HttpClient>): FetchRung[] {
  const { hostedCrawlerUrl, hostedCrawlerKey, hostedCrawlerCostMicroUsd } = runtime.settings;
  if (hostedCrawlerUrl === undefined) return [];
  return [
    new HostedCrawlerRung({
      baseUrl: new URL(hostedCrawlerUrl),
      key: hostedCrawlerKey,
      http: endpointClient(runtime, endpoints, hostedCrawlerUrl),
      guard,
      costMicroUsd: hostedCrawlerCostMicroUsd,
    }),
  ];
}

function openHostedBrowser({ runtime, browsers }: Parts): FetchRung[] {
  const { browserWsUrl, browserWsCostMicroUsd } = runtime.settings;
  if (browsers === null || browserWsUrl === undefined) return [];
  return [browserRung(browsers, 'hosted_browser', browserWsCostMicroUsd)];
}

/** Null if no model server is configured. */
function openModels(
  { settings, log, database }: Pick<Runtime, 'settings' | 'log' | 'database'>,
  threads: ReadingThreads,
  clientFor: (endpoint: string) => HttpClient,
): ModelReader | null {
  const { llmBaseUrl: endpoint } = settings;
  if (endpoint === undefined) return null;
  const named = (model: string): string | null => (model === '' ? null : model);
  const models = {
    free: named(settings.llmModelFree),
    low: named(settings.llmModelLow),
    high: named(settings.llmModelHigh),
    top: named(settings.llmModelTop),
  };
  const visionModel = named(settings.llmModelVision);
  log.info({ models, visionModel }, 'models');
  const client = new LlmClient({
    endpoint,
    http: clientFor(endpoint),
    key: named(settings.llmApiKey),
    models,
    visionModel,
  });
  const gate = { admit: (tenantId: string) => reserveModelCall(database, tenantId) };
  return new ModelReader({ client, gate, threads });
}

interface SearchParts {
  readonly threads: Pick<ResultThreads, 'read'>;
  /** A client for one address of the operator: it reaches that host and nothing else, private or not. */
  readonly clientFor: (endpoint: string) => HttpClient;
}

/** The configured search backends, in the order of the specification. */
function openSearch(
  { database, settings, log, metrics }: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics'>,
  parts: SearchParts,
): SearchChain {
  const backends = openBackends(settings, parts);
  log.info({ backends: backends.map(({ source }) => source) }, 'search backends');
  return new SearchChain({
    backends,
    breaker: new BackendHealth({
      database,
      onProblem: (err) => log.warn({ err }, 'the health of search backends is unavailable'),
    }),
    onAttempt: (backend, outcome, seconds) => {
      metrics.searchRequests.inc({ backend, outcome });
      if (outcome !== 'skipped') metrics.searchSeconds.observe({ backend }, seconds);
    },
  });
}

function openBackends(
  { searchSerp, searchSearxngUrl, searchHtml }: Runtime['settings'],
  { threads, clientFor }: SearchParts,
): readonly SearchBackend[] {
  const read: SearchPartsRead = (page, terms) => threads.read(page, terms);
  const backends: SearchBackend[] = [];
  if (searchSerp !== undefined) {
    const { shape, ...template } = parseSerpSetting(searchSerp);
    const http = clientFor(originOf(template.url));
    const json = { kind: 'json', shape } as const;
    backends.push(
      new TemplateBackend({ source: 'serp_provider', template, shape: json, http, read }),
    );
  }
  if (searchSearxngUrl !== undefined) {
    const http = clientFor(searchSearxngUrl);
    backends.push(new SearxngBackend({ url: searchSearxngUrl, http, read }));
  }
  if (searchHtml !== undefined) {
    const { shape, ...template } = parseHtmlSetting(searchHtml);
    const http = clientFor(originOf(template.url));
    const html = { kind: 'html', shape } as const;
    backends.push(
      new TemplateBackend({ source: 'html_provider_2', template, shape: html, http, read }),
    );
  }
  return backends;
}

type SearchPartsRead = ResultThreads['read'];

/** The host of a template: placeholders are in path and query only. */
function originOf(template: string): string {
  return new URL(template.replace(/[{}]/g, '')).origin;
}
