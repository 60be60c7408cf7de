import { type Element } from 'domhandler';

/** A selector without what styles depend on and one page does not show (`:hover`, `+`). */
export interface Selector {
  /** Right to left: what the element itself has to be comes first. */
  readonly compounds: readonly Compound[];
  /** Identifiers, then classes, then names, as one comparable number. */
  readonly specificity: number;
  /** What the element itself cannot do without, see {@link selectorKeysOf}. */
  readonly key: string;
}

interface Compound {
  readonly tests: readonly Test[];
  /** Whether the compound to the left is the parent, not any ancestor. */
  readonly isChild: boolean;
  readonly key: string;
  /** Looks that it takes at most. */
  readonly cost: number;
}

type Test = (element: Element) => boolean;

const MAX_COMPOUNDS = 12;
const MAX_SELECTORS_OF_RULE = 100;

/** The selectors of a rule that can be examined; the others are left out. */
export function readSelectors(text: string): readonly Selector[] {
  return splitAtCommas(text)
    .slice(0, MAX_SELECTORS_OF_RULE)
    .flatMap((one) => readSelector(one.trim()) ?? []);
}

function splitAtCommas(text: string): readonly string[] {
  if (!text.includes('(') && !text.includes('[')) return text.split(',');
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

const COMBINATOR = /\s*([>+~])\s*|\s+/y;
const SIMPLE =
  /([\w-]+|\*)|\.((?:[\w-]|\\.|[^\0-\x7f])+)|#((?:[\w-]|\\.|[^\0-\x7f])+)|\[([^\]]*)\]|(::?[\w-]+)(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\))?/y;

function readSelector(text: string): Selector | undefined {
  const compounds: Compound[] = [];
  let specificity = 0;
  let at = 0;
  let isChild = false;
  while (at < text.length && compounds.length < MAX_COMPOUNDS) {
    const compound = readCompound(text, at);
    if (compound === undefined) return undefined;
    const { tests, key, cost } = compound;
    compounds.unshift({ tests, isChild, key, cost });
    specificity += compound.specificity;
    at = compound.end;
    if (at >= text.length) break;
    COMBINATOR.lastIndex = at;
    const match = COMBINATOR.exec(text);
    const combinator = match?.[1];
    if (match === null || combinator === '+' || combinator === '~') return undefined;
    isChild = combinator === '>';
    at = COMBINATOR.lastIndex;
  }
  const [own] = compounds;
  return own === undefined || at < text.length
    ? undefined
    : { compounds, specificity, key: own.key };
}

interface ReadCompound {
  readonly tests: readonly Test[];
  readonly specificity: number;
  readonly key: string;
  readonly cost: number;
  readonly end: number;
}

function readCompound(text: string, start: number): ReadCompound | undefined {
  const tests: Test[] = [];
  let specificity = 0;
  let key = ANY_KEY;
  let cost = 0;
  let end = start;
  for (let match = simpleAt(text, end); match !== null; match = simpleAt(text, end)) {
    end += match[0].length;
    const simple = readSimple(match);
    if (simple === undefined) return undefined;
    tests.push(simple.test);
    specificity += simple.specificity;
    cost += simple.cost ?? 1;
    // The first letters order them: any, names, classes, identifiers.
    if (simple.key !== undefined && simple.key > key) ({ key } = simple);
  }
  return end === start ? undefined : { tests, specificity, key, cost, end };
}

function simpleAt(text: string, start: number): RegExpExecArray | null {
  SIMPLE.lastIndex = start;
  return SIMPLE.exec(text);
}

interface ReadSimple {
  readonly test: Test;
  readonly specificity: number;
  readonly key?: string;
  /** @default 1 */
  readonly cost?: number;
}

const ANY_KEY = '';
const nameKey = (name: string): string => `1${name}`;
const classKey = (name: string): string => `2${name}`;
const idKey = (id: string): string => `3${id}`;

/** Keys of the selectors that an element can be one of: of an index by {@link Selector.key}. */
export function selectorKeysOf(element: Element): readonly string[] {
  const { id } = element.attribs;
  return [
    ANY_KEY,
    nameKey(element.name),
    ...[...classesOf(element)].map(classKey),
    ...(id === undefined ? [] : [idKey(id)]),
  ];
}

const ID = 1_000_000;
const CLASS = 1_000;
const NAME = 1;

function readSimple(match: RegExpExecArray): ReadSimple | undefined {
  const [, name, className, id, attribute, pseudo, argument] = match;
  if (name !== undefined) return readName(name.toLowerCase());
  if (className !== undefined) {
    const wanted = unescape(className);
    const test: Test = (element) => classesOf(element).has(wanted);
    return { test, specificity: CLASS, key: classKey(wanted) };
  }
  if (id !== undefined) {
    const wanted = unescape(id);
    const test: Test = ({ attribs }) => attribs.id === wanted;
    return { test, specificity: ID, key: idKey(wanted) };
  }
  if (attribute !== undefined) return readAttribute(attribute);
  return readPseudo(pseudo?.toLowerCase() ?? '', argument);
}

function readName(name: string): ReadSimple {
  return name === '*'
    ? { test: () => true, specificity: 0 }
    : { test: (element) => element.name === name, specificity: NAME, key: nameKey(name) };
}

const ATTRIBUTE = /^([\w-]+)(?:\s*([~|^$*]?)=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))(?:\s*[is])?)?$/i;

function readAttribute(text: string): ReadSimple | undefined {
  const match = ATTRIBUTE.exec(text.trim());
  if (match === null) return undefined;
  const [, written = '', operator, ...values] = match;
  const name = written.toLowerCase();
  const wanted = values.find((value) => value !== undefined);
  const test: Test = ({ attribs }) => {
    const value = attribs[name];
    if (value === undefined) return false;
    return wanted === undefined || compares(value, operator ?? '', wanted);
  };
  return { test, specificity: CLASS, cost: ATTRIBUTE_COST };
}

/** Values are looked through; the rest of a longer one is left out. */
const ATTRIBUTE_COST = 5;
const MAX_VALUE_CHARS = 500;

function compares(value: string, operator: string, wanted: string): boolean {
  switch (operator) {
    case '~':
      return value.slice(0, MAX_VALUE_CHARS).split(/\s+/).includes(wanted);
    case '|':
      return value === wanted || value.startsWith(`${wanted}-`);
    case '^':
      return value.startsWith(wanted);
    case '$':
      return value.endsWith(wanted);
    case '*':
      return value.slice(0, MAX_VALUE_CHARS).includes(wanted);
    default:
      return value === wanted;
  }
}

/** Those that hold for a page at rest; any other drops its selector. */
function readPseudo(name: string, argument: string | undefined): ReadSimple | undefined {
  switch (name) {
    case ':root':
    case ':host':
      return { test: (element) => element.name === 'html', specificity: CLASS };
    case ':link':
    case ':any-link':
    case ':enabled':
      return { test: () => true, specificity: CLASS };
    case ':is':
    case ':where':
    case ':not':
      return argument === undefined ? undefined : readList(name, argument);
    default:
      return undefined;
  }
}

/** `:is()` and its like, of compounds only: with ancestors inside they are rare. */
function readList(name: string, argument: string): ReadSimple {
  const compounds = splitAtCommas(argument).flatMap((text) => {
    const compound = readCompound(text.trim(), 0);
    return compound !== undefined && compound.end === text.trim().length ? [compound] : [];
  });
  const matchesAny: Test = (element) =>
    compounds.some(({ tests }) => tests.every((test) => test(element)));
  const most = Math.max(0, ...compounds.map(({ specificity }) => specificity));
  return {
    test: name === ':not' ? (element) => !matchesAny(element) : matchesAny,
    specificity: name === ':where' ? 0 : most,
    cost: compounds.reduce((sum, compound) => sum + compound.cost, 1),
  };
}

const unescape = (text: string): string => text.replace(/\\(.)/g, '$1');

const knownClasses = new WeakMap<Element, ReadonlySet<string>>();

function classesOf(element: Element): ReadonlySet<string> {
  const known = knownClasses.get(element);
  if (known !== undefined) return known;
  const classes = new Set((element.attribs.class ?? '').split(/\s+/));
  knownClasses.set(element, classes);
  return classes;
}

/**
 * Whether a selector is one of the first element of a chain (the element and its ancestors upward).
 *
 * @param spend called with the looks it takes
 */
export function matches(
  { compounds }: Selector,
  chain: readonly Element[],
  spend: (steps: number) => void,
): boolean {
  const [own, ...others] = compounds;
  const [element] = chain;
  spend(own?.cost ?? 1);
  if (own === undefined || element === undefined || !fits(own, element)) return false;
  let places = new Set([0]);
  let { isChild } = own;
  for (const compound of others) {
    spend(chain.length * compound.cost);
    places = placesAbove(compound, isChild, places, chain);
    if (places.size === 0) return false;
    ({ isChild } = compound);
  }
  return true;
}

const fits = ({ tests }: Compound, element: Element): boolean =>
  tests.every((test) => test(element));

/** Where a compound may be, given where the one to its right may. */
function placesAbove(
  compound: Compound,
  isChild: boolean,
  below: ReadonlySet<number>,
  chain: readonly Element[],
): Set<number> {
  const lowest = Math.min(...below);
  const places = new Set<number>();
  for (let at = lowest + 1; at < chain.length; at++) {
    const element = chain[at];
    if (element === undefined || (isChild && !below.has(at - 1))) continue;
    if (fits(compound, element)) places.add(at);
  }
  return places;
}
