import { jis0208 } from './japanese-index.js';
import { Units } from './units.js';

/** Sets of characters that an escape sequence switches to; `$@` and `$B` mean the same here. */
type Charset = 'ascii' | 'roman' | 'katakana' | 'jis0208';

const ESCAPE = 0x1b;
const CHARSETS: ReadonlyMap<string, Charset> = new Map([
  ['(B', 'ascii'],
  ['(J', 'roman'],
  ['(I', 'katakana'],
  ['$@', 'jis0208'],
  ['$B', 'jis0208'],
]);

/**
 * ISO-2022-JP by the Encoding standard (12.2.1). Node's own takes an escape sequence that is cut
 * off for one character where its second byte is a character of its own.
 */
export function decodeIso2022Jp(body: Uint8Array): string {
  const units = new Units(body.length);
  let charset: Charset = 'ascii';
  // Two escape sequences with nothing between them are an error: who looks for text misses it.
  let isEmpty = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (byte !== ESCAPE) {
      isEmpty = false;
      if (charset === 'jis0208') at = putPair(units, body, at);
      else units.put(codeOf(charset, byte));
      continue;
    }
    const next = CHARSETS.get(String.fromCharCode(body[at + 1] ?? 0, body[at + 2] ?? 0));
    if (next === undefined || isEmpty) units.putError();
    isEmpty = next !== undefined;
    if (next === undefined) continue;
    charset = next;
    at += 2;
  }
  return units.toString();
}

function codeOf(charset: Exclude<Charset, 'jis0208'>, byte: number): number {
  if (charset === 'katakana') return byte >= 0x21 && byte <= 0x5f ? 0xff61 - 0x21 + byte : 0xfffd;
  if (charset === 'roman' && byte === 0x5c) return 0xa5;
  if (charset === 'roman' && byte === 0x7e) return 0x203e;
  return byte < 0x80 && byte !== 0x0e && byte !== 0x0f ? byte : 0xfffd;
}

/** Writes the character that starts here. @returns the position of its last byte */
function putPair(units: Units, body: Uint8Array, at: number): number {
  const lead = body[at] ?? 0;
  if (!isRow(lead)) {
    units.putError();
    return at;
  }
  const trail = body[at + 1] ?? 0;
  const code = isRow(trail) ? jis0208()[(lead - 0x21) * 94 + trail - 0x21] : undefined;
  units.put(code === undefined || code === 0 ? 0xfffd : code);
  // An escape sequence in the place of a trail is one still.
  return trail === ESCAPE ? at : at + 1;
}

const isRow = (byte: number): boolean => byte >= 0x21 && byte <= 0x7e;
