const MAX_HOST_CHARS = 253;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * The host that a caller means by a domain or URL: lower case, without scheme, port, path, `www.` and a leading `*.`;
 * international names as DNS has them. Null: it is no host name.
 */
export function bareDomain(text: string): string | null {
  const trimmed = text.trim().replace(/^\*\./, '');
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  const url = URL.parse(address);
  if (url === null || url.username !== '' || !/^https?:$/.test(url.protocol)) return null;
  const host = url.hostname.replace(/\.$/, '').replace(/^www\.(?=.*\.)/, '');
  const isName = host.length <= MAX_HOST_CHARS && host.split('.').every((one) => LABEL.test(one));
  return isName ? host : null;
}

/** Whether a host is one of these domains, or below one. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  const bare = host.replace(/\.$/, '');
  return domains.some((domain) => bare === domain || bare.endsWith(`.${domain}`));
}
