import { AttributeAction, type AttributeSelector } from 'css-what';
import { AhoCorasick } from '../literals/aho-corasick.js';
import type { PageElement } from '../page/page-element.js';
import type { Compound, DomSelector, ChildChain } from './selector.js';

/** Shorter values of attributes are in too many texts to look for. */
const MIN_VALUE_CHARS = 3;

interface Entry<Rule> {
  readonly selector: DomSelector;
  readonly rule: Rule;
}

interface ValueIndex<Rule> {
  readonly automaton: AhoCorasick;
  readonly entries: readonly (readonly Entry<Rule>[])[];
}

/**
 * Rules by what their selector says of the innermost element: its id, a class, the value or presence of an
 * attribute, its tag. An element meets only rules that name something it has.
 */
export class SelectorIndex<Rule> {
  private readonly byId = new Map<string, Entry<Rule>[]>();
  private readonly byClass = new Map<string, Entry<Rule>[]>();
  private readonly byAttribute = new Map<string, Entry<Rule>[]>();
  private readonly byTag = new Map<string, Entry<Rule>[]>();
  private readonly anywhere: Entry<Rule>[] = [];
  private readonly byValue: ReadonlyMap<string, ValueIndex<Rule>>;

  constructor(rules: Iterable<readonly [DomSelector, Rule]>) {
    const values = new Map<string, Map<string, Entry<Rule>[]>>();
    for (const [selector, rule] of rules) {
      const compound = selector[0]?.[0];
      if (compound !== undefined) this.place({ selector, rule }, compound, values);
    }
    this.byValue = new Map(
      [...values].map(([name, byLiteral]) => [
        name,
        {
          automaton: new AhoCorasick([...byLiteral.keys()]),
          entries: [...byLiteral.values()],
        },
      ]),
    );
  }

  /** Calls `onMatch` with each rule whose selector means the element; with some more than once. */
  match(
    element: PageElement,
    ancestors: readonly PageElement[],
    onMatch: (rule: Rule) => void,
  ): void {
    const meet = (entries: readonly Entry<Rule>[] | undefined): void => {
      for (const { selector, rule } of entries ?? [])
        if (matchesSelector(selector, element, ancestors)) onMatch(rule);
    };
    meet(this.anywhere);
    meet(this.byTag.get(element.name));
    for (const [name, value] of element.attributes) {
      if (name === 'id') meet(this.byId.get(value));
      if (name === 'class') for (const one of element.classes) meet(this.byClass.get(one));
      meet(this.byAttribute.get(name));
      const index = this.byValue.get(name);
      if (index !== undefined) for (const found of literalsIn(value, index)) meet(found);
    }
  }

  private place(
    entry: Entry<Rule>,
    compound: Compound,
    values: Map<string, Map<string, Entry<Rule>[]>>,
  ): void {
    const { id, classes, attributes, tag } = compound;
    const valued = attributes.filter(hasLongValue).sort(byLength)[0];
    if (id !== null) add(this.byId, id, entry);
    else if (classes[0] !== undefined) add(this.byClass, classes[0], entry);
    else if (valued !== undefined) {
      const byLiteral = values.get(valued.name) ?? new Map<string, Entry<Rule>[]>();
      values.set(valued.name, byLiteral);
      add(byLiteral, valued.value.toLowerCase(), entry);
    } else if (attributes[0] !== undefined) add(this.byAttribute, attributes[0].name, entry);
    else if (tag !== null) add(this.byTag, tag, entry);
    else this.anywhere.push(entry);
  }
}

function hasLongValue({ action, value }: Readonly<AttributeSelector>): boolean {
  return (
    action !== AttributeAction.Exists &&
    value.length >= MIN_VALUE_CHARS &&
    /^[\x20-\x7e]+$/.test(value)
  );
}

function byLength(a: Readonly<AttributeSelector>, b: Readonly<AttributeSelector>): number {
  return b.value.length - a.value.length;
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** A text full of the same literal meets its rules once. */
function* literalsIn<Rule>(
  value: string,
  { automaton, entries }: ValueIndex<Rule>,
): Generator<readonly Entry<Rule>[]> {
  const found = new Set<number>();
  automaton.scan(value, (literal) => found.add(literal));
  for (const literal of found) yield entries[literal] ?? [];
}

/**
 * Whether the selector means this element. Each chain is looked for as near as it can be, which never keeps
 * a further one from being found: the time is linear in the depth.
 */
function matchesSelector(
  selector: DomSelector,
  element: PageElement,
  ancestors: readonly PageElement[],
): boolean {
  const [innermost, ...outer] = selector;
  if (innermost === undefined || !matchesChain(innermost, element, ancestors, ancestors.length))
    return false;
  let above = ancestors.length - innermost.length + 1;
  for (const chain of outer) {
    let at = above - 1;
    while (at >= 0 && !isChainAt(chain, ancestors, at)) at--;
    if (at < 0) return false;
    above = at - chain.length + 1;
  }
  return true;
}

function isChainAt(chain: ChildChain, ancestors: readonly PageElement[], at: number): boolean {
  const element = ancestors[at];
  return element !== undefined && matchesChain(chain, element, ancestors, at);
}

/** `depth`: how many of `ancestors` are above the element. */
function matchesChain(
  chain: ChildChain,
  element: PageElement,
  ancestors: readonly PageElement[],
  depth: number,
): boolean {
  return chain.every((compound, up) => {
    const one = up === 0 ? element : ancestors[depth - up];
    return one !== undefined && matchesCompound(compound, one);
  });
}

function matchesCompound(
  { tag, id, classes, attributes }: Compound,
  element: PageElement,
): boolean {
  return (
    (tag === null || tag === element.name) &&
    (id === null || id === element.get('id')) &&
    classes.every((name) => element.classes.has(name)) &&
    attributes.every((test) => matchesAttribute(test, element.get(test.name)))
  );
}

function matchesAttribute(test: Readonly<AttributeSelector>, found: string | undefined): boolean {
  if (found === undefined) return false;
  const value = test.ignoreCase === true ? found.toLowerCase() : found;
  const sought = test.ignoreCase === true ? test.value.toLowerCase() : test.value;
  switch (test.action) {
    case AttributeAction.Exists:
      return true;
    case AttributeAction.Equals:
      return value === sought;
    case AttributeAction.Start:
      return sought !== '' && value.startsWith(sought);
    case AttributeAction.End:
      return sought !== '' && value.endsWith(sought);
    case AttributeAction.Any:
      return sought !== '' && value.includes(sought);
    case AttributeAction.Element:
      return value.split(/[\t\n\f\r ]+/).includes(sought);
    case AttributeAction.Hyphen:
      return value === sought || value.startsWith(`${sought}-`);
    case AttributeAction.Not:
      return value !== sought;
  }
}
