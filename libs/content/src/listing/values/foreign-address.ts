import { type AddressParts } from './postal-address.js';
import { canadianProvince, PROVINCE_CODES } from './us-states.js';

const CANADIAN = new RegExp(
  `[\\s,](${PROVINCE_CODES.join('|')}|Ontario|Quebec|Québec|British Columbia|Alberta|Manitoba|Saskatchewan|Nova Scotia|New Brunswick)\\.?[\\s,]{1,3}([A-Z]\\d[A-Z]\\s?\\d[A-Z]\\d)\\b`,
);
const BRITISH = /[\s,]([A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2})\b/;
const POSTCODE_FIRST =
  /[\s,](?:(?:D|A|CH|F|I|E|NL|B)-)?(\d{4,5}(?:\s?[A-Z]{2})?)\s(\p{Lu}[\p{L}.' -]{1,39})/u;
/** Countries whose towns follow the postal code. */
const TOWN_AFTER_CODE = new Set('DE AT CH FR ES IT NL BE LU DK SE NO FI PT PL CZ'.split(' '));
const COUNTRIES =
  /,\s?(?:Canada|United Kingdom|UK|England|Scotland|Wales|Deutschland|Germany|France|Italia|España)\.?\s*$/i;

/** Addresses outside the US; the street must have a number or be alone in its segment. */
export function foreignAddress(line: string, country: string): AddressParts | undefined {
  const text = line.replace(COUNTRIES, '');
  const canadian = CANADIAN.exec(text);
  if (canadian !== null) {
    const state = canadianProvince(canadian[1] ?? '');
    return fromSegments(text.slice(0, canadian.index), { state, zip: canadian[2] });
  }
  const british = country === 'GB' ? BRITISH.exec(text) : null;
  if (british !== null) return fromSegments(text.slice(0, british.index), { zip: british[1] });
  return TOWN_AFTER_CODE.has(country) ? codeFirst(text) : undefined;
}

/** `12 Castlegate, York`: the street is the first segment with a house number. */
function fromSegments(before: string, rest: AddressParts): AddressParts | undefined {
  const segments = before
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const start = segments.findIndex((segment) =>
    /^\d{1,5}[A-Za-z]?(?:-\d{1,5})?\s\p{L}/u.test(segment),
  );
  const city = segments.at(-1);
  if (start === -1 || city === undefined || start === segments.length - 1) return undefined;
  if (city.length > 40 || /\d/.test(city)) return undefined;
  return { address: segments.slice(start, -1).slice(0, 3).join(', '), city, ...rest };
}

/** `Karl-Marx-Straße 88, 12043 Berlin`. */
function codeFirst(text: string): AddressParts | undefined {
  const match = POSTCODE_FIRST.exec(text);
  if (match === null) return undefined;
  const segments = text
    .slice(0, match.index)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const street = segments.at(-1);
  const isStreet =
    street !== undefined && street.length <= 80 && /\d/.test(street) && /\p{L}{3}/u.test(street);
  if (!isStreet) return undefined;
  const city = (match[2] ?? '').split(/\s(?:Tel|Fon|Phone|Fax)\b|\s-\s/)[0]?.trim();
  return { address: street.replace(/^.*?:\s/, ''), city, zip: match[1] };
}
