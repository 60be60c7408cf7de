import { phoneIn } from '@app/company';
import { canadianProvince, readCountry, usState } from '@app/content';
import { type ComparableName, comparableName } from './names/name-agreement.js';
import { nameKeys } from './name-key.js';
import { comparablePlace, type ComparablePlace } from './places/comparable-place.js';
import { registrableDomain } from './registrable-domain.js';

/** What is known of a business, as sources write it. Longer texts and lists are cut. */
export interface MatchRecord {
  readonly name?: string;
  /** Other names of the same business. */
  readonly aliases?: readonly string[];
  /** A domain, a host or an address. */
  readonly domain?: string;
  readonly phones?: readonly string[];
  readonly street?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly country?: string;
  /** Unique Entity ID of SAM.gov. */
  readonly uei?: string;
  /** State and number: `CA:12345`. */
  readonly licenses?: readonly string[];
}

/** A record ready to be compared: read once, compared with many. */
export interface MatchSubject {
  readonly names: readonly ComparableName[];
  /** Registrable, without those of shared hosts. */
  readonly domains: ReadonlySet<string>;
  /** E.164. */
  readonly phones: ReadonlySet<string>;
  /** One of a record, several of records that were joined. */
  readonly places: readonly ComparablePlace[];
  readonly ueis: ReadonlySet<string>;
  readonly licenses: ReadonlySet<string>;
}

const MAX_ALIASES = 4;
const MAX_NAMES = 5;
const MAX_PLACES = 5;
const MAX_VALUES = 20;
const MAX_VALUE_CHARS = 80;

const E164 = /^\+[1-9]\d{6,14}$/;
/** Twelve letters and digits. */
const UEI = /^[A-Z\d]{12}$/;

export function prepareRecord(record: MatchRecord): MatchSubject {
  const { domain, uei, street } = record;
  const country = readCountry((record.country ?? '').slice(0, MAX_VALUE_CHARS));
  const state = stateCode(record.state, country);
  return {
    names: namesOf(record),
    domains: known(domain === undefined ? undefined : registrableDomain(domain)),
    phones: new Set(phonesOf(record.phones ?? [], country)),
    places: [comparablePlace({ street, city: record.city, zip: record.zip, state, country })],
    ueis: known(ueiOf(uei)),
    licenses: new Set((record.licenses ?? []).slice(0, MAX_VALUES).map(licenseKey)),
  };
}

const known = (value: string | undefined): ReadonlySet<string> =>
  new Set(value === undefined ? [] : [value]);

function namesOf({ name = '', aliases = [] }: MatchRecord): readonly ComparableName[] {
  const keys = new Set([name, ...aliases.slice(0, MAX_ALIASES)].flatMap(nameKeys));
  return [...keys].slice(0, MAX_NAMES).map(comparableName);
}

function phonesOf(phones: readonly string[], country: string | undefined): readonly string[] {
  return phones.slice(0, MAX_VALUES).flatMap((text) => {
    return E164.test(text) ? [text] : (phoneIn(text, country) ?? []);
  });
}

function stateCode(text: string | undefined, country: string | undefined): string | undefined {
  const state = (text ?? '').slice(0, MAX_VALUE_CHARS).trim();
  if (state === '') return undefined;
  const american = country === 'CA' ? undefined : usState(state);
  return american ?? canadianProvince(state) ?? state.toUpperCase();
}

function ueiOf(text: string | undefined): string | undefined {
  const uei = text?.slice(0, MAX_VALUE_CHARS).trim().toUpperCase() ?? '';
  return UEI.test(uei) ? uei : undefined;
}

/** `ca: 0012-345` and `CA:12345` are one license. */
function licenseKey(text: string): string {
  const [state = '', number = ''] = text.slice(0, MAX_VALUE_CHARS).toUpperCase().split(':', 2);
  return `${state.trim()}:${number.replace(/[^\p{L}\p{N}]+/gu, '').replace(/^0+/, '')}`;
}

/** Records of one business as one record: it has all their names, places, numbers and keys. */
export function joinSubjects(one: MatchSubject, other: MatchSubject): MatchSubject {
  return {
    names: uniqueBy([...one.names, ...other.names], ({ key }) => key).slice(0, MAX_NAMES),
    domains: union(one.domains, other.domains),
    phones: union(one.phones, other.phones),
    places: uniqueBy([...one.places, ...other.places], placeKey).slice(0, MAX_PLACES),
    ueis: union(one.ueis, other.ueis),
    licenses: union(one.licenses, other.licenses),
  };
}

const union = (one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...one, ...other].slice(0, MAX_VALUES));

const placeKey = ({ streetText, city, state, zip }: ComparablePlace): string =>
  [streetText, city, state, zip].join('|');

function uniqueBy<T>(values: readonly T[], keyOf: (value: T) => string): readonly T[] {
  const byKey = new Map(values.map((value) => [keyOf(value), value]));
  return [...byKey.values()];
}
