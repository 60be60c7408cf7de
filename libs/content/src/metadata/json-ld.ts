import { type Element } from 'domhandler';
import { scriptText } from '../dom/script-element.js';
import { MAX_JSON_LD_CHARS, MAX_JSON_LD_ITEMS, MAX_METADATA_CHARS } from '../limits.js';

/** One thing that a page describes in JSON-LD, as it is written. */
export type JsonLdItem = Readonly<Record<string, unknown>>;

/**
 * The items of a page's JSON-LD blocks in document order, lists and `@graph`s opened, what is
 * nested in an item left in it. Blocks that are no JSON are passed over.
 */
export function readJsonLd(scripts: readonly Element[]): readonly JsonLdItem[] {
  const items: JsonLdItem[] = [];
  let chars = 0;
  for (const script of scripts) {
    const text = scriptText(script);
    chars += text.length;
    if (chars > MAX_JSON_LD_CHARS) break;
    if (text !== '') openItems(parse(text), items);
    if (items.length >= MAX_JSON_LD_ITEMS) break;
  }
  return items;
}

/** One block as it is written; null: it is no JSON, or longer than all blocks of a page may be. */
export function readJsonLdBlock(script: Element): unknown {
  const text = scriptText(script);
  return text === '' || text.length > MAX_JSON_LD_CHARS ? null : parse(text);
}

/** Names of an item's types, without the address of their vocabulary. */
export function typesOf(item: JsonLdItem): readonly string[] {
  const types: readonly unknown[] = [item['@type']].flat(1);
  return types.flatMap((type) => {
    const name = typeof type === 'string' ? type.trim().replace(/^.*[/#:]/s, '') : '';
    return name === '' || name.length > MAX_TYPE_CHARS ? [] : [name];
  });
}

/** Whether a value is an object that properties can be read from. */
export function isItem(value: unknown): value is JsonLdItem {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A property as text, also of a list's first, of `{"@value": …}` and of something with a name. */
export function textOfValue(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'number') return String(first);
  if (typeof first === 'string') return first.slice(0, MAX_METADATA_CHARS);
  if (!isItem(first)) return undefined;
  const inner = first['@value'] ?? first.name;
  return typeof inner === 'string' ? inner.slice(0, MAX_METADATA_CHARS) : undefined;
}

const MAX_TYPE_CHARS = 100;

/** What authors and their templates put around or into JSON although it may not be there. */
const WRAPPING = /^\s*(?:<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/)+/;
const CLOSING = ['//', '/*', '*/', ']]>', '-->', ';', ','] as const;
const LINE_BREAKS_IN_TEXT = /[\n\r\t]+/g;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseLeniently(text);
  }
}

function parseLeniently(text: string): unknown {
  const bare = withoutClosing(text.replace(WRAPPING, ''));
  try {
    return JSON.parse(bare.replace(LINE_BREAKS_IN_TEXT, ' '));
  } catch {
    // What is no JSON describes nothing; a page is read all the same.
    return null;
  }
}

/** JSON without what templates write behind it: the ends of comments and CDATA, semicolons, commas, white space. */
export function withoutClosing(text: string): string {
  let end = text.length;
  for (let length = closingBefore(text, end); length > 0; length = closingBefore(text, end))
    end -= length;
  return text.slice(0, end);
}

function closingBefore(text: string, end: number): number {
  if (/\s/.test(text[end - 1] ?? '')) return 1;
  return CLOSING.find((closing) => text.endsWith(closing, end))?.length ?? 0;
}

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

const MAX_QUEUE = 10 * MAX_JSON_LD_ITEMS;
