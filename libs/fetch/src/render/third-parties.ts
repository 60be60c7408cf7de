import { THIRD_PARTY_HOSTS } from './third-party-hosts.js';

const HOSTS: ReadonlySet<string> = new Set(THIRD_PARTY_HOSTS);

/** Patterns of the requests that {@link isNeedless} may say yes to; `*` is anything. */
export const THIRD_PARTY_PATTERNS: readonly { readonly urlPattern: string }[] =
  THIRD_PARTY_HOSTS.map((host) => ({ urlPattern: `*${host}*` }));

/**
 * Whether the request goes to advertising, analytics, a chat, a consent manager or monitoring of a third party: not
 * where the page is of that party itself.
 */
export function isNeedless(requestUrl: string, pageUrl: string): boolean {
  const { hostname } = new URL(requestUrl);
  const labels = hostname.split('.');
  const isListed = labels.some((_, at) => HOSTS.has(labels.slice(at).join('.')));
  return isListed && siteOf(hostname) !== siteOf(new URL(pageUrl).hostname);
}

/** Nearly the registrable domain: where it is more, a request is let pass. */
function siteOf(hostname: string): string {
  return hostname.split('.').slice(-2).join('.');
}
