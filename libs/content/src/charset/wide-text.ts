/** Bytes read, and the fewest that decide. */
const SAMPLE_BYTES = 1_024;
const MIN_SAMPLE_BYTES = 16;

/** Of ASCII in UTF-16 every other byte is NUL; markup is ASCII even where the text is not. */
const MIN_NUL_SHARE = 0.4;
const MAX_STRAY_SHARE = 0.05;

/** UTF-16 without a byte order mark, recognized by the positions of NULs; no other text has any. */
export function encodingOfWideText(body: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const pairs = Math.min(body.length, SAMPLE_BYTES) >> 1;
  if (2 * pairs < MIN_SAMPLE_BYTES) return undefined;
  let first = 0;
  let second = 0;
  for (let pair = 0; pair < pairs; pair++) {
    if (body[2 * pair] === 0) first++;
    if (body[2 * pair + 1] === 0) second++;
  }
  if (second >= MIN_NUL_SHARE * pairs && first <= MAX_STRAY_SHARE * pairs) return 'utf-16le';
  if (first >= MIN_NUL_SHARE * pairs && second <= MAX_STRAY_SHARE * pairs) return 'utf-16be';
  return undefined;
}
