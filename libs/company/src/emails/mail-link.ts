import { cloudflareAddress, typo3Address } from './encoded-address.js';
import { plainAddresses } from './plain-address.js';
import { spelledAddresses } from './spelled-address.js';

const MAX_LINK_CHARS = 2_000;
const MAX_ADDRESSES = 20;

/**
 * Addresses that a link leads to: `mailto:` with several and with what is percent-encoded, its `to`
 * field (RFC 6068), Cloudflare's and TYPO3's protected forms. What a subject or text names is none.
 */
export function linkedAddresses(href: string): readonly string[] {
  const link = href.trim().slice(0, MAX_LINK_CHARS);
  const hidden = protectedAddress(link);
  if (hidden !== undefined) return addressesOf(hidden);
  const target = /^mailto:(?:\/\/)?([^?]*)(?:\?(.*))?$/is.exec(link);
  if (target === null) return [];
  const [, path = '', fields = ''] = target;
  const to = /(?:^|&(?:amp;)?)to=([^&]*)/i.exec(fields)?.[1] ?? '';
  return [...addressesOf(decoded(path)), ...addressesOf(decoded(to))];
}

function protectedAddress(link: string): string | undefined {
  const cloudflare = /\/cdn-cgi\/l\/email-protection#([\da-f]+)/i.exec(link)?.[1];
  if (cloudflare !== undefined) return cloudflareAddress(cloudflare);
  const typo3 = /linkTo_UnCryptMailto\(\s*['"]([^'"]{1,500})['"]/.exec(decoded(link))?.[1];
  return typo3Address(typo3);
}

function addressesOf(text: string): readonly string[] {
  const plain = plainAddresses(text, MAX_ADDRESSES);
  const found = plain.length > 0 ? plain : spelledAddresses(text, '', { left: MAX_ADDRESSES });
  return found.map(({ address }) => address);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the text before and after it is readable as it is.
    return text;
  }
}
