import { plainLine } from '../values/plain-text.js';
import { samePage } from '../values/web-address.js';
import { textsOf, type Thing, thingsOf } from '../thing.js';
import { type EntityRank, isOtherSubject, rankOf } from './entity-types.js';
import { nameLetters, type PageIdentity } from './page-identity.js';
import { ABOUT, type RelatedThing } from './related-thing.js';

export interface ChosenEntity {
  readonly thing: Thing;
  readonly rank: EntityRank;
  readonly name: string;
  /** Other nodes about the same business, for what the chosen one lacks. */
  readonly supplements: readonly Thing[];
  /** The page names it: by address, heading or title. */
  readonly isNamedByPage: boolean;
}

export interface EntityChoice {
  readonly chosen: ChosenEntity | undefined;
  /** The markup says that the page is an article, a recipe, an event … */
  readonly isOtherSubject: boolean;
  /** The markup lists several businesses and the page is none of them. */
  readonly isList: boolean;
}

/** Properties that lead to things of which at most one is this page's. */
const PART = new Set(
  'itemListElement item location subOrganization branch containsPlace'.split(' '),
);
/** A service page describes its business as the provider. */
const PROVIDER = 'provider';

const RANK_POINTS: Readonly<Record<EntityRank, number>> = {
  business: 100,
  organization: 40,
  product: 30,
};

interface Candidate {
  readonly thing: Thing;
  readonly rank: EntityRank;
  readonly name: string;
  readonly role: 'top' | 'part' | 'provider';
  /** How surely the page is this one's. */
  readonly match: number;
}

/** Things examined as the page's subject. */
const MAX_CANDIDATES = 500;

/**
 * The thing a page is about. A business wins over an organization, that over a product, unless the
 * page is the product's; of several equals the one whose address or name the page has; of several
 * that differ and none matches, none.
 */
export function chooseEntity(things: readonly RelatedThing[], page: PageIdentity): EntityChoice {
  const candidates = candidatesOf(things, page);
  const other = things.some(
    ({ thing, relations }) => relations.length === 0 && isOtherSubject(thing.types),
  );
  const best = bestOf(candidates);
  const isList = best === undefined && candidates.some(({ rank }) => rank === 'business');
  return { chosen: best && chosenFrom(best, candidates), isOtherSubject: other, isList };
}

function candidatesOf(things: readonly RelatedThing[], page: PageIdentity): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const related of things) {
    if (candidates.length >= MAX_CANDIDATES) break;
    candidates.push(...candidateOf(related, page));
  }
  return candidates;
}

function candidateOf({ thing, relations }: RelatedThing, page: PageIdentity): readonly Candidate[] {
  const rank = rankOf(thing.types);
  const role = roleOf(relations);
  const name = firstName(thing);
  if (rank === undefined || role === undefined || name === undefined) return [];
  return [{ thing, rank, name, role, match: matchOf(thing, name, page) }];
}

/** How a thing belongs to its page; undefined: it is about something else. */
export function roleOf(relations: readonly string[]): Candidate['role'] | undefined {
  if (relations.every((name) => ABOUT.has(name))) return 'top';
  if (relations.every((name) => ABOUT.has(name) || PART.has(name))) return 'part';
  return relations.length === 1 && relations[0] === PROVIDER ? 'provider' : undefined;
}

export function firstName(thing: Thing): string | undefined {
  for (const { text } of textsOf(thing, 'name', 'legalName')) {
    const name = plainLine(text, 200);
    if (name !== undefined) return name;
  }
  return undefined;
}

function matchOf(thing: Thing, name: string, page: PageIdentity): number {
  const own = textsOf(thing, 'url')[0]?.text.trim() ?? '';
  const address = own === '' ? undefined : page.resolver.resolveWeb(own);
  const isHere =
    address !== undefined &&
    (samePage(address, page.url) ||
      (page.canonical !== undefined && samePage(address, page.canonical)));
  return (isHere ? 50 : 0) + nameMatch(name, page) + placeMatch(thing, page);
}

function nameMatch(name: string, { h1, title }: PageIdentity): number {
  const key = nameLetters(name);
  if (key.length < 2) return 0;
  if (key === nameLetters(h1)) return 40;
  return nameLetters(h1).includes(key) || nameLetters(title).includes(key) ? 15 : 0;
}

/** The town in the heading or the path identifies one branch among several. */
function placeMatch(thing: Thing, { h1, url }: PageIdentity): number {
  const city = thingsOf(thing, 'address').flatMap((address) => textsOf(address, 'addressLocality'));
  const key = nameLetters(city[0]?.text ?? '');
  const path = nameLetters(URL.parse(url)?.pathname ?? '');
  return key.length > 2 && (nameLetters(h1).includes(key) || path.includes(key)) ? 20 : 0;
}

function bestOf(candidates: readonly Candidate[]): Candidate | undefined {
  const tops = candidates.filter(({ role }) => role === 'top');
  const top = highest(tops);
  const matched = highest(candidates.filter(({ role, match }) => role === 'part' && match >= 40));
  if (matched !== undefined && (top === undefined || matched.match > top.match)) return matched;
  if (top === undefined) return highest(candidates.filter(({ role }) => role === 'provider'));
  return isOneOfMany(top, tops) ? undefined : top;
}

/** Several businesses of different names, and nothing ties the page to one of them. */
function isOneOfMany(top: Candidate, tops: readonly Candidate[]): boolean {
  const isMatched = top.rank === 'product' ? top.match >= 40 : top.match > 0;
  if (isMatched || top.rank === 'organization') return false;
  const names = new Set(
    tops.filter(({ rank }) => rank === top.rank).map(({ name }) => nameLetters(name)),
  );
  // Two businesses may be a couple; two products are already a shelf.
  return names.size > (top.rank === 'product' ? 1 : 2);
}

/** The first in document order among the best. */
function highest(candidates: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    if (best === undefined || points(candidate) > points(best)) best = candidate;
  }
  return best;
}

function points({ thing, rank, match }: Candidate): number {
  const facts = ['address', 'telephone', 'aggregateRating', 'openingHoursSpecification', 'offers'];
  const known = facts.filter((name) => thing.valuesOf(name).length > 0).length;
  return RANK_POINTS[rank] + match + 5 * known;
}

function chosenFrom(best: Candidate, candidates: readonly Candidate[]): ChosenEntity {
  const key = nameLetters(best.name);
  const hasAddress = best.thing.valuesOf('address').length > 0;
  const supplements = candidates
    .filter(({ thing, rank, name, role }) => {
      const isSame = role === 'top' && rank !== 'product' && nameLetters(name) === key;
      // With addresses of their own they are two branches.
      return (
        thing !== best.thing && isSame && !(hasAddress && thing.valuesOf('address').length > 0)
      );
    })
    .map(({ thing }) => thing)
    .slice(0, 5);
  const { thing, rank, name, match } = best;
  return { thing, rank, name, supplements, isNamedByPage: match > 0 };
}
