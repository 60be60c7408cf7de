import { isTag, isText, type ChildNode, type Element } from 'domhandler';
import { MAX_MARKED_ITEMS, MAX_MARKED_PROPERTIES, MAX_METADATA_CHARS } from '../../limits.js';
import type { RelatedThing } from '../entity/related-thing.js';
import { attributeValue, type MarkedSyntax } from './marked-syntax.js';
import { selectorOf } from '../page-text/selector-of.js';
import type { Leaf, Thing, ThingValue } from '../thing.js';

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
