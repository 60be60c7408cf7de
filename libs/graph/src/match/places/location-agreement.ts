import { isMisspelling } from '../text-similarity.js';
import type { ComparablePlace, ComparableStreet } from './comparable-place.js';

/**
 * address: the same house. building: the same house, another unit. address, town unknown: no town to compare.
 * address, other town: the same house and street in a town of another name, as suburbs are called. near: a number one edit
 * away. zip, city: no street to compare. other address, other zip, other town, other state, other country: apart.
 */
export type LocationLevel =
  | 'address'
  | 'building'
  | 'address, town unknown'
  | 'address, other town'
  | 'near'
  | 'zip'
  | 'city'
  | 'other address'
  | 'other zip'
  | 'other town'
  | 'other state'
  | 'other country';

/** Levels of places that cannot be one. */
export const APART: ReadonlySet<string> = new Set<LocationLevel>([
  'other address',
  'other zip',
  'other town',
  'other state',
  'other country',
]);

type TownRelation =
  'zip' | 'city' | 'other zip' | 'other town' | 'other state' | 'other country' | 'unknown';
type StreetRelation = 'same' | 'unit' | 'near' | 'other' | 'unknown';

/** How far two places agree; undefined: one of them is not known well enough. */
export function locationAgreement(
  a: ComparablePlace,
  b: ComparablePlace,
): LocationLevel | undefined {
  const town = townRelation(a, b);
  if (town === 'other state' || town === 'other country') return town;
  // The post divides a region by the first three digits: farther away the same house is another one.
  const isFar = town === 'other town' && differ(a.zip.slice(0, 3), b.zip.slice(0, 3));
  return isFar ? 'other town' : levelOf(streetRelation(a, b), town);
}

function levelOf(street: StreetRelation, town: TownRelation): LocationLevel | undefined {
  const isOtherTown = town === 'other town';
  switch (street) {
    case 'same':
      if (town === 'unknown') return 'address, town unknown';
      return isOtherTown ? 'address, other town' : 'address';
    case 'unit':
      return isOtherTown ? 'other town' : 'building';
    case 'near':
      return isOtherTown ? 'other town' : 'near';
    case 'other':
      return isOtherTown ? 'other town' : 'other address';
    case 'unknown':
      return town === 'unknown' ? undefined : town;
  }
}

function townRelation(a: ComparablePlace, b: ComparablePlace): TownRelation {
  if (differ(a.country, b.country)) return 'other country';
  if (differ(a.state, b.state)) return 'other state';
  const isSameCity = a.city !== '' && isMisspelling(a.city, b.city);
  if (a.zip !== '' && a.zip === b.zip) return 'zip';
  if (isSameCity) return differ(a.zip, b.zip) ? 'other zip' : 'city';
  return differ(a.city, b.city) || differ(a.zip, b.zip) ? 'other town' : 'unknown';
}

const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;

function streetRelation(a: ComparablePlace, b: ComparablePlace): StreetRelation {
  if (a.streetText === '' || b.streetText === '') return 'unknown';
  // Without a number a street is no house.
  if (a.streetText === b.streetText) return /\d/.test(a.streetText) ? 'same' : 'unknown';
  const [one, other] = [a.street(), b.street()];
  if (one === undefined || other === undefined) return 'unknown';
  if (one.number === '' || other.number === '') return 'unknown';
  if (!isSameStreet(one, other)) return 'other';
  if (one.number !== other.number) return isOneEdit(one.number, other.number) ? 'near' : 'other';
  return differ(one.unit, other.unit) ? 'unit' : 'same';
}

/** Directions and kinds are often left out; where both name one they must be the same. */
function isSameStreet(one: ComparableStreet, other: ComparableStreet): boolean {
  if (differ(one.directions, other.directions)) return false;
  const [a, b] = [fullName(one), fullName(other)];
  // `2355 Peachtree Rd` and `2355 Peachtree Rd, Peachtree Battle Shopping Center`.
  if (one.type !== '' && b.startsWith(`${a} `)) return true;
  if (other.type !== '' && a.startsWith(`${b} `)) return true;
  if (isMisspelling(a.replaceAll(' ', ''), b.replaceAll(' ', ''))) return true;
  return isMisspelling(one.name, other.name) && !differ(one.type, other.type);
}

const fullName = ({ name, type }: ComparableStreet): string => `${name} ${type}`.trim();

/** `1250` and `1520`, `17` and `177`. */
function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.length === short.length)
    return [...long].toSorted().join('') === [...short].toSorted().join('');
  return long.length === short.length + 1 && long.startsWith(short);
}
