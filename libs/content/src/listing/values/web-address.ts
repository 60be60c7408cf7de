import { type UrlResolver } from '../../links/url-resolver.js';
import { isPlaceholderHost } from './email.js';

/** Pictures that show no place: marks, spacers, faces of reviewers. */
const NO_PHOTO =
  /(?<!cata|dia)logo|\.svg$|(?:^|[\W_])(?:wordmark|favicon|icons?|placeholder|spacer|blank|pixel|sprites?|avatars?|gravatar|badges?|no[-_]?image|default[-_]?image|social-card|captcha)(?:[\W_]|\d|$)/i;

/** Absolute web address; undefined for placeholders (`https://www.example.com`). */
export function readAddressOfSite(text: string, resolver: UrlResolver): string | undefined {
  const reference = /^www\.[a-z0-9-]/i.test(text.trim()) ? `http://${text.trim()}` : text.trim();
  if (reference === '' || /\s/.test(reference)) return undefined;
  const address = resolver.resolveWeb(reference);
  const host = address === undefined ? undefined : URL.parse(address)?.hostname;
  return host === undefined || isPlaceholderHost(host) || !host.includes('.') ? undefined : address;
}

/** Address of a photo; logos and spacers are none. */
export function readPhoto(text: string, resolver: UrlResolver): string | undefined {
  const address = readAddressOfSite(text, resolver);
  if (address === undefined) return undefined;
  const path = URL.parse(address)?.pathname ?? '';
  const file = path.slice(path.lastIndexOf('/'));
  return NO_PHOTO.test(file) || /\/logos?\//i.test(path) ? undefined : address;
}

/** Host without `www.`, for comparing sites. */
export const siteOf = (address: string): string =>
  (URL.parse(address)?.hostname ?? '').replace(/^www\./, '');

/** Whether an address is the front page of its site. */
export function isFrontPage(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.pathname.length <= 1 && url.search === '';
}

/** Two spellings of one page: scheme, `www.`, fragment, query and a last slash apart. */
export function samePage(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  if (a === null || b === null || siteOf(one) !== siteOf(other)) return false;
  return withoutSlash(a.pathname) === withoutSlash(b.pathname);
}

const withoutSlash = (path: string): string => path.replace(/\/$/, '').toLowerCase();
