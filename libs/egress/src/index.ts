export { isPublicAddress, SPECIAL_RANGES, type SpecialRange } from './address-table.js';
export { allowRuleFor, type AllowPrivateRule, parseAllowPrivate } from './allow-private.js';
export { parseEgressDeny } from './deny-ranges.js';
export {
  BlockedUrlError,
  type DeniedStage,
  InvalidUrlError,
  ResolveError,
} from './egress-errors.js';
export type { Dialled } from './dial.js';
export { Dialler, type DiallerOptions, type DialOptions } from './dialler.js';
export {
  FilteringProxy,
  type FilteringProxyOptions,
  type ProxyDialler,
} from './filtering-proxy/filtering-proxy.js';
export type { ProxyLimits } from './filtering-proxy/proxy-session.js';
export type {
  ProxySession,
  ProxySessionOptions,
  ProxyUsage,
} from './filtering-proxy/proxy-session.js';
export { RefusalLog } from './filtering-proxy/proxy-session.js';
export { REFUSED_HEADER, type Refusal, type RefusalKind } from './filtering-proxy/refusal.js';
export { assertForwardableHeaders, HeaderRefusedError } from './forwardable-headers.js';
export { EgressGuard, type EgressGuardOptions, type VettedTarget } from './guard.js';
export { HttpClient, type HttpClientOptions } from './http-client.js';
export { HttpFetchError } from './http-fetch-error.js';
export type {
  HttpHeaders,
  HttpMethod,
  HttpRequest,
  HttpResponse,
  HttpTimings,
  RedirectHop,
  Truncation,
} from './http-message.js';
export { isJsonPointer, valueAtPointer } from './json-pointer.js';
export { OwnAddresses, type OwnAddressesOptions } from './own-addresses.js';
export {
  OutboundProxies,
  type OutboundProxiesOptions,
  type ProxyRoute,
  type ProxyTestResult,
} from './proxies/outbound-proxies.js';
export {
  type OutboundProxySetting,
  parseOutboundProxies,
  type ProxyScheme,
} from './proxies/parse-outbound-proxies.js';
export {
  fillJson,
  fillUrl,
  placeholdersIn,
  wholePlaceholder,
  type TemplateFill,
} from './request-template.js';
export { redirectLocation } from './redirect.js';
export { parseRetryAfter } from './retry-after.js';
export { DnsResolver, type Resolver, SystemResolver, TargetResolver } from './resolver.js';
export { guardOfSettings, type GuardSettings } from './guard-of-settings.js';
