export type ProxyScheme = 'http' | 'https';

/** One outbound proxy as the operator configured it. */
export interface OutboundProxySetting {
  /** ISO 3166-1 alpha-2, upper case; null: for requests of any country. */
  readonly country: string | null;
  readonly scheme: ProxyScheme;
  /** Name or bare address; it may be private, since the operator chose it. */
  readonly host: string;
  readonly port: number;
  /** Never shown. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

const DEFAULT_PORTS: Readonly<Record<ProxyScheme, number>> = { http: 80, https: 443 };

/**
 * Reads the setting: `[CC=]http://user:password@host:port`, comma-separated; CC is an ISO country
 * code, without it the proxy serves every country. Reserved characters of credentials are
 * percent-encoded. Empty text: no proxies.
 * @throws Error naming the entry by its number, and the rule it breaks; never its credentials.
 */
export function parseOutboundProxies(text: string): readonly OutboundProxySetting[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseEntry);
}

function parseEntry(entry: string, index: number): OutboundProxySetting {
  const fail = (rule: string) => new Error(`Bad outbound proxy ${index + 1}: ${rule}`);
  const [, code, address = ''] = /^(?:([^=:/@]*)=)?(.*)$/.exec(entry) ?? [];
  if (code !== undefined && !/^[A-Za-z]{2}$/.test(code))
    throw fail('the country is a code of two letters, e.g. DE=http://host:port');
  if (!URL.canParse(address)) throw fail('expected [CC=]http://user:password@host:port');
  const url = new URL(address);
  const scheme = schemeOf(url);
  if (scheme === null) throw fail(schemeRule(url.protocol));
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw fail('an address ends after its port; encode reserved characters of credentials');
  const credentials = credentialsOf(url);
  if (credentials === 'malformed')
    throw fail('credentials are percent-encoded and hold no control characters, the user no colon');
  return {
    country: code?.toUpperCase() ?? null,
    scheme,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORTS[scheme] : Number(url.port),
    credentials,
  };
}

function schemeOf({ protocol }: URL): ProxyScheme | null {
  if (protocol === 'http:') return 'http';
  return protocol === 'https:' ? 'https' : null;
}

function schemeRule(protocol: string): string {
  return protocol.startsWith('socks')
    ? 'SOCKS proxies are not spoken to; use an http:// or https:// proxy'
    : 'the scheme is http or https';
}

function credentialsOf(url: URL): OutboundProxySetting['credentials'] | 'malformed' {
  if (url.username === '' && url.password === '') return null;
  const user = decoded(url.username);
  const password = decoded(url.password);
  if (user === null || password === null || user.includes(':')) return 'malformed';
  return /[\x00-\x1f\x7f]/.test(user + password) ? 'malformed' : { user, password };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the caller names the rule.
    return null;
  }
}
