import { createHash } from 'node:crypto';
import type { Fact, FactSource } from './facts.js';

const HASH_BYTES = 16;

/** Equal for the same value from the same source and URL, whatever the order of its properties. */
export function evidenceHash(
  { value, url }: Pick<Fact, 'value' | 'url'>,
  source: FactSource,
): Buffer {
  const text = JSON.stringify([canonicalJson(value), source, url]);
  return createHash('sha256').update(text).digest().subarray(0, HASH_BYTES);
}

/** JSON with the properties of objects in order of their names. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`).join(',')}}`;
}
