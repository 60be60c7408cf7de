import { isItem, type JsonLdItem } from '../../json-ld/json-ld-item.js';
import { bareName, type Thing, type ThingValue } from '../thing.js';

/** Where the nodes of a page can be found by their `@id`, with the path of each. */
export type NodeIndex = ReadonlyMap<string, { readonly node: JsonLdItem; readonly path: string }>;

const MAX_VALUES_PER_PROPERTY = 200;
const SAFE_KEY = /^[A-Za-z_@][\w@-]*$/;

export const childPath = (path: string, key: string): string =>
  SAFE_KEY.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;

/**
 * A view of a JSON-LD node. Properties are read on demand and references followed one step at a
 * time, so cycles cost nothing.
 */
export class JsonThing implements Thing {
  readonly kind = 'thing';
  readonly types: readonly string[];

  constructor(
    readonly node: JsonLdItem,
    readonly path: string,
    private readonly index: NodeIndex,
  ) {
    this.types = thingTypes(node);
  }

  valuesOf(name: string): readonly ThingValue[] {
    const key = keyOf(this.node, name);
    return key === undefined ? [] : this.read(this.node[key], childPath(this.path, key));
  }

  private read(value: unknown, path: string): readonly ThingValue[] {
    if (!Array.isArray(value)) return this.readOne(value, path);
    return value
      .slice(0, MAX_VALUES_PER_PROPERTY)
      .flatMap((item, index) => this.readOne(item, `${path}[${index}]`));
  }

  private readOne(value: unknown, path: string): readonly ThingValue[] {
    if (typeof value === 'string') return [{ kind: 'leaf', text: value, path }];
    if (typeof value === 'number' || typeof value === 'boolean')
      return [{ kind: 'leaf', text: String(value), path }];
    return isItem(value) ? this.readNode(value, path) : [];
  }

  private readNode(value: JsonLdItem, path: string): readonly ThingValue[] {
    const literal = value['@value'];
    if (typeof literal === 'string' || typeof literal === 'number')
      return [{ kind: 'leaf', text: String(literal), path: `${path}.@value` }];
    const list = value['@list'] ?? value['@set'];
    if (Array.isArray(list))
      return list
        .slice(0, MAX_VALUES_PER_PROPERTY)
        .flatMap((item, index) =>
          isItem(item) && '@list' in item ? [] : this.readFlat(item, `${path}[${index}]`),
        );
    return [this.resolve(value, path)];
  }

  /** A list in a list is not followed further: nothing in schema.org has one. */
  private readFlat(value: unknown, path: string): readonly ThingValue[] {
    if (isItem(value)) return [this.resolve(value, path)];
    return typeof value === 'string' ? [{ kind: 'leaf', text: value, path }] : [];
  }

  /** `{"@id": …}` with nothing else means the node of that id. */
  private resolve(value: JsonLdItem, path: string): Thing {
    const id = value['@id'];
    const isReference =
      typeof id === 'string' && Object.keys(value).every((key) => key === '@id' || key === '@type');
    const target = isReference ? this.index.get(id) : undefined;
    return target === undefined
      ? new JsonThing(value, path, this.index)
      : new JsonThing(target.node, target.path, this.index);
  }
}

export function thingTypes(node: JsonLdItem): readonly string[] {
  const type = node['@type'] ?? node['type'];
  const names = Array.isArray(type) ? type.slice(0, 20) : [type];
  return names
    .filter((name) => typeof name === 'string')
    .map(bareName)
    .filter((name) => name !== '');
}

/** `telephone`, or the same under a prefix or with its full address. */
function keyOf(node: JsonLdItem, name: string): string | undefined {
  if (Object.hasOwn(node, name)) return name;
  const spellings = [`schema:${name}`, `https://schema.org/${name}`, `http://schema.org/${name}`];
  return spellings.find((key) => Object.hasOwn(node, key));
}
