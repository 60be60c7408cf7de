/** How far back a cut may move to end at a line or a word. */
const MAX_STEP_BACK = 200;

/**
 * The start of a text that is too long: at most `maxChars` UTF-16 units of it, to the end of a line
 * or word where one is near, and never half of a character.
 */
export function clipText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const near = text.slice(Math.max(0, maxChars - MAX_STEP_BACK), maxChars);
  const gap = Math.max(near.lastIndexOf('\n'), near.lastIndexOf(' '));
  if (gap > 0) return text.slice(0, maxChars - near.length + gap);
  return text.slice(0, isHighSurrogate(text.charCodeAt(maxChars - 1)) ? maxChars - 1 : maxChars);
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
