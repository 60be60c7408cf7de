import { type Element } from 'domhandler';
import { scriptText } from '../dom/script-element.js';
import { MAX_JSON_LD_BLOCKS, MAX_JSON_LD_CHARS, MAX_JSON_LD_ITEMS } from '../limits.js';
import { isItem, type JsonLdItem } from './json-ld-item.js';
import { parseJsonLd } from './parse-json-ld.js';

/** The JSON-LD of a page. It is read once per page and handed to all that use it. */
export interface JsonLd {
  /** The value of each script, in document order; undefined for one that is no JSON. */
  readonly blocks: readonly unknown[];
  /**
   * The items of the blocks in document order, lists and `@graph`s opened, what is nested in an item
   * left in it.
   */
  readonly items: readonly JsonLdItem[];
  /** Blocks beyond the limits were left unread. */
  readonly isCut: boolean;
}

/** Reads the JSON-LD scripts of a page. Never throws; time is linear in their text. */
export function readJsonLd(scripts: readonly Element[]): JsonLd {
  const blocks: unknown[] = [];
  const items: JsonLdItem[] = [];
  let chars = 0;
  for (const script of scripts.slice(0, MAX_JSON_LD_BLOCKS)) {
    const text = scriptText(script);
    chars += text.length;
    if (chars > MAX_JSON_LD_CHARS) break;
    const block = parseJsonLd(text);
    blocks.push(block);
    openItems(block, items);
  }
  return { blocks, items, isCut: blocks.length < scripts.length };
}

const MAX_QUEUE = 10 * MAX_JSON_LD_ITEMS;

function openItems(value: unknown, items: JsonLdItem[]): void {
  const queue: unknown[] = [value];
  for (let at = 0; at < queue.length && items.length < MAX_JSON_LD_ITEMS; at++) {
    const next = queue[at];
    if (Array.isArray(next)) {
      for (const one of next.slice(0, MAX_JSON_LD_ITEMS)) queue.push(one);
    } else if (isItem(next)) {
      if (Array.isArray(next['@graph'])) queue.push(next['@graph']);
      if (next['@type'] !== undefined || next['@graph'] === undefined) items.push(next);
    }
    if (queue.length > MAX_QUEUE) return;
  }
}
