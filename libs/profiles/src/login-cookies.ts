import {
  Cookie,
  CookieJar,
  domainMatch,
  getPublicSuffix,
  MemoryCookieStore,
  type SerializedCookie,
} from 'tough-cookie';
import type { BrowserCookie } from '@app/contracts';

export const COOKIE_LIMITS = {
  cookies: 100,
  /** Of name and value together (RFC 6265bis, 5.7). */
  chars: 4_096,
  /** Of all as they are stored. */
  bytes: 65_536,
  /** Set by one response. */
  set: 50,
} as const;

/** Says what is wrong with cookies that a caller sent; never quotes a value. */
export class CookieInputError extends Error {
  override readonly name = 'CookieInputError';
}

const NAME = /^[\x21-\x7e]+$/;
const VALUE = /^[\x20-\x7e]*$/;
const HOST = /^[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9])?$/;
const PATH = /^\/[\x21-\x3a\x3c-\x7e]{0,1023}$/;
const SAME_SITE: Readonly<Record<string, 'strict' | 'lax' | 'none'>> = {
  strict: 'strict',
  lax: 'lax',
  none: 'none',
  no_restriction: 'none',
};

/**
 * The cookies of a login, each with its host, path and end. Which of them go to an address is decided as a browser does
 * (RFC 6265, 5.1.3, 5.1.4 and 5.4).
 */
export class LoginCookies {
  private readonly store = new MemoryCookieStore();
  private readonly jar = new CookieJar(this.store, {
    rejectPublicSuffixes: true,
    prefixSecurity: 'strict',
    allowSecureOnLocal: false,
  });

  /**
   * Cookies that a caller sends: the text of a Cookie header, for the host of `url`; or a list of objects as browsers
   * export them.
   * @throws CookieInputError
   */
  static given(input: unknown, url: URL | null): LoginCookies {
    const list = typeof input === 'string' ? pairsOf(input, url) : input;
    if (!Array.isArray(list)) throw new CookieInputError('must be a text or a list of objects');
    if (list.length > COOKIE_LIMITS.cookies)
      throw new CookieInputError(`may hold at most ${COOKIE_LIMITS.cookies} cookies`);
    const cookies = new LoginCookies();
    for (const [index, entry] of list.entries()) cookies.add(entry, index, url);
    if (cookies.all.length === 0)
      throw new CookieInputError('has no cookie whose time is not over');
    if (Buffer.byteLength(cookies.toJson()) > COOKIE_LIMITS.bytes)
      throw new CookieInputError(`is longer than ${COOKIE_LIMITS.bytes} bytes`);
    return cookies;
  }

  /** Cookies of a browser; those that no Cookie header can carry are left out. */
  static kept(list: readonly BrowserCookie[]): LoginCookies {
    const cookies = new LoginCookies();
    for (const [index, one] of list.entries()) {
      try {
        cookies.add(one, index, null);
      } catch (error) {
        if (!(error instanceof CookieInputError)) throw error;
      }
    }
    return cookies;
  }

  /** What {@link toJson} wrote. */
  static read(json: string): LoginCookies {
    const cookies = new LoginCookies();
    for (const one of JSON.parse(json) as SerializedCookie[]) {
      const cookie = Cookie.fromJSON(one);
      // This store works at once; a promise is only its interface.
      if (cookie) void cookies.store.putCookie(cookie);
    }
    return cookies;
  }

  toJson(): string {
    return JSON.stringify(this.all.map((cookie) => cookie.toJSON()));
  }

  get names(): readonly string[] {
    return [...new Set(this.all.map(({ key }) => key))].toSorted();
  }

  /** With a leading dot: its subdomains, too. */
  get hosts(): readonly string[] {
    return [...new Set(this.all.map(hostOf))].toSorted();
  }

  /** When the last of them ends; null: one of them says no time. */
  get until(): Date | null {
    const ends = this.all.map((cookie) => cookie.expiryTime());
    const last = Math.max(...ends.map((end) => end ?? Infinity));
    return Number.isFinite(last) ? new Date(last) : null;
  }

  /** Text of a Cookie header; empty: none of them is for this address. */
  headerFor(url: URL): string {
    return this.jar.getCookieStringSync(url.href);
  }

  forBrowser(): readonly BrowserCookie[] {
    return this.all.map((cookie) => {
      const { key: name, value, path, secure, httpOnly, sameSite } = cookie;
      const end = cookie.expiryTime();
      return {
        ...{ name, value, domain: hostOf(cookie), path: path ?? '/', secure, httpOnly },
        ...(end === undefined || !Number.isFinite(end) ? {} : { expires: Math.floor(end / 1_000) }),
        ...(sameSite === undefined || sameSite === 'none'
          ? {}
          : { sameSite: sameSite as 'strict' }),
      };
    });
  }

  /**
   * Takes the Set-Cookie headers of a response of one of the hosts. @returns what that changed: their values, or only how
   * long they last; null: nothing that may be kept
   */
  take(url: URL, lines: readonly string[]): 'values' | 'times' | null {
    if (!isOfHosts(url, this.hosts)) return null;
    const [json, values] = [this.toJson(), this.values];
    for (const line of lines.slice(0, COOKIE_LIMITS.set)) this.takeOne(url, line);
    const after = this.toJson();
    if (after === json || Buffer.byteLength(after) > COOKIE_LIMITS.bytes) return null;
    return this.values === values ? 'times' : 'values';
  }

  private get values(): string {
    return JSON.stringify(this.all.map((one) => [one.key, one.value, hostOf(one), one.path]));
  }

  private takeOne(url: URL, line: string): void {
    if (line.length > COOKIE_LIMITS.chars) return;
    const cookie = Cookie.parse(line);
    if (cookie === undefined) return;
    const known = this.all.filter(({ key }) => key === cookie.key);
    // An http page must neither plant nor replace what only https may send (RFC 6265bis, 5.7).
    const isSecure = cookie.secure || known.some(({ secure }) => secure);
    if (isSecure && url.protocol !== 'https:') return;
    if (known.length === 0 && this.all.length >= COOKIE_LIMITS.cookies) return;
    this.jar.setCookieSync(cookie, url.href, { ignoreError: true });
  }

  /** Those whose time is not over. */
  private get all(): readonly Cookie[] {
    const now = Date.now();
    let all: readonly Cookie[] = [];
    // This store calls back at once.
    this.store.getAllCookies((_error, cookies) => (all = cookies ?? []));
    return all.filter((cookie) => (cookie.expiryTime() ?? Infinity) > now);
  }

  private add(entry: unknown, index: number, url: URL | null): void {
    const problem = (what: string) => new CookieInputError(`[${index}] ${what}`);
    if (typeof entry !== 'object' || entry === null) throw problem('must be an object');
    const { name, value, domain, path = '/', ...rest } = entry as Readonly<Record<string, unknown>>;
    if (!isText(name, NAME) || /[=;,]/.test(name)) throw problem('needs a name');
    if (!isText(value, VALUE) || value.includes(';')) throw problem('needs a value');
    if (name.length + value.length > COOKIE_LIMITS.chars)
      throw problem(`is longer than ${COOKIE_LIMITS.chars} characters, name and value together`);
    const given = domain ?? url?.hostname;
    if (typeof given !== 'string') throw problem('needs a domain, or `url` is needed');
    const host = given.toLowerCase().replace(/^\./, '');
    if (!HOST.test(host)) throw problem('has a domain that is no host name');
    if (!isText(path, PATH)) throw problem('has a path that does not begin with /');
    const isHostOnly = rest['hostOnly'] ?? !given.startsWith('.');
    const cookie = new Cookie({
      ...{ key: name, value, path, domain: isHostOnly === true ? null : host },
      ...{ secure: rest['secure'] === true, httpOnly: rest['httpOnly'] === true },
      ...sameSiteOf(rest['sameSite']),
      ...expiryOf(rest['expires'] ?? rest['expirationDate']),
    });
    try {
      this.jar.setCookieSync(cookie, `https://${host}${path}`);
    } catch {
      throw problem('is not one that a site of its domain may set');
    }
  }
}

function hostOf({ domain, hostOnly }: Cookie): string {
  return `${hostOnly === true ? '' : '.'}${domain ?? ''}`;
}

/** The registrable domain; an address of numbers, or a name without dots, is one itself. */
export function siteNameOf(hostname: string): string {
  const isName = hostname.includes('.') && !/^[\d.]+$/.test(hostname);
  return (isName ? getPublicSuffix(hostname, { ignoreError: true }) : null) ?? hostname;
}

/** Whether cookies of these hosts may go to an address. */
export function isOfHosts({ hostname }: URL, hosts: readonly string[]): boolean {
  return hosts.some((host) =>
    host.startsWith('.') ? domainMatch(hostname, host.slice(1)) === true : hostname === host,
  );
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && value.length <= COOKIE_LIMITS.chars && pattern.test(value);
}

/** Of the host of the address alone; what https gave goes to https only. */
function pairsOf(text: string, url: URL | null): unknown[] {
  if (url === null) throw new CookieInputError('as text needs `url`, the address they are for');
  if (text.length > COOKIE_LIMITS.bytes)
    throw new CookieInputError(`is longer than ${COOKIE_LIMITS.bytes} bytes`);
  return text
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, Math.max(at, 0)), pair.slice(at + 1)];
      return { name: name.trim(), value: value.trim(), secure: url.protocol === 'https:' };
    });
}

function sameSiteOf(value: unknown): { readonly sameSite?: 'strict' | 'lax' | 'none' } {
  const sameSite = typeof value === 'string' ? SAME_SITE[value.slice(0, 20).toLowerCase()] : null;
  return sameSite == null ? {} : { sameSite };
}

/** Seconds since 1970; none, 0 and -1: the end of the session. */
function expiryOf(value: unknown): { readonly expires?: Date } {
  const isTime = typeof value === 'number' && value > 0 && value < 1e11;
  return isTime ? { expires: new Date(value * 1_000) } : {};
}
