import { codePoint } from 'dingbat-to-unicode';

/** A character of a symbol font as Unicode has it; empty when nobody knows. */
export function symbolText(font: string, code: number): string {
  // Word moves the characters of symbol fonts to where Unicode has none.
  const own = (code & ~0xff) === 0xf000 ? code & 0xff : code;
  const known = codePoint(font, code) ?? codePoint(font, own);
  if (known !== undefined) return known.string;
  const isPrivate = code >= 0xe000 && code <= 0xf8ff;
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  const isCharacter = code > 0x1f && code <= 0x10_ffff && !isPrivate && !isSurrogate;
  return isCharacter ? String.fromCodePoint(code) : '';
}
