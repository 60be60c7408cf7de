import { MAX_ANSWER_VALUES } from '../limits.js';
import { below, canonicalJson, isObject, type JsonObject } from './json-value.js';

/** What one part of a page gave. */
export interface PartAnswer {
  readonly value: unknown;
  readonly quotes: Readonly<Record<string, { readonly quote: string }>>;
}

/**
 * The answers of a page's parts, in reading order, as one: of single values the first that is not
 * null counts, objects are merged field by field, lists are joined in order. An item that another
 * part gave already is taken once; two objects are the same item when they agree wherever both say
 * something and share their first field that is said. What one part lists twice stays twice.
 */
export function mergeAnswers(parts: readonly PartAnswer[]): PartAnswer {
  const quotes: Record<string, { readonly quote: string }> = {};
  let merged: unknown = null;
  for (const part of parts)
    merged = merge(merged, part.value, new Quotes(part.quotes, quotes), '', '');
  return { value: merged, quotes };
}

/** Brings quotes along to where their values went. */
class Quotes {
  constructor(
    private readonly source: PartAnswer['quotes'],
    private readonly target: Record<string, { readonly quote: string }>,
  ) {}

  move(value: unknown, from: string, to: string): void {
    if (Array.isArray(value)) {
      value.forEach((one, index) => this.move(one, below(from, index), below(to, index)));
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        this.move(value[name], below(from, name), below(to, name));
      }
    } else if (this.source[from] !== undefined) {
      this.target[to] = this.source[from];
    }
  }
}

function merge(kept: unknown, next: unknown, quotes: Quotes, from: string, to: string): unknown {
  if (next === null || next === undefined) return kept;
  if (kept === null || kept === undefined) {
    quotes.move(next, from, to);
    return next;
  }
  if (Array.isArray(kept) && Array.isArray(next)) return mergeLists(kept, next, quotes, from, to);
  if (isObject(kept) && isObject(next)) return mergeObjects(kept, next, quotes, from, to);
  return kept;
}

function mergeObjects(
  kept: JsonObject,
  next: JsonObject,
  quotes: Quotes,
  from: string,
  to: string,
): JsonObject {
  const names = [...new Set([...Object.keys(kept), ...Object.keys(next)])];
  return Object.fromEntries(
    names.map((name) => [
      name,
      merge(own(kept, name), own(next, name), quotes, below(from, name), below(to, name)),
    ]),
  );
}

function mergeLists(
  kept: readonly unknown[],
  next: readonly unknown[],
  quotes: Quotes,
  from: string,
  to: string,
): unknown[] {
  const all = [...kept];
  const known = new Map<string, number[]>();
  const exact = new Map<string, number>();
  all.forEach((one, index) => {
    note(known, identity(one), index);
    exact.set(canonicalJson(one), index);
  });
  next.forEach((one, index) => {
    const same =
      exact.get(canonicalJson(one)) ??
      (known.get(identity(one)) ?? []).find((at) => agrees(all[at], one));
    const place = same ?? all.length;
    if (same === undefined && all.length >= MAX_ANSWER_VALUES) return;
    all[place] = merge(all[place], one, quotes, below(from, index), below(to, place));
  });
  return all;
}

/** Items that share a key, of which few are compared: equal names with other fields are rare. */
const MAX_NAMESAKES = 20;

function note(known: Map<string, number[]>, key: string, index: number): void {
  const places = known.get(key) ?? [];
  if (places.length < MAX_NAMESAKES) places.push(index);
  known.set(key, places);
}

/** Equal for whatever may be the same item. */
function identity(item: unknown): string {
  if (!isObject(item)) return canonicalJson(item);
  const first = Object.entries(item).find(([, value]) => value !== null && !Array.isArray(value));
  return first === undefined ? canonicalJson(item) : canonicalJson(first);
}

/** Neither says what the other denies. */
function agrees(one: unknown, other: unknown): boolean {
  if (one === null || other === null || one === other) return true;
  if (isObject(one) && isObject(other)) {
    return Object.keys(one).every((name) => agrees(one[name], own(other, name)));
  }
  // Lists may each hold a part.
  if (Array.isArray(one) && Array.isArray(other)) return true;
  return false;
}

function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}
