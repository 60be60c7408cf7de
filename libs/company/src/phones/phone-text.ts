import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

const MAX_PHONE_CHARS = 80;
/** Numbers that templates carry: 555-555-5555, 123-456-7890, one digit throughout. */
const TEMPLATE_NUMBER =
  /^(?:(\d)\1{6,}|1?1234567890|1?2345678901|1?0123456789|0{3}\d{7}|123456789?|987654321\d?)$/;
const LETTER_DIGITS = '22233344455566677778889999';

/** E.164 of a text that is one phone number; undefined when no such number can exist. */
export function phoneNumber(text: string, country: CountryCode): string | undefined {
  if (text.length > MAX_PHONE_CHARS) return undefined;
  // The trunk digit that is only dialled at home: +49 (0) 89 …
  const number = parsePhoneNumberFromString(text.replace(/^(\s*\+[\d\s]+)\(0\)/, '$1'), {
    defaultCountry: country,
    extract: false,
  });
  if (number === undefined || !number.isValid()) return undefined;
  const { nationalNumber, countryCallingCode } = number;
  if (TEMPLATE_NUMBER.test(nationalNumber)) return undefined;
  return countryCallingCode === '1' && nationalNumber.length !== 10 ? undefined : number.number;
}

/**
 * E.164 of a number as a source writes it that names a country (ISO 3166-1 alpha-2); without one, as in the United States.
 * Where the country has no plan of numbers that is known, the number must begin with its own prefix.
 */
export function phoneIn(text: string, country = 'US'): string | undefined {
  if (isSupportedCountry(country)) return phoneNumber(text, country);
  return /^\s*\+/.test(text) ? phoneNumber(text, 'US') : undefined;
}

/** A number that spells a word, `1-800-FLOWERS`, in digits. */
export const withoutLetters = (text: string): string =>
  text.toUpperCase().replace(/[A-Z]/g, (letter) => LETTER_DIGITS[letter.charCodeAt(0) - 65] ?? '');

/** The target of a `tel:` or `callto:` link without its parameters; undefined of another link. */
export function dialledText(href: string): string | undefined {
  const target = /^\s*(?:tel|callto|phone|telephone):(?:\/\/)?([^;?]{3,80})/i.exec(
    href.slice(0, 300),
  )?.[1];
  if (target === undefined) return undefined;
  // A pause or an extension follows a comma or a letter; 00 is the plus sign of most countries.
  const [digits = ''] = decoded(target)
    .trim()
    .split(/,|(?:ext|[xpw])\.?\s?\d|#/i, 1);
  return digits.replace(/^00(?=[1-9])/, '+').trim();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the digits are there all the same.
    return text.replace(/%\w\w/g, ' ');
  }
}
