import { type CountryCode } from 'libphonenumber-js/max';
import { phoneNumber, withoutLetters } from './phone-text.js';

/** Distinct texts of one page that are read; one takes about 10 µs. */
const MAX_READ = 5_000;
/** Groups of digits after a number, of another one or of a price, that may have to be left off. */
const MAX_GROUPS_OFF = 4;
const AMERICAN_FORM =
  /^(?:\+?1[\s.-]{0,2})?\(?[2-9]\d{2}\)?[\s.\u2010-\u2013-]{1,3}\d{3}[\s.\u2010-\u2013-]{1,3}\d{4}$/;

export interface ReadNumber {
  /** The part of the text that is the number. */
  readonly shown: string;
  /** E.164. */
  readonly number: string;
}

/** Reads the numbers of one page; each text once, as menus repeat them. */
export class NumberReader {
  private readonly known = new Map<string, ReadNumber | undefined>();

  constructor(readonly country: CountryCode) {}

  /** The longest beginning of a text that is a number. */
  read(text: string): ReadNumber | undefined {
    if (this.known.has(text)) return this.known.get(text);
    if (this.known.size >= MAX_READ) return undefined;
    const number = this.parse(text.trim());
    this.known.set(text, number);
    return number;
  }

  private parse(text: string): ReadNumber | undefined {
    let shown = text;
    for (let off = 0; off <= MAX_GROUPS_OFF; off++) {
      const number = numberOf(shown, this.country);
      if (number !== undefined) return { shown, number };
      const shorter = shown.replace(/[^\d)]{1,20}\(?\d{1,20}\)?$/, '');
      if (shorter === shown) return undefined;
      shown = shorter;
    }
    return undefined;
  }
}

/** A page in British English may still be American: the form of its numbers decides. */
function numberOf(text: string, country: CountryCode): string | undefined {
  const digits = /[A-Z]/.test(text) ? withoutLetters(text) : text;
  const isAmerican = AMERICAN_FORM.test(digits);
  return phoneNumber(digits, country) ?? (isAmerican ? phoneNumber(digits, 'US') : undefined);
}
