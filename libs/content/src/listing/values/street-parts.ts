import { parsedStreet } from './address-parser.js';

/** A street address in parts as written; which of them there are depends on the text. */
export interface StreetParts {
  readonly number?: string;
  /** `N` in front of the name. */
  readonly prefix?: string;
  /** The name without number, kind and direction. */
  readonly street: string;
  /** `St`, `Ave`, as the US Postal Service abbreviates them. */
  readonly type?: string;
  /** `NW` behind the name. */
  readonly suffix?: string;
  /** `500` of `Suite 500`. */
  readonly unit?: string;
}

const MAX_STREET_CHARS = 80;
/** What follows describes where the house is: `near Hudson St.`, `at 6th St.`, `(2nd floor)`. */
const POSITION = /[\s,](?:near|between|btwn|bet\.|off|at|across|corner|cnr|nr)\s|\(/i;
const UNIT =
  /[\s,](?:suite|ste|unit|apt|apartment|room|rm|floor|fl|bldg|building|#)\.?\s?#?([a-z\d-]{1,8})\s?$/i;
const NUMBER_FIRST = /^(\d{1,6}(?:-\d{1,5})?[a-z]?)[\s,]{1,3}([^\s,].*)$/i;
const NUMBER_LAST = /^(\D{3,})[\s,](\d{1,5}\s?[a-z]?(?:[-/]\d{1,4})?)$/i;

/**
 * The parts of a street address: US ones by the parser, those of other countries by the house number before or behind the
 * street. Undefined when nothing is left. At most 80 characters are read.
 */
export function streetParts(text: string): StreetParts | undefined {
  const line = text.slice(0, MAX_STREET_CHARS).replace(/\s+/g, ' ').trim();
  const position = POSITION.exec(line)?.index ?? 0;
  const street = position > 3 ? line.slice(0, position) : line;
  return /^\d/.test(street) ? (parsed(street) ?? plainParts(street)) : plainParts(street);
}

function parsed(street: string): StreetParts | undefined {
  // Letters of other scripts would be left out.
  if (/[^\p{ASCII}\p{sc=Latin}\p{M}\p{P}\p{S}\p{Z}]/u.test(street)) return undefined;
  const found = parsedStreet(street);
  if (found?.number === undefined || found.street === undefined) return undefined;
  const { number, prefix, type, suffix, sec_unit_num: unit } = found;
  return { ...{ number, prefix, type, suffix, unit }, street: found.street };
}

function plainParts(street: string): StreetParts | undefined {
  const unit = UNIT.exec(street);
  const rest = unit === null ? street : street.slice(0, unit.index);
  const [, number, name] = NUMBER_FIRST.exec(rest) ?? behind(NUMBER_LAST.exec(rest)) ?? [];
  const own = (name ?? rest).replace(/(?<![\s,])[\s,]+$/, '');
  return own === '' ? undefined : { number, street: own, unit: unit?.[1] };
}

const behind = (match: RegExpExecArray | null): readonly (string | undefined)[] | undefined =>
  match === null ? undefined : [match[0], match[2], match[1]];
