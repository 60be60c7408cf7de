import { hash } from 'node:crypto';

/** Query parameters that name a campaign or a click, never a page. */
const TRACKING =
  /^(utm_[a-z_]+|gclid|gclsrc|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|_hsenc|_hsmi|ref_src)$/i;

/**
 * The form under which two addresses are the same page: WHATWG parse (which lowercases the host and
 * drops a default port), no fragment, no credentials, no tracking parameters, the rest of the query
 * sorted by name with the order of equal names kept. Path case and trailing slash are kept: servers
 * tell them apart.
 */
export function canonicalUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}${canonicalQuery(url.search)}`;
}

function canonicalQuery(search: string): string {
  if (search.length < 2) return '';
  const parts = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !TRACKING.test(parameterName(part)));
  if (parts.length === 0) return '';
  if (parts.length > 1) parts.sort((a, b) => compare(parameterName(a), parameterName(b)));
  return `?${parts.join('&')}`;
}

function parameterName(part: string): string {
  const equals = part.indexOf('=');
  return equals < 0 ? part : part.slice(0, equals);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** 128 bits of SHA-256 over the canonical form, as 32 hexadecimal digits: the page's key within a job. */
export function urlKey(url: URL): string {
  return hash('sha256', canonicalUrl(url), 'hex').slice(0, 32);
}
