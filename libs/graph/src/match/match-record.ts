import { phoneNumber } from '@app/company';
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
  /** Registrable; undefined where the record has none or one of a shared host. */
  readonly domain: string | undefined;
  /** E.164. */
  readonly phones: ReadonlySet<string>;
  readonly place: ComparablePlace;
  readonly uei: string | undefined;
  readonly licenses: ReadonlySet<string>;
}

const MAX_ALIASES = 7;
const MAX_NAMES = 8;
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
    domain: domain === undefined ? undefined : registrableDomain(domain),
    phones: new Set(phonesOf(record.phones ?? [], country)),
    place: comparablePlace({ street, city: record.city, zip: record.zip, state, country }),
    uei: ueiOf(uei),
    licenses: new Set((record.licenses ?? []).slice(0, MAX_VALUES).map(licenseKey)),
  };
}

function namesOf({ name = '', aliases = [] }: MatchRecord): readonly ComparableName[] {
  const keys = new Set([name, ...aliases.slice(0, MAX_ALIASES)].flatMap(nameKeys));
  return [...keys].slice(0, MAX_NAMES).map(comparableName);
}

type Country = Parameters<typeof phoneNumber>[1];

function phonesOf(phones: readonly string[], country: string | undefined): readonly string[] {
  return phones.slice(0, MAX_VALUES).flatMap((text) => {
    if (E164.test(text)) return [text];
    return phoneNumber(text, (country ?? 'US') as Country) ?? [];
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
