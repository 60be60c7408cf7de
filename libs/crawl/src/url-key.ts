import { hash } from 'node:crypto';

/** Query parameters that name a campaign or a click, never a page. */
const TRACKING =
  /^(utm_[a-z_]+|gclid|gclsrc|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|_hsenc|_hsmi|ref_src)$/i;

/** Query parameters that carry a visitor's session and nothing else. */
const SESSION =
  /^(phpsessid|jsessionid|aspsessionid[a-z]*|asp\.net_sessionid|cfid|cftoken|zenid|oscsid|session_?id|sess_?id)$/i;
/** A short name that is a session only where its value looks drawn by lot: `sid=42` is a story. */
const SHORT_SESSION = /^(?:sid|s_id|sessid)=(?=[^&]*\d)(?=[^&]*[a-z])[0-9a-z_-]{16,}$/i;
/** Sessions in a path: `/shop;jsessionid=0A1B`, `/(S(lit3py55t21z5v55vlm25s55))/shop`. */
const SESSION_IN_PATH =
  /;(?:jsessionid|phpsessid|sid)=[^/;]*|\/\([AFSX]\([0-9a-z]{20,}\)\)(?=\/|$)/gi;

/**
 * The form under which two addresses are the same page: WHATWG parse (which lowercases the host and
 * drops a default port), no fragment, no credentials, no tracking or session parameters, no session
 * in the path, the rest of the query sorted by name with the order of equal names kept. Path case
 * and trailing slash are kept: servers distinguish them.
 */
export function canonicalUrl(url: URL): string {
  return `${url.protocol}//${url.host}${canonicalPath(url.pathname)}${canonicalQuery(url.search)}`;
}

/** The address without parameters that name a campaign or a click; all else is as it was. */
export function withoutTracking(url: URL): string {
  const parts = url.search.slice(1).split('&');
  const kept = parts.filter((part) => !TRACKING.test(parameterName(part)));
  if (kept.length === parts.length) return url.href;
  const clean = new URL(url);
  clean.search = kept.join('&');
  return clean.href;
}

function canonicalPath(path: string): string {
  // Nearly every path has neither character.
  if (!path.includes(';') && !path.includes('(')) return path;
  return path.replace(SESSION_IN_PATH, '') || '/';
}

function canonicalQuery(search: string): string {
  if (search.length < 2) return '';
  const parts = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !isNoise(part));
  if (parts.length === 0) return '';
  if (parts.length > 1) parts.sort((a, b) => compare(parameterName(a), parameterName(b)));
  return `?${parts.join('&')}`;
}

function isNoise(part: string): boolean {
  const name = parameterName(part);
  return TRACKING.test(name) || SESSION.test(name) || SHORT_SESSION.test(part);
}

function parameterName(part: string): string {
  const equals = part.indexOf('=');
  return equals < 0 ? part : part.slice(0, equals);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Key of a sitemap within a job: one that is also linked as a page is read as both. */
export function sitemapKey(url: URL): string {
  return hash('sha256', `sitemap ${canonicalUrl(url)}`, 'hex').slice(0, 32);
}

/**
 * 128 bits of SHA-256 over the canonical form, as 32 hexadecimal digits: the page's key within a
 * job.
 */
export function urlKey(url: URL): string {
  return hash('sha256', canonicalUrl(url), 'hex').slice(0, 32);
}
