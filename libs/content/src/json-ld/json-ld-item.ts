import { MAX_METADATA_CHARS } from '../limits.js';

/** One thing that a page describes in JSON-LD, as it is written. */
export type JsonLdItem = Readonly<Record<string, unknown>>;

const MAX_TYPE_CHARS = 100;

/** Whether a value is an object that properties can be read from. */
export function isItem(value: unknown): value is JsonLdItem {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of an item's types, without the address of their vocabulary. */
export function typesOf(item: JsonLdItem): readonly string[] {
  const types: readonly unknown[] = [item['@type']].flat(1);
  return types.flatMap((type) => {
    const name = typeof type === 'string' ? type.trim().replace(/^.*[/#:]/s, '') : '';
    return name === '' || name.length > MAX_TYPE_CHARS ? [] : [name];
  });
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
