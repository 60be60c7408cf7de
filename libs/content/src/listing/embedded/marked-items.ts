import { isTag, isText, type ChildNode, type Element } from 'domhandler';
import { MAX_MARKED_ITEMS, MAX_MARKED_PROPERTIES, MAX_METADATA_CHARS } from '../../limits.js';
import type { RelatedThing } from '../entity/related-thing.js';
import { selectorOf } from '../page-text/selector-of.js';
import { bareName, type Leaf, type Thing, type ThingValue } from '../thing.js';

interface OpenItem {
  readonly element: Element;
  readonly thing: ElementThing;
  readonly relations: readonly string[];
}

/** Nodes below one property that its text is gathered from. */
const MAX_PROPERTY_NODES = 2_000;

/** Collects the items of one syntax while a tree is walked. */
export class MarkedItems {
  isCut = false;
  private readonly found: RelatedThing[] = [];
  private readonly open: OpenItem[] = [];
  private properties = 0;

  constructor(private readonly syntax: MarkedSyntax) {}

  get things(): readonly RelatedThing[] {
    return this.found;
  }

  enter(element: Element): void {
    const types = this.syntax.itemTypes(element.attribs);
    const names = this.syntax.properties(element.attribs);
    if (types === undefined && (names.length === 0 || this.open.length === 0)) return;
    if (this.found.length >= MAX_MARKED_ITEMS || this.properties >= MAX_MARKED_PROPERTIES) {
      this.isCut = true;
      return;
    }
    if (types === undefined) this.addValues(element, names);
    else this.openItem(element, types, names);
  }

  leave(element: Element): void {
    if (this.open.at(-1)?.element === element) this.open.pop();
  }

  private openItem(element: Element, types: readonly string[], names: readonly string[]): void {
    const outer = this.open.at(-1);
    const thing = new ElementThing(types, element);
    const [relation] = names;
    for (const name of names) outer?.thing.add(name, thing);
    const relations =
      outer === undefined || relation === undefined ? [] : [...outer.relations, relation];
    this.found.push({ thing, relations });
    this.open.push({ element, thing, relations });
  }

  private addValues(element: Element, names: readonly string[]): void {
    for (const name of names) {
      this.properties++;
      const text = attributeValue(element, name) ?? propertyText(element);
      this.open.at(-1)?.thing.add(name, new ElementLeaf(text, element));
    }
  }
}

/** Text below a property; the number of nodes read is bounded, as properties may nest. */
function propertyText(element: Element): string {
  let text = '';
  let nodes = 0;
  const stack: ChildNode[] = element.children.slice(0, MAX_PROPERTY_NODES).reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (++nodes > MAX_PROPERTY_NODES || text.length > MAX_METADATA_CHARS) break;
    if (isText(node)) text += node.data;
    else if (isTag(node) && node.name === 'br') text += '\n';
    else if (isTag(node) && node.name !== 'script' && node.name !== 'style')
      stack.push(...node.children.slice(0, MAX_PROPERTY_NODES).reverse());
  }
  return text;
}

/** A value in an element; its selector is built on demand, as few values are used. */
class ElementLeaf implements Leaf {
  readonly kind = 'leaf';

  constructor(
    readonly text: string,
    private readonly element: Element,
  ) {}

  get path(): string {
    return selectorOf(this.element);
  }
}

/**
 * A thing marked up in the elements of a page (microdata, RDFa), filled while the tree is walked.
 */
class ElementThing implements Thing {
  readonly kind = 'thing';
  private readonly properties = new Map<string, ThingValue[]>();

  constructor(
    readonly types: readonly string[],
    private readonly element: Element,
  ) {}

  get path(): string {
    return selectorOf(this.element);
  }

  add(name: string, value: ThingValue): void {
    const values = this.properties.get(name);
    if (values === undefined) this.properties.set(name, [value]);
    else values.push(value);
  }

  valuesOf(name: string): readonly ThingValue[] {
    return this.properties.get(name) ?? [];
  }
}

/** How a syntax says in attributes that an element is an item or the value of a property. */
interface MarkedSyntax {
  /** Types of the item the element opens, or undefined when it opens none. */
  itemTypes(attribs: Element['attribs']): readonly string[] | undefined;
  properties(attribs: Element['attribs']): readonly string[];
}

const names = (text: string | undefined): readonly string[] =>
  text === undefined
    ? []
    : text
        .split(/\s+/)
        .map(bareName)
        .filter((name) => name !== '')
        .slice(0, 10);

/** HTML standard, microdata. */
export const MICRODATA: MarkedSyntax = {
  itemTypes: (attribs) =>
    attribs.itemscope === undefined && attribs.itemtype === undefined
      ? undefined
      : names(attribs.itemtype),
  properties: (attribs) => names(attribs.itemprop),
};

/** RDFa Lite, and the `v:` terms of data-vocabulary.org that it replaced. */
export const RDFA: MarkedSyntax = {
  itemTypes: (attribs) => (attribs.typeof === undefined ? undefined : names(attribs.typeof)),
  properties({ property, rel, typeof: types }) {
    if (property === undefined) return types === undefined ? [] : names(rel);
    // Open Graph's meta elements use the same attribute.
    return /^\s*(?:og|fb|article|business|place|product|twitter|al):/i.test(property)
      ? []
      : names(property);
  },
};

const URL_SOURCES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  source: 'src',
  video: 'src',
  audio: 'src',
  iframe: 'src',
  embed: 'src',
  object: 'data',
  data: 'value',
  meter: 'value',
};

/** Properties that mean their text, not the address of the link around it. */
const TEXTUAL = new Set(
  'name telephone description streetAddress addressLocality addressRegion postalCode priceRange ratingValue reviewCount ratingCount openingHours'.split(
    ' ',
  ),
);

/** The value an element gives by an attribute; undefined when its text is the value. */
function attributeValue({ name, attribs }: Element, property: string): string | undefined {
  const content = attribs.content ?? (name === 'time' ? attribs.datetime : undefined);
  if (content !== undefined && content.trim() !== '') return content;
  const source = URL_SOURCES[name];
  if (source === undefined) return undefined;
  const address = attribs[source] ?? attribs['data-src'];
  if (TEXTUAL.has(property)) {
    const target = /^\s*tel:(.+)$/i.exec(address ?? '')?.[1];
    return property === 'telephone' ? target : undefined;
  }
  return address;
}
