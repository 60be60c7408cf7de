import {
  AttributeAction,
  type AttributeSelector,
  isTraversal,
  parse,
  type PseudoSelector,
  type Selector as Token,
  SelectorType,
} from 'css-what';
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
/** Lists (`:not(:is(…))`) in each other; deeper ones drop their selector. */
const MAX_LISTS = 2;

/** The selectors of a rule that can be matched; the others are left out. */
export function readSelectors(text: string): readonly Selector[] {
  return tokensOf(text)
    .slice(0, MAX_SELECTORS_OF_RULE)
    .flatMap((tokens) => readSelector(tokens) ?? []);
}

function tokensOf(text: string): readonly (readonly Token[])[] {
  try {
    return parse(text);
  } catch {
    // Browsers drop a rule with a selector that cannot be read, too.
    return [];
  }
}

function readSelector(tokens: readonly Token[]): Selector | undefined {
  const compounds: Compound[] = [];
  let specificity = 0;
  let isChild = false;
  let start = 0;
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at];
    if (token !== undefined && !isTraversal(token)) continue;
    const compound = readCompound(tokens.slice(start, at), 0);
    if (compound === undefined || compounds.length === MAX_COMPOUNDS) return undefined;
    compounds.unshift({ ...compound, isChild });
    specificity += compound.specificity;
    isChild = token?.type === SelectorType.Child;
    if (token !== undefined && !isChild && token.type !== SelectorType.Descendant) return undefined;
    start = at + 1;
  }
  return { compounds, specificity, key: compounds[0]?.key ?? ANY_KEY };
}

type ReadCompound = Omit<Compound, 'isChild'> & { readonly specificity: number };

/** @param depth lists around it */
function readCompound(tokens: readonly Token[], depth: number): ReadCompound | undefined {
  const tests: Test[] = [];
  let specificity = 0;
  let key = ANY_KEY;
  let cost = 0;
  for (const token of tokens) {
    const simple = readSimple(token, depth);
    if (simple === undefined) return undefined;
    tests.push(simple.test);
    specificity += simple.specificity;
    cost += simple.cost ?? 1;
    // The first letters order them: any, names, classes, identifiers.
    if (simple.key !== undefined && simple.key > key) ({ key } = simple);
  }
  return tests.length === 0 ? undefined : { tests, specificity, key, cost };
}

interface ReadSimple {
  readonly test: Test;
  readonly specificity: number;
  readonly key?: string;
  /** @default 1 */
  readonly cost?: number;
}

const ANY_KEY = '';
const nameLetters = (name: string): string => `1${name}`;
const classKey = (name: string): string => `2${name}`;
const idKey = (id: string): string => `3${id}`;

/** Keys of the selectors that an element can be one of: of an index by {@link Selector.key}. */
export function selectorKeysOf(element: Element): readonly string[] {
  const { id } = element.attribs;
  return [
    ANY_KEY,
    nameLetters(element.name),
    ...[...classesOf(element)].map(classKey),
    ...(id === undefined ? [] : [idKey(id)]),
  ];
}

const ID = 1_000_000;
const CLASS = 1_000;
const NAME = 1;

function readSimple(token: Token, depth: number): ReadSimple | undefined {
  if ('namespace' in token && token.namespace !== null) return undefined;
  if (token.type === SelectorType.Universal) return { test: () => true, specificity: 0 };
  if (token.type === SelectorType.Tag) return readName(token.name.toLowerCase());
  if (token.type === SelectorType.Attribute) return readAttribute(token);
  return token.type === SelectorType.Pseudo ? readPseudo(token, depth) : undefined;
}

const readName = (name: string): ReadSimple => ({
  test: (element) => element.name === name,
  specificity: NAME,
  key: nameLetters(name),
});

function readAttribute({ name, action, value, ignoreCase }: AttributeSelector): ReadSimple {
  // `#a` and `.a`: their case depends on the page's mode.
  if (ignoreCase !== 'quirks') return readNamedAttribute(name.toLowerCase(), action, value);
  return name === 'id'
    ? { test: ({ attribs }) => attribs.id === value, specificity: ID, key: idKey(value) }
    : {
        test: (element) => classesOf(element).has(value),
        specificity: CLASS,
        key: classKey(value),
      };
}

function readNamedAttribute(name: string, action: AttributeAction, wanted: string): ReadSimple {
  const test: Test = ({ attribs }) => {
    const value = attribs[name];
    return value !== undefined && compares(value, action, wanted);
  };
  return { test, specificity: CLASS, cost: ATTRIBUTE_COST };
}

/** Values are looked through; the rest of a longer one is left out. */
const ATTRIBUTE_COST = 5;
const MAX_VALUE_CHARS = 500;

function compares(value: string, action: AttributeAction, wanted: string): boolean {
  switch (action) {
    case AttributeAction.Exists:
      return true;
    case AttributeAction.Element:
      return value.slice(0, MAX_VALUE_CHARS).split(/\s+/).includes(wanted);
    case AttributeAction.Hyphen:
      return value === wanted || value.startsWith(`${wanted}-`);
    case AttributeAction.Start:
      return value.startsWith(wanted);
    case AttributeAction.End:
      return value.endsWith(wanted);
    case AttributeAction.Any:
      return value.slice(0, MAX_VALUE_CHARS).includes(wanted);
    case AttributeAction.Equals:
      return value === wanted;
    case AttributeAction.Not:
      // jQuery's; no style sheet has it.
      return false;
  }
}

/** Those that hold for a page at rest; any other drops its selector. */
function readPseudo({ name, data }: PseudoSelector, depth: number): ReadSimple | undefined {
  switch (name) {
    case 'root':
    case 'host':
      return { test: (element) => element.name === 'html', specificity: CLASS };
    case 'link':
    case 'any-link':
    case 'enabled':
      return { test: () => true, specificity: CLASS };
    case 'is':
    case 'where':
    case 'not':
      return Array.isArray(data) && depth < MAX_LISTS ? readList(name, data, depth) : undefined;
    default:
      return undefined;
  }
}

/** `:is()` and its like, of compounds only: with ancestors inside they are rare. */
function readList(name: string, list: readonly (readonly Token[])[], depth: number): ReadSimple {
  const compounds = list.flatMap((tokens) => readCompound(tokens, depth + 1) ?? []);
  const matchesAny: Test = (element) =>
    compounds.some(({ tests }) => tests.every((test) => test(element)));
  const most = Math.max(0, ...compounds.map(({ specificity }) => specificity));
  return {
    test: name === 'not' ? (element) => !matchesAny(element) : matchesAny,
    specificity: name === 'where' ? 0 : most,
    cost: compounds.reduce((sum, compound) => sum + compound.cost, 1),
  };
}

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
