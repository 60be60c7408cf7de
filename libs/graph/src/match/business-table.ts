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
  // With the shift for its rarity a name stays below the threshold: it never matches alone.
  weights: { same: 7, close: 6, contained: 4, sibling: -7, weak: -3, different: -7 },
  compare: (a, b, counts) => nameAgreement(a.names, b.names, counts),
};

const domain: Rule<Shared> = {
  field: 'domain',
  weights: { same: 9, different: -1 },
  compare: (a, b, { domainCount }) => {
    if (a.domain === undefined || b.domain === undefined) return undefined;
    if (a.domain !== b.domain) return { level: 'different' };
    return { level: 'same', shift: sharedShift(domainCount?.(a.domain), 8.5) };
  },
};

const phone: Rule<Shared | 'same toll-free'> = {
  field: 'phone',
  weights: { same: 7, 'same toll-free': 5, different: -3 },
  compare: (a, b, { phoneCount }) => {
    if (a.phones.size === 0 || b.phones.size === 0) return undefined;
    const shared = [...a.phones].filter((number) => b.phones.has(number));
    if (shared.length === 0) return { level: 'different' };
    return mostTelling(shared, phoneCount);
  },
};

/** Of several shared numbers the one that fewest businesses have. */
function mostTelling(
  numbers: readonly string[],
  countOf: MatchCounts['phoneCount'],
): Agreement<'same' | 'same toll-free'> {
  const agreements = numbers.map((number): Agreement<'same' | 'same toll-free'> => ({
    level: TOLL_FREE.test(number) ? 'same toll-free' : 'same',
    shift: sharedShift(countOf?.(number), 6.5),
  }));
  const strength = ({ level, shift = 0 }: Agreement<'same' | 'same toll-free'>): number =>
    phone.weights[level] + shift;
  return agreements.reduce((best, one) => (strength(one) > strength(best) ? one : best));
}

/** North America: not of a place, often of a whole company. */
const TOLL_FREE = /^\+18(?:00|33|44|55|66|77|88)/;

/** Businesses with one value that are no sign that it is shared: the two records may be both of them. */
const FEW = 2;

/** Each doubling above takes two bits. */
function sharedShift(count: number | undefined, most: number): number {
  if (count === undefined || count <= FEW) return 0;
  return -Math.min(most, 2 * Math.log2(count / FEW));
}

const location: Rule<LocationLevel> = {
  field: 'location',
  weights: {
    ...{ address: 9, building: 3, near: 2, zip: 3, city: 2 },
    ...{ 'address, town unknown': 6, 'address, other town': 6 },
    ...{ 'other address': -3, 'other zip': -3, 'other town': -5 },
    ...{ 'other state': -8, 'other country': -10 },
  },
  compare: (a, b) => locationAgreement(a.place, b.place),
};

const uei: Rule<Shared> = {
  field: 'uei',
  weights: { same: 24, different: -24 },
  compare: (a, b) => {
    if (a.uei === undefined || b.uei === undefined) return undefined;
    return { level: a.uei === b.uei ? 'same' : 'different' };
  },
};

const license: Rule<Shared> = {
  field: 'license',
  // A business may have several, of different trades.
  weights: { same: 12, different: -1 },
  compare: ({ licenses }, other) => {
    if (licenses.size === 0 || other.licenses.size === 0) return undefined;
    const isShared = [...licenses].some((one) => other.licenses.has(one));
    return { level: isShared ? 'same' : 'different' };
  },
};

/** How businesses are compared. */
export const BUSINESSES: MatchTable<MatchSubject, MatchCounts> = {
  fields: [name, domain, phone, location, uei, license].map((rule) =>
    fieldRule(rule as Rule<string>),
  ),
  threshold: 10,
  correct: (reasons, [{ domain: own }], { domainCount }) => {
    const isOfFew = own !== undefined && (domainCount?.(own) ?? Infinity) <= FEW;
    return isOfFew && reasons.get('phone')?.level !== 'different' ? [] : brandReason(reasons);
  },
};

/**
 * Branches of a chain share name and domain and differ in their places: there, one fact (the brand) would count twice. The
 * weaker of the two is taken back, unless the counts say that the domain is no chain's and no phone number differs.
 */
function brandReason(reasons: ReadonlyMap<string, MatchReason>): readonly MatchReason[] {
  const [ofName, ofDomain, place] = ['name', 'domain', 'location'].map((field) =>
    reasons.get(field),
  );
  if (ofName === undefined || ofDomain === undefined || !APART.has(place?.level ?? '')) return [];
  const counted = Math.min(ofName.weight, ofDomain.weight);
  return counted > 0
    ? [{ field: 'brand', level: 'name and domain are one fact', weight: -counted }]
    : [];
}
