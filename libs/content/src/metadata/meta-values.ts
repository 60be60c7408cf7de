import { type Element } from 'domhandler';
import { parseHtml } from '../dom/parse-html.js';
import { collapse, walk } from '../dom/walk.js';
import { MAX_META_ELEMENTS, MAX_METADATA_CHARS } from '../limits.js';

/** A value as readers want it: one line, bounded, undefined when there is nothing in it. */
export function tidy(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = collapse(value.slice(0, 4 * MAX_METADATA_CHARS)).slice(0, MAX_METADATA_CHARS);
  return text === '' ? undefined : text.toWellFormed().replaceAll('\0', '');
}

/** What the meta elements of a page say. Names are in lower case. */
export interface MetaValues {
  /** First value of a name, whether in `name`, `property`, `itemprop` or `http-equiv`. */
  first(...names: readonly string[]): string | undefined;
  /** All values of a name, in document order. */
  all(name: string): readonly string[];
  /** First values of the names that start so, by what follows; at most `most`. */
  startingWith(prefix: string, most: number): ReadonlyMap<string, string>;
}

/** Longer names are never requested. */
const MAX_NAME_CHARS = 100;
const NAMING = ['name', 'property', 'itemprop', 'http-equiv'] as const;

export function readMeta(described: readonly Element[]): MetaValues {
  const values = new Map<string, string[]>();
  let seen = 0;
  for (const { name, attribs } of described) {
    if (name !== 'meta') continue;
    if (++seen > MAX_META_ELEMENTS) break;
    const names = namesOf(attribs);
    const value = tidy(attribs.content);
    if (value !== undefined) keep(values, names, isDescription(names) ? unescaped(value) : value);
  }
  return {
    first: (...names) =>
      names.map((name) => values.get(name)?.[0]).find((one) => one !== undefined),
    all: (name) => values.get(name) ?? [],
    startingWith: (prefix, most) => {
      const found = [...values].filter(([name]) => name.startsWith(prefix)).slice(0, most);
      return new Map(found.map(([name, [first = '']]) => [name, first]));
    },
  };
}

const isDescription = (names: ReadonlySet<string>): boolean =>
  [...names].some((name) => name.endsWith('description'));

const ENTITY = /&(?:[a-z]{2,8}\d{0,2}|#\d{1,7}|#x[\da-f]{1,6});/i;

/**
 * Many templates escape descriptions twice, so that `&quot;` is left of a quote. Only what holds no
 * tag is read again; a title may speak of entities, so titles stay as they are.
 */
function unescaped(value: string): string {
  if (!ENTITY.test(value) || /[<>]/.test(value)) return value;
  let text = '';
  walk(parseHtml(value), { text: (data) => void (text += data), enter: () => true });
  return tidy(text) ?? value;
}

function namesOf(attribs: Readonly<Record<string, string>>): ReadonlySet<string> {
  const names = NAMING.map((attribute) => (attribs[attribute] ?? '').trim().toLowerCase());
  return new Set(names.filter((name) => name !== '' && name.length <= MAX_NAME_CHARS));
}

function keep(values: Map<string, string[]>, names: Iterable<string>, value: string): void {
  for (const name of names) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
}
