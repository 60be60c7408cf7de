/**
 * How pages write the currencies that schemas name by their ISO 4217 codes. A sign that several use
 * means its usual one where nothing else is said: `$` is the US dollar.
 */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  AUD: ['A$', 'AU$', 'Australian dollar'],
  BRL: ['R$', 'real', 'reais'],
  CAD: ['C$', 'CA$', 'Canadian dollar'],
  CHF: ['Fr.', 'SFr', 'Swiss franc', 'Franken'],
  CNY: ['¥', '￥', '元', 'RMB', 'yuan'],
  CZK: ['Kč'],
  DKK: ['kr'],
  EUR: ['€', 'euro', 'euros'],
  GBP: ['£', 'pound', 'pounds'],
  HKD: ['HK$'],
  HUF: ['Ft'],
  ILS: ['₪'],
  INR: ['₹', 'Rs', 'rupee', 'rupees'],
  JPY: ['¥', '￥', '円', 'yen'],
  KRW: ['₩', '원', 'won'],
  MXN: ['MX$', 'Mex$'],
  NGN: ['₦'],
  NOK: ['kr'],
  NZD: ['NZ$'],
  PHP: ['₱'],
  PLN: ['zł', 'złoty', 'zloty'],
  RUB: ['₽', 'руб', 'рублей'],
  SEK: ['kr'],
  SGD: ['S$'],
  THB: ['฿', 'baht'],
  TRY: ['₺', 'TL'],
  TWD: ['NT$'],
  UAH: ['₴', 'грн'],
  USD: ['$', 'US$', 'dollar', 'dollars'],
  VND: ['₫'],
  ZAR: ['rand'],
};

/** Signs and words that say the currency with this code; none when the text is no code. */
export function currencySpellings(code: string): readonly string[] {
  const text = code.trim().toUpperCase();
  return (Object.hasOwn(WRITTEN, text) ? WRITTEN[text] : undefined) ?? [];
}
