import { type StreetParts, streetParts } from '@app/content';
import { foldText, wordsIn } from '../names/fold-text.js';
import { digitsOfNumbers } from '../names/number-words.js';

/** A place as a record has it, state and country as codes. */
export interface PlaceText {
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  readonly country?: string | undefined;
}

/** A street in one spelling. */
export interface ComparableStreet {
  readonly number: string;
  /** Without direction and kind. */
  readonly name: string;
  readonly type: string;
  /** Directions before and behind the name. */
  readonly directions: string;
  readonly unit: string;
}

/** A place ready to be compared. Empty text: unknown. */
export interface ComparablePlace {
  /** As written, folded. */
  readonly streetText: string;
  /** Read when it is needed: that costs more than all the rest. */
  readonly street: () => ComparableStreet | undefined;
  readonly city: string;
  /** As written and in full. */
  readonly cityWords: ReadonlySet<string>;
  readonly state: string;
  /** Five digits in the US. */
  readonly zip: string;
  readonly country: string;
}

const MAX_PART_CHARS = 100;

export function comparablePlace(place: PlaceText): ComparablePlace {
  const streetText = place.street?.slice(0, MAX_PART_CHARS).trim() ?? '';
  const cityText = foldText(place.city?.slice(0, MAX_PART_CHARS) ?? '').replace(/['’]/g, '');
  const city = cityKey(cityText);
  let street: ComparableStreet | undefined;
  let isRead = false;
  return {
    streetText: foldText(streetText),
    street: () => {
      if (!isRead) street = comparableStreet(streetText);
      isRead = true;
      return street;
    },
    city,
    cityWords: new Set([...wordsIn(cityText), ...wordsIn(city)]),
    state: place.state ?? '',
    zip: zipKey(place.zip ?? ''),
    country: place.country ?? '',
  };
}

/** Words of place names that are also written short. */
const LONG_WORDS: Readonly<Record<string, string>> = {
  ...{ st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount', mtn: 'mountain', pt: 'port' },
  ...{ n: 'north', s: 'south', e: 'east', w: 'west', hts: 'heights', spgs: 'springs' },
  ...{ twp: 'township', vlg: 'village', jct: 'junction', bch: 'beach', lk: 'lake' },
};
const CITY_NAMES: Readonly<Record<string, string>> = {
  'new york city': 'new york',
  nyc: 'new york',
  'washington dc': 'washington',
  'washington d c': 'washington',
};

/** A city in one spelling: `St. Louis` and `Saint Louis`. */
function cityKey(folded: string): string {
  const key = wordsIn(folded)
    .map((word) => LONG_WORDS[word] ?? word)
    .join(' ');
  return CITY_NAMES[key] ?? key;
}

/** ZIP+4 counts as ZIP; other postal codes without spaces. */
export function zipKey(zip: string): string {
  const code = zip.slice(0, 20).replace(/\s+/g, '').toUpperCase();
  return /^\d{5}-?\d{4}$/.test(code) ? code.slice(0, 5) : code;
}

/** Kinds of streets inside a text that goes on behind them, as the parser writes those at the end. */
const SHORT_TYPES: Readonly<Record<string, string>> = {
  ...{ st: 'st', street: 'st', rd: 'rd', road: 'rd', ave: 'ave', av: 'ave', avenue: 'ave' },
  ...{ blvd: 'blvd', blv: 'blvd', boulevard: 'blvd', dr: 'dr', drive: 'dr', ln: 'ln', lane: 'ln' },
  ...{ hwy: 'hwy', highway: 'hwy', pkwy: 'pkwy', parkway: 'pkwy', ct: 'ct', court: 'ct' },
  ...{ pl: 'pl', place: 'pl', sq: 'sq', square: 'sq', pike: 'pike', cir: 'cir', circle: 'cir' },
};

function comparableStreet(text: string): ComparableStreet | undefined {
  const parts = streetParts(text);
  if (parts === undefined) return undefined;
  const { number = '', type = '', unit = '' } = parts;
  const name = streetName(parts);
  return {
    number: foldText(number).replace(/\s+/g, ''),
    name,
    type: foldText(type),
    directions: directionsOf(parts),
    unit: foldText(unit).replace(/^0+/, ''),
  };
}

const directionsOf = ({ prefix = '', suffix = '' }: StreetParts): string =>
  [prefix, suffix].map((part) => foldText(part).replace(/[^a-z]/g, '')).join('');

/** `Hauptstr.` and `Hauptstraße`, `Third` and `3rd`, `St. Johns Road` and `Saint Johns Rd`. */
function streetName({ street }: StreetParts): string {
  const words = wordsIn(foldText(street).replace(/['’]/g, ''));
  return digitsOfNumbers(words)
    .map((word, at) => (at > 0 ? SHORT_TYPES[word] : undefined) ?? LONG_WORDS[word] ?? word)
    .map((word) => word.replace(/(?<=[a-z]{3})str$|^str$/, 'strasse'))
    .join(' ');
}
