export { isPublicAddress, SPECIAL_RANGES, type SpecialRange } from './address-table.js';
export { type AllowPrivateRule, parseAllowPrivate } from './allow-private.js';
export {
  BlockedUrlError,
  type DeniedStage,
  InvalidUrlError,
  ResolveError,
} from './egress-errors.js';
export { createTlsContext, dial, type Dialled } from './dial.js';
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
export { DnsResolver, type Resolver, SystemResolver, TargetResolver } from './resolver.js';
