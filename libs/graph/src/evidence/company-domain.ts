import { getDomain } from 'tldts';

const MAX_HOST_CHARS = 253;

/**
 * The domain a company is known by: the registrable one of a host (`shop.acme.co.uk`: `acme.co.uk`); on hosts that give
 * each customer a name (`acme.github.io`) that name. An IP address is itself. Null: the text names no host.
 */
export function companyDomain(text: string): string | null {
  const trimmed = text.trim().slice(0, 2_048);
  const isAddress = /^[a-z][a-z\d+.-]{0,20}:\/\//i.test(trimmed);
  const host = URL.parse(isAddress ? trimmed : `https://${trimmed}`)?.hostname ?? '';
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name === '' || name.length > MAX_HOST_CHARS) return null;
  return getDomain(name, { allowPrivateDomains: true }) ?? name;
}
