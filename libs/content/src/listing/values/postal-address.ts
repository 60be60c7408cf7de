import { plainLines } from './plain-text.js';
import { canadianProvince, usState } from './us-states.js';
import { readCountry } from './country.js';

/** Parts of an address as written. */
export interface AddressParts {
  readonly address?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly country?: string;
}

const PLACEHOLDER_CITY =
  /^(?:any ?town|any ?city|your ?(?:city|town)|city|town|locality|cityville)$/i;
const PLACEHOLDER_STREET =
  /^(?:(?:your )?(?:street )?address|street|address line 1|\d+ (?:street name|any ?(?:where )?(?:st|street)|example (?:st|street)|your street))\.?$/i;
const FAMOUS_PLACEHOLDER = /^1234? main (?:st|street)\.?$/i;
const EMPTY_ZIP = /^(?:0+|1{5}|9{5}|12345|x+)$/i;

const US_ZIP = /^\d{5}(?:-?\d{4})?$/;
const POSTAL_CODES: Readonly<Record<string, RegExp>> = {
  US: US_ZIP,
  CA: /^[A-Z]\d[A-Z][ -]?\d[A-Z]\d$/i,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i,
  DE: /^\d{5}$/,
  FR: /^\d{5}$/,
  AU: /^\d{4}$/,
};
const ANY_POSTAL_CODE = /^[A-Z\d][A-Z\d -]{1,9}$/i;
/** States whose ZIP codes begin with 0, which spreadsheets and JSON numbers drop. */
const ZERO_STATES = new Set(['CT', 'MA', 'ME', 'NH', 'NJ', 'RI', 'VT', 'PR', 'VI']);

/**
 * Checks the parts against each other: US states become two letters and ZIP codes must look like
 * one, a part that cannot be true is left out, and a template's address (Anytown, 00000) as a
 * whole. An address without country counts as US when its state is one.
 */
export function checkAddress(raw: AddressParts): AddressParts {
  const parts = tidied(raw);
  if (isPlaceholder(parts)) return {};
  const country = parts.country === undefined ? undefined : readCountry(parts.country);
  const region = country ?? (parts.state !== undefined && usState(parts.state) ? 'US' : undefined);
  const state = readState(parts.state, region);
  const zip = readZip(parts.zip, region, state);
  const city = readCity(parts.city, state, zip);
  return { address: readStreet(parts.address, city), city, state, zip, country };
}

function tidied(raw: AddressParts): AddressParts {
  const oneLine = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : nonEmpty(plainLines(text).join(' '));
  return {
    address: raw.address === undefined ? undefined : nonEmpty(addressLine(raw.address)),
    city: oneLine(raw.city),
    state: oneLine(raw.state),
    zip: oneLine(raw.zip),
    country: oneLine(raw.country),
  };
}

/** A line that only goes on with the one before: the source was wrapped there. */
const CONTINUES = /^(?:\p{Ll}|\d{1,5}\s?[a-zA-Z]?$)/u;
const STREET_KIND =
  /^(?:street|st|avenue|ave|road|rd|boulevard|blvd|drive|dr|lane|ln|way|court|ct|place|pl|square|sq|parkway|pkwy|highway|hwy|terrace|circle|cir)\b/i;
const LONE_NUMBER = /^\d{1,6}[a-z]?$/i;

/** An address of several lines as one. */
export function addressLine(text: string): string {
  const lines = plainLines(text).map((line) => line.replace(/(?<![\s,])[\s,]+$/, ''));
  const [first = '', ...others] = lines;
  return others.reduce((whole, line) => {
    const isWrapped = CONTINUES.test(line) || STREET_KIND.test(line) || LONE_NUMBER.test(whole);
    return `${whole}${isWrapped ? ' ' : ', '}${line}`;
  }, first);
}

function isPlaceholder({ address, city, zip }: AddressParts): boolean {
  if (city !== undefined && PLACEHOLDER_CITY.test(city)) return true;
  if (address === undefined) return false;
  if (PLACEHOLDER_STREET.test(address)) return true;
  return FAMOUS_PLACEHOLDER.test(address) && (zip === undefined || EMPTY_ZIP.test(zip));
}

function readState(text: string | undefined, country: string | undefined): string | undefined {
  if (text === undefined || text.length > 60) return undefined;
  if (country === 'US') return usState(text);
  if (country === 'CA') return canadianProvince(text) ?? text;
  return /\p{L}/u.test(text) ? text : undefined;
}

function readZip(
  text: string | undefined,
  country: string | undefined,
  state: string | undefined,
): string | undefined {
  if (text === undefined) return undefined;
  const padded = ZERO_STATES.has(state ?? '') && /^\d{4}$/.test(text) ? `0${text}` : text;
  const pattern = POSTAL_CODES[country ?? ''] ?? ANY_POSTAL_CODE;
  return pattern.test(padded) && !EMPTY_ZIP.test(padded) ? padded : undefined;
}

/** Some write `Tulsa, OK` or `Tulsa, OK 74145` as the city. */
function readCity(
  text: string | undefined,
  state: string | undefined,
  zip: string | undefined,
): string | undefined {
  if (text === undefined || text.length > 80) return undefined;
  const parts = text.split(/,\s*/);
  const rest = parts
    .slice(1)
    .join(' ')
    .replace(zip ?? '\0', '')
    .trim();
  const repeatsState = rest === '' || usState(rest) === state;
  const city = parts.length > 1 && repeatsState ? (parts[0] ?? '') : text;
  return /^\p{L}/u.test(city) ? city.trim() : undefined;
}

/** The street alone, where city, state and ZIP code are written behind it. */
function readStreet(text: string | undefined, city: string | undefined): string | undefined {
  if (text === undefined || text.length > 200) return undefined;
  const cut = city === undefined ? -1 : text.toLowerCase().lastIndexOf(`, ${city.toLowerCase()}`);
  const tail = cut === -1 ? '' : text.slice(cut + 2 + (city?.length ?? 0));
  const street = cut > 0 && /^(?:,|\s\d|$)/.test(tail) ? text.slice(0, cut) : text;
  return nonEmpty(street.replace(/(?<![\s,;])[\s,;]+$/, '').replace(/^[\s,;:]+/, ''));
}

const nonEmpty = (text: string): string | undefined =>
  text === '' || /^(?:n\/?a|none|null|undefined|-+)$/i.test(text) ? undefined : text;
