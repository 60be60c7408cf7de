/**
 * Host of a web address (or of a bare domain), in lower case, without `www.`, port and final dot.
 * Empty when the text names no host.
 */
export function domainOf(url: string): string {
  const text = url.trim();
  const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const host = URL.parse(isAddress ? text : `https://${text}`)?.hostname ?? '';
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');
}

/** Whether a host is that of a site, above it or below it: `mail.acme.com` is of `acme.com`. */
export function isSameOrganization(host: string, domain: string): boolean {
  if (!domain.includes('.') || !host.includes('.')) return host === domain && host !== '';
  return host === domain || host.endsWith(`.${domain}`) || domain.endsWith(`.${host}`);
}

/** The label of a domain that names its owner: `acme` of `shop.acme.co.uk`. */
export function ownLabel(domain: string): string {
  const labels = domain.split('.');
  const end = labels.length > 2 && SECOND_LEVEL.has(labels.at(-2) ?? '') ? 3 : 2;
  return labels.at(-end) ?? labels[0] ?? '';
}

const SECOND_LEVEL = new Set('co com org net ac gov edu ne or go gob'.split(' '));
