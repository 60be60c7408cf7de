import { fieldRule, type Agreement, type MatchReason, type MatchTable } from './match-table.js';
import type { MatchSubject } from './match-record.js';
import { nameAgreement, type NameCounts, type NameLevel } from './names/name-agreement.js';
import { APART, locationAgreement, type LocationLevel } from './places/location-agreement.js';

/**
 * What the graph knows of values, all optional. A count is that of different businesses with the value, as far as known;
 * undefined means unknown. Counts let a chain's domain and a call center's number weigh little.
 */
export interface MatchCounts extends NameCounts {
  readonly domainCount?: (domain: string) => number | undefined;
  readonly phoneCount?: (phone: string) => number | undefined;
}

type Shared = 'same' | 'different';
type Rule<Level extends string> = Parameters<typeof fieldRule<MatchSubject, MatchCounts, Level>>[0];

const name: Rule<NameLevel> = {
  field: 'name',
  // At most 2 are added for a rare name: below the threshold, so a name never matches alone. Units of one house (sibling)
  // are as different as strangers.
  weights: { same: 7, close: 6, contained: 4, sibling: -7, weak: -3, different: -7 },
  compare: (a, b, counts) =>
    nameAgreement(a.names, b.names, counts, (word) => isTownWord(a, word) || isTownWord(b, word)),
};

const isTownWord = ({ places }: MatchSubject, word: string): boolean =>
  places.some(({ cityWords }) => cityWords.has(word));

const domain: Rule<Shared> = {
  field: 'domain',
  // With the same name a match; with another one only with an address or more. A firm may have several domains.
  // Different ones are two businesses, whatever else they share: anyone can put another's name and number on a page. An
  // operator joins the sites of one firm.
  weights: { same: 9, different: -30 },
  compare: (a, b, { domainCount }) => {
    const shared = sharedValues(a.domains, b.domains);
    if (shared === undefined || shared.length === 0) return shared && { level: 'different' };
    return {
      level: 'same',
      shift: Math.max(...shared.map((one) => sharedShift(domainCount?.(one), 8.5))),
    };
  },
};

/** The values that both have; undefined: one of them has none. */
function sharedValues(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
): readonly string[] | undefined {
  return a.size === 0 || b.size === 0 ? undefined : [...a].filter((value) => b.has(value));
}

type PhoneLevel = Shared | 'same toll-free';

const phone: Rule<PhoneLevel> = {
  field: 'phone',
  // With an address and another name no match: two firms of one owner share both.
  weights: { same: 7, 'same toll-free': 5, different: -3 },
  compare: (a, b, { phoneCount }) => {
    const shared = sharedValues(a.phones, b.phones);
    if (shared === undefined || shared.length === 0) return shared && { level: 'different' };
    return mostTelling(shared, phoneCount);
  },
};

/** Of several shared numbers the one that fewest businesses have. */
function mostTelling(
  numbers: readonly string[],
  countOf: MatchCounts['phoneCount'],
): Agreement<PhoneLevel> {
  const agreements = numbers.toSorted().map((number) => ({
    level: TOLL_FREE.test(number) ? ('same toll-free' as const) : ('same' as const),
    shift: sharedShift(countOf?.(number), 6.5),
  }));
  const strength = ({ level, shift }: (typeof agreements)[number]): number =>
    phone.weights[level] + shift;
  return agreements.reduce((best, one) => (strength(one) > strength(best) ? one : best));
}

/** North America: not of a place, often of a whole company. */
const TOLL_FREE = /^\+18(?:00|33|44|55|66|77|88)/;

/** Businesses with one value that are no sign that it is shared: the two records may be both of them. */
const FEW = 2;

/** Each doubling above takes four bits: where three share a value, a fourth is no surprise. */
function sharedShift(count: number | undefined, most: number): number {
  if (count === undefined || count <= FEW) return 0;
  return -Math.min(most, 4 * Math.log2(count / FEW));
}

const location: Rule<LocationLevel> = {
  field: 'location',
  // A ZIP code with a rare name is a match, a city is none. Another address speaks less against a match than another town,
  // as shops move within one.
  weights: {
    ...{ address: 9, building: 3, near: 2, zip: 3, city: 1 },
    ...{ 'address, town unknown': 6, 'address, other town': 6 },
    ...{ 'other address': -3, 'other zip': -3, 'other town': -5 },
    ...{ 'other state': -8, 'other country': -10 },
  },
  compare: (a, b) => bestLocation(a.places, b.places),
};

/**
 * Of several places the two that agree most. Where both have a street, places without one say nothing more: a ZIP code that
 * both share does not outweigh two houses.
 */
function bestLocation(
  a: MatchSubject['places'],
  b: MatchSubject['places'],
): Agreement<LocationLevel> | undefined {
  const withStreet = (places: MatchSubject['places']): MatchSubject['places'] =>
    places.filter(({ streetText }) => streetText !== '');
  const [streetsOfA, streetsOfB] = [withStreet(a), withStreet(b)];
  const hasBoth = streetsOfA.length > 0 && streetsOfB.length > 0;
  const best = hasBoth ? bestOf(streetsOfA, streetsOfB) : bestOf(a, b);
  return best && { level: best };
}

function bestOf(a: MatchSubject['places'], b: MatchSubject['places']): LocationLevel | undefined {
  let best: LocationLevel | undefined;
  for (const one of a)
    for (const other of b) {
      const level = locationAgreement(one, other);
      if (level === undefined) continue;
      if (best === undefined || isBetterPlace(level, best)) best = level;
    }
  return best;
}

/** Of equal weight the first in the alphabet: the order of the places must not show. */
function isBetterPlace(one: LocationLevel, other: LocationLevel): boolean {
  const gain = location.weights[one] - location.weights[other];
  return gain > 0 || (gain === 0 && one < other);
}

const uei: Rule<Shared> = {
  field: 'uei',
  // One legal entity, whatever else has changed; two, whatever else they share.
  weights: { same: 24, different: -30 },
  compare: (a, b) => sharedOrNot(a.ueis, b.ueis),
};

const license: Rule<Shared> = {
  field: 'license',
  // A business may have several, of different trades.
  weights: { same: 12, different: -1 },
  compare: (a, b) => sharedOrNot(a.licenses, b.licenses),
};

function sharedOrNot(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
): Agreement<Shared> | undefined {
  const shared = sharedValues(a, b);
  return shared && { level: shared.length > 0 ? 'same' : 'different' };
}

/** Places in one town that differ. */
const SAME_TOWN: ReadonlySet<string> = new Set<LocationLevel>(['other address', 'other zip']);

/** How businesses are compared. */
export const BUSINESSES: MatchTable<MatchSubject, MatchCounts> = {
  fields: [
    ...[fieldRule(name), fieldRule(domain), fieldRule(phone)],
    ...[fieldRule(location), fieldRule(uei), fieldRule(license)],
  ],
  threshold: 10,
  correct: (reasons, [a, b], { domainCount }) => {
    const shared = sharedValues(a.domains, b.domains) ?? [];
    const isOfFew = shared.some((one) => (domainCount?.(one) ?? Infinity) <= FEW);
    return [...brandReason(reasons, isOfFew), ...houseReason(reasons)];
  },
};

/**
 * Branches of a chain share name and domain and differ in their places or their numbers: there, one fact (the brand) would
 * count twice, and the weaker of the two is taken back. Where two at most have the domain, one name and number in
 * two places of a town are a move.
 */
function brandReason(
  reasons: ReadonlyMap<string, MatchReason>,
  isOfFew: boolean,
): readonly MatchReason[] {
  const level = (field: string): string => reasons.get(field)?.level ?? '';
  const hasOtherPhone = level('phone') === 'different' && level('location') !== 'address';
  const isMove =
    isOfFew &&
    SAME_TOWN.has(level('location')) &&
    ['same', 'close'].includes(level('name')) &&
    ['same', 'same toll-free'].includes(level('phone'));
  const isElsewhere = APART.has(level('location')) && !isMove;
  if (!hasOtherPhone && !isElsewhere) return [];
  const [ofName = 0, ofDomain = 0] = ['name', 'domain'].map((field) => reasons.get(field)?.weight);
  const counted = Math.min(ofName, ofDomain);
  return counted > 0
    ? [{ field: 'brand', level: 'name and domain are one fact', weight: -counted }]
    : [];
}

/**
 * Two firms of one house that name one of their sites share domain and address. A renamed firm shares its number, too.
 */
function houseReason(reasons: ReadonlyMap<string, MatchReason>): readonly MatchReason[] {
  const level = (field: string): string => reasons.get(field)?.level ?? '';
  const isHouse = level('domain') === 'same' && level('location') === 'address';
  const hasOtherName = level('name') === 'different' && level('phone') !== 'same';
  return isHouse && hasOtherName
    ? [{ field: 'house', level: 'another name at one address', weight: -2 }]
    : [];
}
