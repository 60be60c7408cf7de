import { isItem, type JsonLd, type JsonLdItem } from '@app/content';

export interface DescribedThings {
  /** Things described, outer ones before those in them. */
  readonly items: readonly JsonLdItem[];
  /** A block had more than {@link MAX_BLOCK_NODES} nodes; the others were not read. */
  readonly isCut: boolean;
}

/** Objects of one block that are read (specification: brand_meta, jsonld_node_cap). */
const MAX_BLOCK_NODES = 500;
const MAX_BLOCKS = 50;

/** What the JSON-LD blocks of a page describe, nested things among it. */
export function describedThings({ blocks }: JsonLd): DescribedThings {
  const read = blocks.slice(0, MAX_BLOCKS).map(nodesOf);
  return {
    items: read.flatMap(({ items }) => items),
    isCut: read.some(({ isCut }) => isCut),
  };
}

/** Breadth first: the subject of a block is outside of its references. */
function nodesOf(block: unknown): DescribedThings {
  const items: JsonLdItem[] = [];
  let level: readonly unknown[] = [block];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const value of level) {
      if (isItem(value) && !isWrapper(value)) {
        if (items.length === MAX_BLOCK_NODES) return { items, isCut: true };
        items.push(value);
      }
      for (const inner of innerOf(value)) next.push(inner);
    }
    level = next;
  }
  return { items, isCut: false };
}

/** `{"@context": …, "@graph": […]}` describes nothing itself. */
const isWrapper = (item: JsonLdItem): boolean =>
  Array.isArray(item['@graph']) && item['@type'] === undefined;

function innerOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return values.filter((inner) => typeof inner === 'object' && inner !== null);
}
