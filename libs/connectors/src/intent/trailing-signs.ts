/** A text without any of these signs at its end. Linear, which a pattern with a repetition at its end is not. */
export function withoutTrailing(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Signs that end a sentence or a part of it. */
export const SENTENCE_SIGNS = '?!.;:, ';
