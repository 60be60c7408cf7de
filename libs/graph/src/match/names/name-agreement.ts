import { boundedEdits, isMisspelling } from '../text-similarity.js';
import type { Agreement } from '../match-table.js';
import { alignWords, isNumber, type WordAlignment, type WordWeight } from './word-alignment.js';

/** A name ready to be compared. */
export interface ComparableName {
  readonly key: string;
  readonly words: readonly string[];
  /** Without spaces: `Bel Air` and `Belair` are one. */
  readonly joined: string;
}

/**
 * same: equal keys. close: misspelled, other order, other spaces. contained: one is the other with words more, or its
 * initials. sibling: most words, but each has others of its own, as the units of one house do. weak: few words or only
 * those of a trade. different: hardly any.
 */
export type NameLevel = 'same' | 'close' | 'contained' | 'sibling' | 'weak' | 'different';

/** Of names: how many businesses have one, and how much a word says. Both are optional knowledge. */
export interface NameCounts {
  /** Businesses, as far as known, with this name key; undefined: unknown. */
  readonly nameCount?: (nameKey: string) => number | undefined;
  /** From 0 (every name has the word) to 1. */
  readonly wordWeight?: WordWeight;
}

export function comparableName(key: string): ComparableName {
  const words = key.split(' ');
  return { key, words, joined: words.join('') };
}

/** The more a level speaks for a match, the earlier. */
const ORDER: readonly NameLevel[] = [
  ...(['same', 'close', 'contained', 'weak', 'sibling', 'different'] as const),
];

/**
 * The best agreement of any name of one business with any of the other's.
 *
 * @param isLocal whether a word is of the name of their town
 */
export function nameAgreement(
  a: readonly ComparableName[],
  b: readonly ComparableName[],
  counts: NameCounts,
  isLocal: (word: string) => boolean = () => false,
): Agreement<NameLevel> | undefined {
  const weightOf = counts.wordWeight ?? plainWordWeight;
  // The name of their own town tells businesses apart as little as that of their trade.
  const ownWeight = (word: string): number =>
    isLocal(word) ? Math.min(GENERIC_WEIGHT, weightOf(word)) : weightOf(word);
  let best: Agreement<NameLevel> | undefined;
  for (const one of a)
    for (const other of b) {
      const level = levelOf(one, other, ownWeight);
      const shift = level === 'same' || level === 'close' ? rarity(one, other, counts) : 0;
      if (best === undefined || isBetter({ level, shift }, best)) best = { level, shift };
    }
  return best;
}

function isBetter(one: Agreement<NameLevel>, other: Agreement<NameLevel>): boolean {
  const [at, otherAt] = [ORDER.indexOf(one.level), ORDER.indexOf(other.level)];
  return at < otherAt || (at === otherAt && (one.shift ?? 0) > (other.shift ?? 0));
}

/** Shares of the words' weight from which a level holds. */
const CLOSE = 0.9;
const CONTAINED = 0.95;
const SIBLING = 0.55;
const WEAK = 0.3;
/** What the shorter name must hold to be found in the longer one: more than words of a trade. */
const MIN_CONTAINED_WEIGHT = 0.8;

function levelOf(a: ComparableName, b: ComparableName, weightOf: WordWeight): NameLevel {
  if (a.key === b.key || a.joined === b.joined) return 'same';
  const words = alignWords(a.words, b.words, weightOf);
  const level = levelOfWords(words);
  if (hasOtherNumber(words)) return level === 'different' ? level : 'weak';
  if (level !== 'close' && isMisspelledWhole(a, b)) return 'close';
  return isInitials(a, b) || isInitials(b, a) ? betterOf(level, 'contained') : level;
}

function levelOfWords({
  weightOfA,
  weightOfB,
  shared,
  restOfA,
  restOfB,
}: WordAlignment): NameLevel {
  const both = (2 * shared) / (weightOfA + weightOfB);
  const least = Math.min(weightOfA, weightOfB);
  // Words of one trade do not stand for words of another.
  const isDistinct = shared >= MIN_CONTAINED_WEIGHT;
  if (restOfA.length + restOfB.length === 0) return 'close';
  if (isDistinct && both >= CLOSE) return 'close';
  if (isDistinct && shared / least >= CONTAINED) return 'contained';
  if (isDistinct && both >= SIBLING) return 'sibling';
  return both >= WEAK || shared / least >= CONTAINED ? 'weak' : 'different';
}

const betterOf = (one: NameLevel, other: NameLevel): NameLevel =>
  ORDER.indexOf(one) < ORDER.indexOf(other) ? one : other;

/** `Studio 54` and `Studio 55`. */
const hasOtherNumber = ({ restOfA, restOfB }: WordAlignment): boolean =>
  restOfA.some(isNumber) && restOfB.some(isNumber);

/** Mistakes that reach over the spaces between words. */
function isMisspelledWhole(a: ComparableName, b: ComparableName): boolean {
  return Math.min(a.joined.length, b.joined.length) >= 8 && isMisspelling(a.joined, b.joined)
    ? boundedEdits(a.joined, b.joined, 2) <= 2
    : false;
}

const MIN_INITIALS = 3;

/** `ibm` and `international business machines`. */
function isInitials(short: ComparableName, long: ComparableName): boolean {
  if (short.words.length !== 1 || short.key.length < MIN_INITIALS) return false;
  return (
    long.words.length >= MIN_INITIALS && long.words.map((word) => word[0]).join('') === short.key
  );
}

/** Bits for a name by how many have it: 2 for one business, none for four, -3 from thirty-two on. */
const MOST_FOR_RARE = 2;
const MOST_AGAINST = -3;

function rarity(
  a: ComparableName,
  b: ComparableName,
  { nameCount, wordWeight }: NameCounts,
): number {
  const counted = [a.key, b.key]
    .map((key) => nameCount?.(key))
    .filter((count) => count !== undefined);
  if (counted.length > 0)
    return Math.max(MOST_AGAINST, MOST_FOR_RARE - Math.max(0, Math.log2(Math.max(...counted))));
  const weightOf = wordWeight ?? plainWordWeight;
  const least = Math.min(
    ...[a, b].map(({ words }) => words.reduce((sum, word) => sum + weightOf(word), 0)),
  );
  // Without counts: a name of trade words alone is common, one word may be a chain, three are rare.
  if (least < 1) return -3;
  return least < 1.7 ? -1 : least < 2.7 ? 0 : 1;
}

/**
 * Words that many businesses have in their names: of trades, of company structure, of places. Two names that share only
 * these are not the same. Folded.
 */
const GENERIC_WORDS: ReadonlySet<string> = new Set(
  `academy accounting advisors advisory agency air alarm alliance american animal apartments appliance architects art
  arts asphalt associates association attorney attorneys auto automotive bakery bank banquet bar barber bbq beauty bike
  bistro boutique brewery brewing brothers bros builders building burger business cafe caffe care carpet catering center
  central centre chiropractic church city clean cleaners cleaning clinic club coffee collision community computer
  concrete construction consultants consulting contracting contractors cooling corporation counseling country creative
  credit custom dairy dance day deli delivery dental dentist dentistry design designs development digital diner
  distribution doors drywall eatery education electric electrical electronics energy engineering enterprise enterprises
  entertainment environmental equipment estate estates events express family farm farms fence finance financial
  fire fitness flooring floral florist flowers food foods foundation framing fresh funeral furniture garage garden
  gardens general glass global golf gourmet granite graphics green grill grille grocery group gym hair hardware health
  healthcare heating high holding holdings home homes hospital hotel house housing hvac ice imports industrial industries
  inn innovations insulation insurance interiors international investment investments island jewelers jewelry kitchen
  laboratories labs lake landscape landscaping laundry law lawn learning liquor living lodge logistics lounge machine
  maintenance management manufacturing marine market marketing martial massage masonry mechanical media medical
  memorial metal mobile mortgage motel motors mountain movers moving music nail nails national natural network new north
  nursery nutrition office old optical optometry organic outdoor painting paper park parlor partners parts party paving
  pediatrics pest pet pets pharmacy photo photography physical pizza pizzeria place plaza plumbing plus pool power
  precision premier print printing pro production productions products professional professionals properties property
  pub quality radio ranch real realty recovery recycling refrigeration rehabilitation remodeling rental rentals repair
  repairs residential resort resources restaurant restoration river roofing rooter royal salon school science screen
  seafood security self senior service services shipping shop sign signs software solar solution solutions sons south
  southern spa sports sprinkler staffing steak steakhouse steel stone storage store studio studios supplies supply
  support surgery surveying sushi systems tavern tax tech technical technologies technology telecom terrace theater
  therapy tile tire tires title tool tools total town toys trading trail training transport transportation travel
  treatment tree trucking trust tutoring united universal urgent used valley vet veterinary village vision walk warehouse
  waste water wealth web wellness west western wholesale window windows wine wireless wood woodworking works world yoga
  youth baeckerei backerei bau elektro gasthaus handel haus immobilien kanzlei metzgerei praxis reinigung sanitar
  service technik transporte verwaltung zahnarzt boulangerie cabinet coiffure fils garage hotel immobilier maison
  pharmacie restaurant transports travaux bar clinica comercial construcciones distribuciones grupo hermanos inmobiliaria
  panaderia peluqueria restaurante servicios taller tienda transportes costruzioni farmacia gruppo pasticceria ristorante
  servizi trattoria bouw bedrijf bakkerij groep installatie techniek bygg eiendom handels osteria de la le les el los
  las il lo of the at in on for by and`.split(/\s+/),
);

/** Weight of a word that many names have, beside 1 for one that tells them apart. */
const GENERIC_WEIGHT = 0.35;
/** Of one letter: an initial. */
const LETTER_WEIGHT = 0.5;

/** How much a word says about a name where no counts are known. */
function plainWordWeight(word: string): number {
  if (GENERIC_WORDS.has(word)) return GENERIC_WEIGHT;
  return word.length === 1 ? LETTER_WEIGHT : 1;
}
