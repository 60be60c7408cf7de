/** Sent when the request names no country, or one that is not listed. */
const DEFAULT_ACCEPT_LANGUAGE = 'en-US,en;q=0.8,*;q=0.5';

/**
 * Languages of a country, most spoken first, as BCP 47 tags; English follows where it is not among
 * them.
 */
const LANGUAGES: Readonly<Record<string, string>> = {
  AE: 'ar-AE',
  AF: 'fa-AF ps-AF',
  AL: 'sq-AL',
  AM: 'hy-AM',
  AO: 'pt-AO',
  AR: 'es-AR',
  AT: 'de-AT',
  AU: 'en-AU',
  AZ: 'az-AZ',
  BA: 'bs-BA hr-BA sr-BA',
  BD: 'bn-BD',
  BE: 'nl-BE fr-BE de-BE',
  BG: 'bg-BG',
  BH: 'ar-BH',
  BO: 'es-BO',
  BR: 'pt-BR',
  BY: 'be-BY ru-BY',
  CA: 'en-CA fr-CA',
  CD: 'fr-CD',
  CH: 'de-CH fr-CH it-CH',
  CI: 'fr-CI',
  CL: 'es-CL',
  CM: 'fr-CM en-CM',
  CN: 'zh-CN',
  CO: 'es-CO',
  CR: 'es-CR',
  CU: 'es-CU',
  CY: 'el-CY tr-CY',
  CZ: 'cs-CZ',
  DE: 'de-DE',
  DK: 'da-DK',
  DO: 'es-DO',
  DZ: 'ar-DZ fr-DZ',
  EC: 'es-EC',
  EE: 'et-EE',
  EG: 'ar-EG',
  ES: 'es-ES ca-ES',
  ET: 'am-ET',
  FI: 'fi-FI sv-FI',
  FR: 'fr-FR',
  GB: 'en-GB',
  GE: 'ka-GE',
  GH: 'en-GH',
  GR: 'el-GR',
  GT: 'es-GT',
  HK: 'zh-HK en-HK',
  HN: 'es-HN',
  HR: 'hr-HR',
  HU: 'hu-HU',
  ID: 'id-ID',
  IE: 'en-IE ga-IE',
  IL: 'he-IL ar-IL',
  IN: 'en-IN hi-IN',
  IQ: 'ar-IQ ku-IQ',
  IR: 'fa-IR',
  IS: 'is-IS',
  IT: 'it-IT',
  JM: 'en-JM',
  JO: 'ar-JO',
  JP: 'ja-JP',
  KE: 'en-KE sw-KE',
  KG: 'ky-KG ru-KG',
  KH: 'km-KH',
  KR: 'ko-KR',
  KW: 'ar-KW',
  KZ: 'kk-KZ ru-KZ',
  LA: 'lo-LA',
  LB: 'ar-LB fr-LB',
  LI: 'de-LI',
  LK: 'si-LK ta-LK',
  LT: 'lt-LT',
  LU: 'lb-LU fr-LU de-LU',
  LV: 'lv-LV',
  LY: 'ar-LY',
  MA: 'ar-MA fr-MA',
  MC: 'fr-MC',
  MD: 'ro-MD ru-MD',
  ME: 'sr-ME',
  MK: 'mk-MK sq-MK',
  MM: 'my-MM',
  MN: 'mn-MN',
  MO: 'zh-MO pt-MO',
  MT: 'mt-MT en-MT',
  MX: 'es-MX',
  MY: 'ms-MY en-MY',
  MZ: 'pt-MZ',
  NG: 'en-NG',
  NI: 'es-NI',
  NL: 'nl-NL',
  NO: 'nb-NO nn-NO',
  NP: 'ne-NP',
  NZ: 'en-NZ mi-NZ',
  OM: 'ar-OM',
  PA: 'es-PA',
  PE: 'es-PE',
  PH: 'en-PH fil-PH',
  PK: 'ur-PK en-PK',
  PL: 'pl-PL',
  PR: 'es-PR en-PR',
  PT: 'pt-PT',
  PY: 'es-PY gn-PY',
  QA: 'ar-QA',
  RO: 'ro-RO',
  RS: 'sr-RS',
  RU: 'ru-RU',
  SA: 'ar-SA',
  SE: 'sv-SE',
  SG: 'en-SG zh-SG ms-SG',
  SI: 'sl-SI',
  SK: 'sk-SK',
  SN: 'fr-SN',
  SV: 'es-SV',
  SY: 'ar-SY',
  TH: 'th-TH',
  TJ: 'tg-TJ ru-TJ',
  TN: 'ar-TN fr-TN',
  TR: 'tr-TR',
  TW: 'zh-TW',
  TZ: 'sw-TZ en-TZ',
  UA: 'uk-UA',
  UG: 'en-UG sw-UG',
  US: 'en-US',
  UY: 'es-UY',
  UZ: 'uz-UZ ru-UZ',
  VE: 'es-VE',
  VN: 'vi-VN',
  YE: 'ar-YE',
  ZA: 'en-ZA af-ZA',
  ZM: 'en-ZM',
  ZW: 'en-ZW',
};

/**
 * The Accept-Language a browser of this country would send: `DE` is `de-DE,de;q=0.9,en;q=0.7`.
 * @param country ISO 3166-1 alpha-2; null or an unknown one: the default of the service
 */
export function acceptLanguageOf(country: string | null): string {
  const listed = country === null ? undefined : LANGUAGES[country.toUpperCase()];
  if (listed === undefined) return DEFAULT_ACCEPT_LANGUAGE;
  const tags = listed.split(' ').flatMap((tag) => [tag, tag.split('-')[0] ?? tag]);
  if (!tags.includes('en')) return weighed([...tags], 'en;q=0.7');
  return weighed([...tags], null);
}

/** The language tag of a country's largest language, such as `de-DE`; null where none is listed. */
export function localeOf(country: string): string | null {
  return LANGUAGES[country.toUpperCase()]?.split(' ')[0] ?? null;
}

/** Each tag a tenth below the one before, kept above what follows the list. */
function weighed(tags: readonly string[], last: string | null): string {
  const floor = last === null ? 0.1 : 0.75;
  const step = Math.min(0.1, (1 - floor) / Math.max(1, tags.length - 1));
  const entries = tags.map((tag, index) => {
    const weight = Math.round((1 - index * step) * 100) / 100;
    return index === 0 ? tag : `${tag};q=${weight}`;
  });
  return [...entries, ...(last === null ? [] : [last])].join(',');
}
