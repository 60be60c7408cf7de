import { CookieJar } from 'tough-cookie';

/** Cookies of one visit: the caller's for the first origin, and what the sites set on the way. */
export class VisitCookies {
  private readonly jar = new CookieJar(undefined, { looseMode: true, rejectPublicSuffixes: true });

  /** Takes in the Set-Cookie lines of an answer; a line that cannot be read or is not the site's is left. */
  store(url: URL, lines: readonly string[]): void {
    for (const line of lines) this.jar.setCookieSync(line, url.href, { ignoreError: true });
  }

  /** Text of the Cookie header; empty: none. What a site set replaces what the caller brought. */
  headerFor(url: URL, callers: string | null): string {
    const pairs = new Map(pairsOf(callers ?? ''));
    for (const { key, value } of this.jar.getCookiesSync(url.href)) pairs.set(key, value);
    return [...pairs].map(([name, value]) => (name === '' ? value : `${name}=${value}`)).join('; ');
  }
}

function pairsOf(text: string): [string, string][] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? ['', part] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
}
