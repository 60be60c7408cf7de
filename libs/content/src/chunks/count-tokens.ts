import { createRequire } from 'node:module';

interface Tokenizer {
  countTokens(text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }): number;
}

let loaded: Tokenizer | undefined;

/** Its table is 1 MB of code, a tenth of a second and 40 MB: loaded with the first count. */
function load(): Tokenizer {
  loaded ??= createRequire(import.meta.url)(
    'gpt-tokenizer/encoding/cl100k_base',
  ) as unknown as Tokenizer;
  return loaded;
}

/**
 * Letters, signs or spaces in a row that are merged together. The tokenizer's time is quadratic in
 * this; longer runs are no words and are counted in parts.
 */
const MAX_RUN_CHARS = 64;

const LONG_RUN = /[\p{L}\p{M}]{64}|[^\s\p{L}\p{N}]{64}|\s{64}/gu;

/** UTF-16 units counted at once: the tokenizer keeps all parts of a text in memory. */
const MAX_PART_CHARS = 100_000;

/** A page that says `<|endoftext|>` says just that. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * Tokens of a text in the encoding `cl100k_base`, which the common models for embeddings use. Runs
 * of more than 64 letters, signs or spaces count in parts of 64, which may give a token more
 * for each. Linear time. Texts that look like special tokens are counted as text.
 */
export function countTokens(text: string): number {
  const tokenizer = load();
  const count = (part: string): number => tokenizer.countTokens(part, AS_TEXT);
  if (text.length <= MAX_RUN_CHARS) return count(text);
  let tokens = 0;
  let from = 0;
  const take = (to: number): void => {
    for (; from < to; from = Math.min(to, from + MAX_PART_CHARS)) {
      tokens += count(text.slice(from, Math.min(to, from + MAX_PART_CHARS)));
    }
  };
  for (const run of text.matchAll(LONG_RUN)) take(run.index + run[0].length);
  take(text.length);
  return tokens;
}
