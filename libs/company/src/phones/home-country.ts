import { likelyCountry } from '@app/content';
import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max';

/** Countries named by their top-level domain or their language, beyond those that listings know. */
const BY_TLD: Readonly<Record<string, CountryCode>> = {
  jp: 'JP',
  kr: 'KR',
  br: 'BR',
  cz: 'CZ',
  sk: 'SK',
  hu: 'HU',
  ro: 'RO',
  gr: 'GR',
  tr: 'TR',
  za: 'ZA',
  sg: 'SG',
};
const BY_LANGUAGE: Readonly<Record<string, CountryCode>> = {
  ja: 'JP',
  ko: 'KR',
  sv: 'SE',
  da: 'DK',
  nb: 'NO',
  no: 'NO',
  fi: 'FI',
  cs: 'CZ',
  hu: 'HU',
  tr: 'TR',
};

/**
 * Country that numbers without a prefix belong to: that of the top-level domain, else of the page's
 * language, else the United States (the specification's formats).
 */
export function homeCountry(url: string, language: string): CountryCode {
  const known = likelyCountry(url, language);
  if (known !== 'US') return isSupportedCountry(known) ? known : 'US';
  const tld = /\.([a-z]{2})$/.exec(URL.parse(url)?.hostname ?? '')?.[1] ?? '';
  return BY_TLD[tld] ?? BY_LANGUAGE[language.slice(0, 2).toLowerCase()] ?? 'US';
}
