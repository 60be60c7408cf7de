/** A token of English text has about four characters; other scripts have fewer for each token. */
const QUARTERS_PER_TOKEN = 4;
const FIRST_NON_ASCII = 0x80;
/** From here on: Chinese, Japanese, Korean and emoji, where a character is a token or more. */
const FIRST_WIDE = 0x2e80;

function quartersOf(codeUnit: number): number {
  if (codeUnit < FIRST_NON_ASCII) return 1;
  return codeUnit < FIRST_WIDE ? 2 : QUARTERS_PER_TOKEN;
}

/** Estimated tokens of a text: the same text always has the same number, whatever the model. */
export function tokenEstimate(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at++) quarters += quartersOf(text.charCodeAt(at));
  return Math.ceil(quarters / QUARTERS_PER_TOKEN);
}

/** The largest end of a piece from `start` that has at most `maxTokens` tokens; never inside a character. */
export function endOfTokens(text: string, start: number, maxTokens: number): number {
  let quarters = maxTokens * QUARTERS_PER_TOKEN;
  let end = start;
  while (end < text.length) {
    quarters -= quartersOf(text.charCodeAt(end));
    if (quarters < 0) break;
    end++;
  }
  return end < text.length && isInsideCharacter(text, end) ? end - 1 : end;
}

/** Between the two halves of a surrogate pair. */
export function isInsideCharacter(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
