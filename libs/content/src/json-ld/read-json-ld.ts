import type { Element } from 'domhandler';
import { scriptText } from '../dom/script-element.js';
import { MAX_JSON_LD_BLOCKS, MAX_JSON_LD_CHARS, MAX_JSON_LD_ITEMS } from '../limits.js';
import { isItem, type JsonLdItem } from './json-ld-item.js';
import { repairJson } from './repair-json.js';

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

/** What authors and their templates put around JSON although it may not be there. */
const WRAPPING = /^(?:\s|\/\/|\/\*|\*\/|<!\[CDATA\[|<!--|;)+/;
const CLOSING = ['//', '/*', '*/', ']]>', '-->', ';', ','] as const;
const ENCODED_START = /^[[{]\s*(?:&quot;|&#0?34;|&#x22;)/i;
const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#034;': '"',
  '&#x22;': '"',
  '&amp;': '&',
};

/**
 * The value of a JSON-LD block as sites really write them: in comments or CDATA, with comments,
 * trailing commas, raw line breaks in strings, inner quotes, several values in a row, or with its
 * quotes as entities. Undefined when it cannot be read. Time is linear in the text.
 */
export function parseJsonLd(source: string): unknown {
  const strict = parseStrictly(source);
  if (strict !== undefined) return strict;
  const bare = withoutClosing(source.replace(WRAPPING, ''));
  const text = ENCODED_START.test(bare) ? decoded(bare) : bare;
  return parseStrictly(text) ?? parseStrictly(repairJson(text));
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: the caller tries the next reading.
    return undefined;
  }
}

const decoded = (text: string): string =>
  text.replace(/&(?:quot|#0?34|#x22|amp);/gi, (entity) => ENTITIES[entity.toLowerCase()] ?? entity);

/** JSON without the ends of comments and CDATA, semicolons, commas and white space behind it. */
function withoutClosing(text: string): string {
  let end = text.length;
  for (let length = closingBefore(text, end); length > 0; length = closingBefore(text, end))
    end -= length;
  return text.slice(0, end);
}

function closingBefore(text: string, end: number): number {
  if (/\s/.test(text[end - 1] ?? '')) return 1;
  return CLOSING.find((closing) => text.endsWith(closing, end))?.length ?? 0;
}
