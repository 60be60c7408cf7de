import { parseOutboundProxies } from '@app/egress';
import { address, checked, flag, integer, listOf, text, type Field } from '../fields.js';

/** Ways of fetching beyond our own, and what is remembered of pages. */
export const RUNG_SETTINGS = {
  outboundProxies: checked(
    'OUTBOUND_PROXIES',
    'Proxies for all fetches: comma-separated [CC=]http://user:password@host:port, CC a country code.',
    parseOutboundProxies,
    { fallback: '', isSecret: true },
  ),
  outboundProxyResolvesNames: flag(
    'OUTBOUND_PROXY_RESOLVES_NAMES',
    'Outbound proxies get names instead of checked addresses: only for networks where nothing else can resolve names.',
    { fallback: false },
  ),
  unblockProviders: listOf(
    'UNBLOCK_PROVIDERS',
    'Providers of the unblock method in order: impersonate (free), http (UNBLOCK_HTTP); empty: the method is off.',
    ['impersonate', 'http'],
    { fallback: [] },
  ),
  unblockHttp: text(
    'UNBLOCK_HTTP',
    'JSON that describes the paid provider `http`; see docs/fetching.md.',
    { isSecret: true },
  ),
  hostedCrawlerUrl: address(
    'HOSTED_CRAWLER_URL',
    'API with /v2/scrape that fetches pages which this service could not; default: the method is off.',
    ['http://', 'https://'],
  ),
  hostedCrawlerKey: text('HOSTED_CRAWLER_KEY', 'API key of HOSTED_CRAWLER_URL.', {
    fallback: '',
    isSecret: true,
  }),
  hostedCrawlerCostMicroUsd: integer(
    'HOSTED_CRAWLER_COST_MICRO_USD',
    'Price of one fetch of the hosted crawler, in millionths of a dollar; counts against cost ceilings.',
    { fallback: 0, min: 0, max: 1_000_000_000 },
  ),
  browserWsUrl: address(
    'BROWSER_WS_URL',
    'Remote browser (DevTools protocol) that is tried last; default: the method is off.',
    ['ws://', 'wss://', 'http://', 'https://'],
    { isSecret: true },
  ),
  browserWsCostMicroUsd: integer(
    'BROWSER_WS_COST_MICRO_USD',
    'Price of one page in the remote browser, in millionths of a dollar.',
    { fallback: 0, min: 0, max: 1_000_000_000 },
  ),
  costCeilingMicroUsd: integer(
    'COST_CEILING_MICRO_USD',
    'Maximum cost of one page in paid fetch methods, in millionths of a dollar; a request may set less.',
    { fallback: 1_000_000_000, min: 0, max: 1_000_000_000 },
  ),
  cacheMaxMib: integer('CACHE_MAX_MIB', 'Cached pages of one tenant, MiB; 0: no cache.', {
    fallback: 256,
    min: 0,
    max: 1_048_576,
  }),
  cacheHours: integer('CACHE_HOURS', 'How long a cached page is kept.', {
    fallback: 48,
    min: 1,
    max: 8_760,
  }),
} as const satisfies Record<string, Field<unknown>>;
