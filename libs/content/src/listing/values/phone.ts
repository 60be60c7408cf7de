import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

const MAX_PHONE_CHARS = 80;
/** A run of digits with what people put between them, and an extension. */
const SHOWN = /\+?\(?\d[\d\s().\-\u2010-\u2015/·]{5,24}\d(?:\s{0,2}(?:x|ext\.?)\s{0,2}\d{1,6})?/i;
const SEPARATED = /\d[\s().\-\u2010-\u2015/·]+\d/;
/** A whole text that is a number without the prefix of a country. */
const UNPLACED = /^[\d(][\d\s().\-\u2010-\u2015/·]*\d$/;
/** The form of North America: what cannot be there is false, not foreign. */
const AMERICAN_FORM = /^\(?[1-9]\d{2}\)?[\s.-]{1,2}\d{3}[\s.-]\d{4}$/;
/** Numbers that templates carry: 555-555-5555, 123-456-7890, one digit throughout. */
const TEMPLATE_NUMBER = /^(?:(\d)\1{9}|1?1234567890|1?5555555555|1?0123456789|0{3}\d{7})$/;

/**
 * A phone number as the page shows it when that is readable (`207-555-0120`); bare digits become
 * `(207) 555-0120` in North America and `+49 89 5550123` elsewhere. Undefined when no such number
 * can exist.
 */
export function readPhone(text: string, country?: string): string | undefined {
  if (text.length > MAX_PHONE_CHARS) return undefined;
  const shown = SHOWN.exec(text.replace(/^\s*tel:/i, ''))?.[0];
  if (shown === undefined) return undefined;
  const number = parsePhoneNumberFromString(shown, countryCode(country));
  if (number === undefined || !number.isValid()) return undefined;
  if (TEMPLATE_NUMBER.test(number.nationalNumber)) return undefined;
  if (number.countryCallingCode === '1' && number.nationalNumber.length !== 10) return undefined;
  if (SEPARATED.test(shown.replace(/^\+?1(?=\d)/, '')))
    return shown
      .replace(/\s+/g, ' ')
      .replace(/[\u2010-\u2015]/g, '-')
      .trim();
  return number.countryCallingCode === '1' ? number.formatNational() : number.formatInternational();
}

/**
 * A number in national form as it is written, for an unknown country, where it cannot be checked:
 *  7 to 15 digits (E.164) and what people put between them.
 */
export function unplacedPhone(text: string): string | undefined {
  if (text.length > MAX_PHONE_CHARS) return undefined;
  const shown = text
    .replace(/^\s*tel:/i, '')
    .replace(/\s+/g, ' ')
    .trim();
  const digits = shown.replace(/\D/g, '');
  const isNumber =
    UNPLACED.test(shown) && !AMERICAN_FORM.test(shown) && digits.length >= 7 && digits.length <= 15;
  return isNumber && !TEMPLATE_NUMBER.test(digits) && !/^(\d)\1*$/.test(digits) ? shown : undefined;
}

/** What all spellings of one number share. */
export function phoneKey(text: string, country?: string): string {
  return parsePhoneNumberFromString(text, countryCode(country))?.number ?? text.replace(/\D/g, '');
}

const countryCode = (country: string | undefined): CountryCode =>
  country !== undefined && isSupportedCountry(country) ? country : 'US';
