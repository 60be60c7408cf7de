import { isItem, type JsonLdItem } from '../../json-ld/json-ld-item.js';
import type { JsonLd } from '../../json-ld/read-json-ld.js';
import { MAX_JSON_LD_DEPTH, MAX_JSON_LD_NODES } from '../../limits.js';
import { ABOUT, type RelatedThing } from '../entity/related-thing.js';
import { bareName, type Thing, type ThingValue } from '../thing.js';

export interface JsonLdThings {
  /** Typed nodes in document order. */
  readonly things: readonly RelatedThing[];
  /** Distinct types of the nodes at the top and of what they are about, in document order. */
  readonly types: readonly string[];
  /** Path of the first type. */
  readonly typesPath: string | undefined;
  /** Blocks or nodes beyond the limits were left unread. */
  readonly isCut: boolean;
}

const MAX_TYPES = 100;

interface Visit {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
  /** Properties from the top of the block to here. */
  readonly relations: readonly string[];
}

/** The things that the JSON-LD of a page describes, nested ones too. Nodes and depth are bounded. */
export function jsonLdThings({ blocks, isCut }: JsonLd): JsonLdThings {
  const survey = new Survey(isCut);
  blocks.forEach((block, number) => survey.add(block, `$[${number}]`));
  return survey.finish();
}

/** Walks the blocks with a stack of its own, so that depth cannot exhaust the machine's. */
class Survey {
  private readonly found: { readonly visit: Visit; readonly node: JsonLdItem }[] = [];
  private readonly index = new Map<string, { readonly node: JsonLdItem; readonly path: string }>();
  private readonly types = new Set<string>();
  private typesPath: string | undefined;
  private nodes = 0;

  constructor(private isCut: boolean) {}

  add(block: unknown, path: string): void {
    const stack: Visit[] = [{ value: block, path, depth: 0, relations: [] }];
    for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
      if (++this.nodes > MAX_JSON_LD_NODES || visit.depth > MAX_JSON_LD_DEPTH) {
        this.isCut = true;
        if (this.nodes > MAX_JSON_LD_NODES) return;
      } else this.open(visit, stack);
    }
  }

  finish(): JsonLdThings {
    const things = this.found.map(({ visit, node }) => ({
      thing: new JsonThing(node, visit.path, this.index),
      relations: visit.relations,
    }));
    const types = [...this.types];
    return { things, types, typesPath: this.typesPath, isCut: this.isCut };
  }

  private open(visit: Visit, stack: Visit[]): void {
    const { value } = visit;
    if (Array.isArray(value)) this.push(stack, value.entries(), visit, false);
    else if (isItem(value)) {
      this.keep(value, visit);
      this.push(stack, Object.entries(value), visit, true);
    }
  }

  /** Backwards, so that the stack gives them in document order. */
  private push(
    stack: Visit[],
    entries: Iterable<readonly [string | number, unknown]>,
    { path, depth, relations }: Visit,
    isNode: boolean,
  ): void {
    const children: Visit[] = [];
    for (const [key, value] of entries) {
      if (typeof value !== 'object' || value === null) continue;
      if (children.length + stack.length > MAX_JSON_LD_NODES) {
        this.isCut = true;
        break;
      }
      const isPlainStep = !isNode || key === '@graph';
      children.push({
        value,
        path: isNode ? childPath(path, String(key)) : `${path}[${key}]`,
        depth: depth + 1,
        relations: isPlainStep ? relations : [...relations, String(key)],
      });
    }
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) stack.push(child);
    }
  }

  private keep(node: JsonLdItem, visit: Visit): void {
    const types = thingTypes(node);
    const id = node['@id'];
    const hasMore = Object.keys(node).some((key) => key !== '@id' && key !== '@type');
    if (typeof id === 'string' && hasMore && !this.index.has(id))
      this.index.set(id, { node, path: visit.path });
    if (types.length === 0 || !hasMore) return;
    this.found.push({ visit, node });
    if (visit.relations.every((name) => ABOUT.has(name))) this.keepTypes(types, visit.path);
  }

  private keepTypes(types: readonly string[], path: string): void {
    this.typesPath ??= `${path}.@type`;
    for (const type of types) if (this.types.size < MAX_TYPES) this.types.add(type);
  }
}

/** Where the nodes of a page can be found by their `@id`, with the path of each. */
type NodeIndex = ReadonlyMap<string, { readonly node: JsonLdItem; readonly path: string }>;

const MAX_VALUES_PER_PROPERTY = 200;
const SAFE_KEY = /^[A-Za-z_@][\w@-]*$/;

const childPath = (path: string, key: string): string =>
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

function thingTypes(node: JsonLdItem): readonly string[] {
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
