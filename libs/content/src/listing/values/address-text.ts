import { parsedLocation } from './address-parser.js';
import type { AddressParts } from './postal-address.js';
import {
  STATE_CODES,
  STATE_NAMES,
  usState,
  canadianProvince,
  PROVINCE_CODES,
} from './us-states.js';

/** Characters before the state that a street and a town may take. */
const MAX_ADDRESS_CHARS = 160;
const MAX_STARTS = 8;

const STATE = `(?:${STATE_CODES.join('|')}|${STATE_NAMES.map((name) => name.replace(/[. ]/g, '\\W')).join('|')})`;
/** State and ZIP code: sure enough without a comma. */
const WITH_ZIP = new RegExp(`[\\s,](${STATE})\\.?[\\s,]{1,3}(\\d{5}(?:-\\d{4})?)(?![\\d-])`);
/** A state behind a comma at the end of a text. */
const WITHOUT_ZIP = new RegExp(`,\\s?(${STATE})\\.?(?:,?\\s(?:USA?|United States))?[\\s.,;)]*$`);
const HOUSE_NUMBER =
  /(?:^|[\s,(])((?:\d{1,6}(?:[-–]\d{1,5})?[A-Z]?|[NSEW]\d{1,5}[NSEW]\d{1,6})\s(?=[\p{Lu}\d]))/gu;
const BOX = /\bP\.?\s?O\.?\s?Box\s\d{1,6}/i;
const SEPARATOR = /(?:(?<!\s)\s+)?(?:[|·•;*‣–—]|(?<=\s)-\s|\t)\s*/g;
const COUNTRY_TAIL = /,?\s(?:USA?|U\.S\.A?\.?|United States(?: of America)?)\.?\s*$/i;

/**
 * The address in a short text: US ones by state and ZIP code with the street checked by a parser,
 * Canadian, British and continental ones by their postal codes. Undefined when there is none.
 */
export function readAddressText(text: string, country = 'US'): AddressParts | undefined {
  const line = text.slice(0, 600).replace(SEPARATOR, ', ').replace(/\s+/g, ' ');
  return usAddress(line) ?? foreignAddress(line, country);
}

function usAddress(line: string): AddressParts | undefined {
  const match = WITH_ZIP.exec(line) ?? WITHOUT_ZIP.exec(line.replace(COUNTRY_TAIL, ''));
  const state = usState(match?.[1] ?? '');
  if (match === null || state === undefined) return undefined;
  const zip = match[2];
  const before = line.slice(Math.max(0, match.index - MAX_ADDRESS_CHARS), match.index);
  const found = streetAndCity(before.replace(/(?<![\s,])[\s,]+$/, ''), state, zip);
  if (found === undefined) return undefined;
  const isUsa = COUNTRY_TAIL.test(line.slice(match.index, match.index + match[0].length + 30));
  return { ...found, state, zip, country: isUsa ? 'US' : undefined };
}

/** Splits the text before the state. The first house number that makes a street wins. */
function streetAndCity(
  before: string,
  state: string,
  zip: string | undefined,
): { readonly address?: string; readonly city: string } | undefined {
  for (const start of startsIn(before)) {
    const candidate = before.slice(start);
    const split = byComma(candidate, state, zip) ?? byParser(candidate, state, zip);
    if (split !== undefined) return split;
  }
  const city = lastSegment(before);
  return zip !== undefined && city !== undefined && isCity(city) ? { city } : undefined;
}

function startsIn(text: string): readonly number[] {
  const starts = [...text.matchAll(HOUSE_NUMBER)].map(
    (match) => match.index + match[0].length - (match[1] ?? '').length,
  );
  const box = BOX.exec(text);
  return [...starts, ...(box === null ? [] : [box.index])].slice(-MAX_STARTS);
}

function byComma(
  text: string,
  state: string,
  zip: string | undefined,
): { readonly address: string; readonly city: string } | undefined {
  const comma = text.lastIndexOf(',');
  const city = text.slice(comma + 1).trim();
  const street = text.slice(0, comma).replace(/(?<![\s,])[\s,]+$/, '');
  if (comma === -1 || !isCity(city) || isUnit(city) || !isStreet(street, state, zip))
    return undefined;
  return { address: street, city };
}

/** Without a comma the parser knows by the kind of street where the town begins. */
function byParser(
  text: string,
  state: string,
  zip: string | undefined,
): { readonly address: string; readonly city: string } | undefined {
  const parsed = parsedLocation(`${text}, ${state} ${zip ?? ''}`.trim());
  const city = parsed?.city;
  if (city === undefined || !isCity(city) || parsed?.type === undefined) return undefined;
  const at = text.lastIndexOf(city);
  const street = text.slice(0, at).replace(/(?<![\s,])[\s,]+$/, '');
  return at > 0 && isStreet(street, state, zip) ? { address: street, city } : undefined;
}

const CITY = /^\p{Lu}[\p{L}.'’-]*(?:\s[\p{L}.'’-]+){0,4}$/u;
const isCity = (text: string): boolean => text.length <= 40 && CITY.test(text);
const isUnit = (text: string): boolean =>
  /^(?:suite|ste|unit|apt|bldg|building|floor|fl|rm|room|level|#)\b/i.test(text);

function lastSegment(text: string): string | undefined {
  return text.slice(text.lastIndexOf(',') + 1).trim();
}

/** Names that streets have without one of the usual endings. */
const LONE_STREET =
  /\b(?:highway|hwy|route|rte|road|broadway|plaza|square|center|centre|building|mall|pike|county|state|ranch|fm|us|i-?\d|camino|avenida|calle|paseo|via|la|el|the)\b/i;

function isStreet(street: string, state: string, zip: string | undefined): boolean {
  if (street.length < 5 || street.length > 100 || /[!?@:]|\$/.test(street)) return false;
  if (BOX.test(street)) return true;
  const parsed = parsedLocation(`${street}, Town, ${state} ${zip ?? ''}`.trim());
  if (parsed?.number === undefined || parsed.street === undefined) return false;
  const words = parsed.street.split(' ');
  if (words.length > 5) return false;
  if (parsed.type !== undefined || LONE_STREET.test(parsed.street)) return true;
  return words.length <= 2 && zip !== undefined && words.every((word) => /^[\p{Lu}\d]/u.test(word));
}

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
function foreignAddress(line: string, country: string): AddressParts | undefined {
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
