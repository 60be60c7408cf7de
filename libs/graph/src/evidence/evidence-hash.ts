import { createHash } from 'node:crypto';
import { canonicalJson } from '@app/content';
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
