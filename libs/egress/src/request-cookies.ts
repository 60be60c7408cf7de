import { Cookie, CookieJar } from 'tough-cookie';

/** Cookies a site may set within one request, and the longest one. */
const MAX_COOKIES = 50;
const MAX_COOKIE_BYTES = 4_096;

/** The caller's cookies apart from its other headers. */
export function splitCookieHeader(
  headers: Readonly<Record<string, string>>,
  cookies = '',
): { readonly headers: Readonly<Record<string, string>>; readonly cookieText: string } {
  const texts = [cookies];
  const rest: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'cookie') texts.push(value);
    else rest.push([name, value]);
  }
  const cookieText = texts.filter((text) => text !== '').join('; ');
  return { headers: texts.length === 1 ? headers : Object.fromEntries(rest), cookieText };
}

/**
 * The cookies of one request with its redirects; never kept longer, never shared. The caller's go to
 * the origin of the first URL only (and to https of the same host, where most http sites redirect
 * to); those that sites set on the way follow RFC 6265bis, public suffixes refused.
 */
export class RequestCookies {
  /** The caller's, as they were written. */
  private given: readonly string[];
  private jar: CookieJar | null = null;
  private count = 0;

  constructor(
    private readonly first: URL,
    cookieText: string,
  ) {
    this.given = cookieText
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair !== '');
  }

  /** Text of the Cookie header for this URL; empty: none is sent. */
  headerFor(url: URL): string {
    if (this.jar === null && this.given.length === 0) return '';
    const given = this.isFirstSite(url) ? this.given : [];
    if (this.jar === null) return given.join('; ');
    const set = this.jar.getCookieStringSync(url.href);
    return [...given, ...(set === '' ? [] : [set])].join('; ');
  }

  /** Takes the Set-Cookie headers of a response; malformed, foreign and excess ones are dropped. */
  take(url: URL, header: string | string[] | undefined): void {
    for (const text of [header ?? []].flat()) this.takeOne(url, text);
  }

  private takeOne(url: URL, text: string): void {
    if (text.length > MAX_COOKIE_BYTES || this.count >= MAX_COOKIES) return;
    const cookie = Cookie.parse(text);
    // An http page must not plant what only https may send (RFC 6265bis 5.7).
    if (cookie === undefined || (cookie.secure && url.protocol !== 'https:')) return;
    this.jar ??= new CookieJar(undefined, {
      rejectPublicSuffixes: true,
      prefixSecurity: 'strict',
      allowSecureOnLocal: false,
    });
    if (this.jar.setCookieSync(cookie, url.href, { ignoreError: true }) === undefined) return;
    this.count++;
    // The site has taken the name over: its own value, or its deletion, holds from here on.
    if (this.isFirstSite(url))
      this.given = this.given.filter((pair) => nameOf(pair) !== cookie.key);
  }

  private isFirstSite(url: URL): boolean {
    if (url.origin === this.first.origin) return true;
    const isPlainFirst = this.first.protocol === 'http:' && this.first.port === '';
    return (
      isPlainFirst &&
      url.protocol === 'https:' &&
      url.port === '' &&
      url.hostname === this.first.hostname
    );
  }
}

function nameOf(pair: string): string {
  const end = pair.indexOf('=');
  return end < 0 ? '' : pair.slice(0, end).trim();
}
