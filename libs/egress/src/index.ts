export {
  type BotIdentity,
  botIdentityOf,
  SIGNATURE_HEADERS,
  type SignRequest,
} from './bot-auth/bot-identity.js';
export { KEY_DIRECTORY_PATH, KeyDirectory } from './bot-auth/key-directory.js';
export { parseSigningKeys } from './bot-auth/signing-keys.js';
export { allowRuleFor, parseAllowPrivate } from './allow-private.js';
export { parseEgressDeny } from './deny-ranges.js';
export {
  BlockedUrlError,
  type DeniedStage,
  InvalidUrlError,
  ResolveError,
} from './egress-errors.js';
export { Dialler } from './dialler.js';
export { FilteringProxy } from './filtering-proxy/filtering-proxy.js';
export type { ProxySession } from './filtering-proxy/proxy-session.js';
export { RefusalLog } from './filtering-proxy/proxy-session.js';
export { REFUSED_HEADER, type RefusalKind } from './filtering-proxy/refusal.js';
export { assertForwardableHeaders, HeaderRefusedError } from './forwardable-headers.js';
export { EgressGuard } from './guard.js';
export { HttpClient } from './http-client.js';
export { HttpFetchError } from './http-fetch-error.js';
export type { HttpHeaders, HttpMethod, HttpRequest, HttpResponse } from './http-message.js';
export { isJsonPointer, valueAtPointer } from './json-pointer.js';
export { OutboundProxies } from './proxies/outbound-proxies.js';
export { parseOutboundProxies } from './proxies/parse-outbound-proxies.js';
export { fillJson, fillUrl, placeholdersIn, wholePlaceholder } from './request-template.js';
export { redirectLocation } from './redirect.js';
export { parseRetryAfter } from './retry-after.js';
export { DnsResolver, type Resolver, SystemResolver, TargetResolver } from './resolver.js';
export { guardOfSettings, type GuardSettings } from './guard-of-settings.js';
