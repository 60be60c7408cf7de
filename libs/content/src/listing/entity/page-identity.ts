import { type UrlResolver } from '../../links/url-resolver.js';

/** What says which of several things a page is about. */
export interface PageIdentity {
  /** Final address. */
  readonly url: string;
  readonly canonical: string | undefined;
  readonly title: string;
  readonly h1: string;
  readonly language: string;
  /** Country the page is likely written for, by its language and the top-level domain. */
  readonly country: string;
  readonly resolver: UrlResolver;
}

const COUNTRY_BY_TLD: Readonly<Record<string, string>> = {
  uk: 'GB',
  de: 'DE',
  fr: 'FR',
  at: 'AT',
  ch: 'CH',
  es: 'ES',
  it: 'IT',
  nl: 'NL',
  be: 'BE',
  ie: 'IE',
  au: 'AU',
  nz: 'NZ',
  ca: 'CA',
  in: 'IN',
  mx: 'MX',
  pt: 'PT',
  pl: 'PL',
  se: 'SE',
  no: 'NO',
  dk: 'DK',
  fi: 'FI',
  us: 'US',
};

const COUNTRY_BY_LANGUAGE: Readonly<Record<string, string>> = {
  de: 'DE',
  fr: 'FR',
  es: 'ES',
  it: 'IT',
  nl: 'NL',
  pt: 'PT',
  pl: 'PL',
};

/** Country that telephone numbers without a prefix belong to. */
export const likelyCountry = (url: string, language: string): string =>
  impliedCountry(url, language) ?? 'US';

/** Country named by the host or the language; American English, the default of tools, is none. */
export const namesCountry = ({ url, language }: PageIdentity): boolean =>
  impliedCountry(url, /^en[-_]us$/i.test(language) ? '' : language) !== undefined;

function impliedCountry(url: string, language: string): string | undefined {
  const tld = /\.([a-z]{2})$/.exec(URL.parse(url)?.hostname ?? '')?.[1] ?? '';
  const region = /^[a-z]{2}[-_]([a-z]{2})$/i.exec(language)?.[1]?.toUpperCase();
  const byTld = COUNTRY_BY_TLD[tld];
  return byTld ?? region ?? COUNTRY_BY_LANGUAGE[language.slice(0, 2).toLowerCase()];
}

/** Letters and digits in lower case, `&` as "and": names compare by it. */
export const nameLetters = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('&', 'and')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '');
