import { amountOf } from '../listing/values/price.js';

/** An amount as a shop writes it. */
export interface Money {
  readonly amount: number;
  readonly currency?: string;
}

/** Signs and abbreviations by currency; a bare dollar may be of many countries and says none. */
const CURRENCIES: Readonly<Record<string, string>> = {
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  us$: 'USD',
  usd: 'USD',
  c$: 'CAD',
  ca$: 'CAD',
  cad: 'CAD',
  a$: 'AUD',
  au$: 'AUD',
  aud: 'AUD',
  nt$: 'TWD',
  hk$: 'HKD',
  r$: 'BRL',
  '₹': 'INR',
  rs: 'INR',
  inr: 'INR',
  円: 'JPY',
  '₩': 'KRW',
  원: 'KRW',
  '₽': 'RUB',
  руб: 'RUB',
  zł: 'PLN',
  pln: 'PLN',
  kč: 'CZK',
  czk: 'CZK',
  ft: 'HUF',
  huf: 'HUF',
  chf: 'CHF',
  sek: 'SEK',
  nok: 'NOK',
  dkk: 'DKK',
  lei: 'RON',
  ron: 'RON',
  kn: 'HRK',
  '₺': 'TRY',
  tl: 'TRY',
  try: 'TRY',
  '₪': 'ILS',
  sar: 'SAR',
  aed: 'AED',
};

const SIGN =
  '(?:us|ca?|au?|nt|hk|r|s|nz|mx|clp)?\\$|[€£¥₹₩₽₺₪]|(?:eur|euro|gbp|usd|cad|aud|inr|pln|czk|huf|chf|sek|nok|dkk|ron|sar|aed|try|jpy|rsd|pkr|php|thb|myr|idr|vnd)(?![a-z])|rs\\.?|zł|kč|ft|lei|kn|kr\\.?|руб\\.?|р\\.|円|元|원|tl|,-';
const NUMBER = "\\d{1,3}(?:[ .,\u00a0\u202f'’]\\d{3})+(?:[.,]\\d{1,2})?|\\d{1,9}(?:[.,]\\d{1,3})?";

/** A whole text that is one amount with its currency, perhaps after a word such as "from". */
const PRICE = new RegExp(
  `^(?:[\\p{L} .]{0,24}:?\\s?)?(?:(${SIGN})\\s?(${NUMBER})|(${NUMBER})\\s?(${SIGN}))(?:\\s?(?:\\*|¹|ea(?:ch)?\\.?|incl\\.?.{0,20}|inkl\\.?.{0,20}|ttc|ht|ttc\\.?))?$`,
  'iu',
);
const MAX_PRICE_CHARS = 60;

export function moneyOf(source: string): Money | undefined {
  if (source.length > 4 * MAX_PRICE_CHARS) return undefined;
  const text = source.replace(/\s+/g, ' ').trim();
  if (text.length > MAX_PRICE_CHARS || !/\d/.test(text)) return undefined;
  const match = PRICE.exec(text);
  if (match === null) return undefined;
  const amount = amountOf(match[2] ?? match[3] ?? '');
  const currency = currencyOf(match[1] ?? match[4] ?? '');
  if (amount === undefined) return undefined;
  return currency === undefined ? { amount } : { amount, currency };
}

/** ISO 4217, by a code, a sign or an abbreviation. */
export function currencyOf(text: string): string | undefined {
  const sign = text.trim().toLowerCase().replace(/\.$/, '');
  if (Object.hasOwn(CURRENCIES, sign)) return CURRENCIES[sign];
  return /^[a-z]{3}$/.test(sign) ? sign.toUpperCase() : undefined;
}
