import { isItem, type JsonLdItem } from '../../json-ld/json-ld-item.js';
import { type JsonLd } from '../../json-ld/read-json-ld.js';
import { MAX_JSON_LD_DEPTH, MAX_JSON_LD_NODES } from '../../limits.js';
import { ABOUT, type RelatedThing } from '../entity/related-thing.js';
import { childPath, JsonThing, thingTypes } from './json-thing.js';

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
