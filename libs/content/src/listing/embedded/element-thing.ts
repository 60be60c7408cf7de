import { type Element } from 'domhandler';
import { selectorOf } from '../page-text/selector-of.js';
import { type Leaf, type Thing, type ThingValue } from '../thing.js';

/** A value in an element; its selector is built on demand, as few values are used. */
export class ElementLeaf implements Leaf {
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
export class ElementThing implements Thing {
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
