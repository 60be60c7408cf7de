import { isItem, type JsonLdItem, typesOf } from '@app/content';

/** An object of a page's JSON-LD and the properties that lead to it. */
export interface JsonLdNode {
  readonly item: JsonLdItem;
  readonly types: readonly string[];
  /** From the top of the block, `@graph` apart. */
  readonly path: readonly string[];
}

const MAX_NODES = 5_000;
const MAX_DEPTH = 12;

/** Properties that lead to what others say, make or sell, not to the company. */
const OTHERS = new Set(
  'review reviews author creator contributor comment editor reviewedBy itemReviewed sponsor funder customer provider hiringOrganization competitor'.split(
    ' ',
  ),
);

/**
 * All objects of a page's JSON-LD that speak for the site, in document order; `{"@id": …}` alone
 * means the object of that id. Bounded in number and depth, so cycles end.
 */
export function jsonLdNodes(items: readonly JsonLdItem[]): readonly JsonLdNode[] {
  const byId = new Map<string, JsonLdItem>();
  for (const item of items) {
    const id = item['@id'];
    if (typeof id === 'string' && !byId.has(id) && !isReference(item)) byId.set(id, item);
  }
  const nodes: JsonLdNode[] = [];
  const seen = new Set<JsonLdItem>();
  const stack: Step[] = items.map((item) => ({ item, path: [] })).reverse();
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const item = resolved(step.item, byId);
    // An item that another one refers to has been read there, with the path that says what it is.
    if (step.path.length === 0 && seen.has(item)) continue;
    if (nodes.length >= MAX_NODES) break;
    seen.add(item);
    nodes.push({ item, types: typesOf(item), path: step.path });
    if (step.path.length < MAX_DEPTH) pushInner(stack, item, step.path);
  }
  return nodes;
}

interface Step {
  readonly item: JsonLdItem;
  readonly path: readonly string[];
}

/** Backwards, so that the stack gives them in document order. */
function pushInner(stack: Step[], item: JsonLdItem, path: readonly string[]): void {
  for (const [key, value] of Object.entries(item).slice(0, MAX_PROPERTIES).reverse()) {
    if (key.startsWith('@') || OTHERS.has(key)) continue;
    const values: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_VALUES) : [value];
    const innerPath = [...path, key];
    for (const inner of [...values].reverse())
      if (isItem(inner) && stack.length < MAX_NODES) stack.push({ item: inner, path: innerPath });
  }
}

const MAX_PROPERTIES = 100;
const MAX_VALUES = 500;

const isReference = (item: JsonLdItem): boolean =>
  Object.keys(item).every((key) => key === '@id' || key === '@type');

function resolved(item: JsonLdItem, byId: ReadonlyMap<string, JsonLdItem>): JsonLdItem {
  const id = item['@id'];
  return typeof id === 'string' && isReference(item) ? (byId.get(id) ?? item) : item;
}
