import { parseOutboundProxies } from '@app/egress';
import { address, checked, flag, integer, listOf, text, type Field } from '../fields.js';

/** Ways of fetching beyond our own, and what is remembered of pages. */
export const RUNG_SETTINGS = {
  outboundProxies: checked(
    'OUTBOUND_PROXIES',
    'Proxies that fetches go out through: comma-separated [CC=]http://user:password@host:port, CC a country code.',
    parseOutboundProxies,
    { fallback: '', isSecret: true },
  ),
  outboundProxyResolvesNames: flag(
    'OUTBOUND_PROXY_RESOLVES_NAMES',
    'Outbound proxies are given names instead of vetted addresses: only for networks where nothing else can resolve.',
    { fallback: false },
  ),
  unblockProviders: listOf(
    'UNBLOCK_PROVIDERS',
    'Providers of the unblock rung in order: impersonate (free), http (UNBLOCK_HTTP); empty: no such rung.',
    ['impersonate', 'http'],
    { fallback: [] },
  ),
  unblockHttp: text(
    'UNBLOCK_HTTP',
    'JSON that describes the paid provider `http`; see the README.',
    { isSecret: true },
  ),
  hostedCrawlerUrl: address(
    'HOSTED_CRAWLER_URL',
    'API with /v2/scrape that fetches what this service could not; default: no such rung.',
    ['http://', 'https://'],
  ),
  hostedCrawlerKey: text('HOSTED_CRAWLER_KEY', 'Its key.', { fallback: '', isSecret: true }),
  hostedCrawlerCostMicroUsd: integer(
    'HOSTED_CRAWLER_COST_MICRO_USD',
    'What one of its fetches costs, in millionths of a dollar; counts against cost ceilings.',
    { fallback: 0, min: 0, max: 1_000_000_000 },
  ),
  browserWsUrl: address(
    'BROWSER_WS_URL',
    'Remote browser (DevTools protocol) tried last; default: no such rung.',
    ['ws://', 'wss://', 'http://', 'https://'],
    { isSecret: true },
  ),
  browserWsCostMicroUsd: integer(
    'BROWSER_WS_COST_MICRO_USD',
    'What one of its pages costs, in millionths of a dollar.',
    { fallback: 0, min: 0, max: 1_000_000_000 },
  ),
  costCeilingMicroUsd: integer(
    'COST_CEILING_MICRO_USD',
    'Most one page may cost in paid rungs, in millionths of a dollar; a request may ask for less.',
    { fallback: 1_000_000_000, min: 0, max: 1_000_000_000 },
  ),
  hostMemorySeconds: integer(
    'HOST_MEMORY_SECONDS',
    'How long the rung that worked for a host is begun with.',
    { fallback: 1_800, min: 1, max: 604_800 },
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
