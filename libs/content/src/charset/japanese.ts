import { Units } from './units.js';
import { jis0208, jis0212 } from './japanese-index.js';

/**
 * Decoders of the Japanese encodings by the Encoding standard (12.1, 12.3; ISO-2022-JP has its own
 * file). Node's own go other ways where bytes are wrong: Shift_JIS loses the byte 80, EUC-JP lets
 * control characters through, and both lose their place after some bad trails.
 */
export function decodeShiftJis(body: Uint8Array): string {
  const index = jis0208();
  const units = new Units(body.length);
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (byte <= 0x80) units.put(byte);
    else if (byte >= 0xa1 && byte <= 0xdf) units.put(halfWidth(byte));
    else if (byte === 0xa0 || byte > 0xfc) units.putError();
    else {
      const trail = body[at + 1] ?? 0;
      const code = codeOfShiftJis(index, byte, trail);
      if (code === 0) units.putError();
      else units.put(code);
      // A trail goes with its lead, unless it is ASCII that made no character.
      if (code !== 0 || trail >= 0x80) at++;
    }
  }
  return units.toString();
}

/** Characters for private use have no place in the index: these pointers are theirs. */
const FIRST_PRIVATE = 8_836;
const LAST_PRIVATE = 10_715;

function codeOfShiftJis(index: Uint16Array, lead: number, trail: number): number {
  if (trail < 0x40 || trail === 0x7f || trail > 0xfc) return 0;
  const row = lead - (lead < 0xa0 ? 0x81 : 0xc1);
  const pointer = row * 188 + trail - (trail < 0x7f ? 0x40 : 0x41);
  if (pointer >= FIRST_PRIVATE && pointer <= LAST_PRIVATE) return 0xe000 + pointer - FIRST_PRIVATE;
  return index[pointer] ?? 0;
}

const HALF_WIDTH = 0x8e;
const JIS_0212 = 0x8f;

/** EUC-JP: two bytes, or three where the first says JIS X 0212. */
export function decodeEucJp(body: Uint8Array): string {
  const units = new Units(body.length);
  for (let at = 0; at < body.length; at++) {
    const lead = body[at] ?? 0;
    if (lead < 0x80) {
      units.put(lead);
      continue;
    }
    if (!isRow(lead) && lead !== HALF_WIDTH && lead !== JIS_0212) {
      units.putError();
      continue;
    }
    const isLong = lead === JIS_0212 && isRow(body[at + 1] ?? 0);
    if (isLong) at++;
    const trail = body[at + 1] ?? 0;
    const code = codeOfEucJp(isLong, body[at] ?? 0, trail);
    if (code === 0) units.putError();
    else units.put(code);
    if (code !== 0 || trail >= 0x80) at++;
  }
  return units.toString();
}

function codeOfEucJp(isLong: boolean, lead: number, trail: number): number {
  if (lead === HALF_WIDTH) return trail >= 0xa1 && trail <= 0xdf ? halfWidth(trail) : 0;
  if (!isRow(lead) || !isRow(trail)) return 0;
  return (isLong ? jis0212() : jis0208())[(lead - 0xa1) * 94 + trail - 0xa1] ?? 0;
}

const isRow = (byte: number): boolean => byte >= 0xa1 && byte <= 0xfe;

/** Katakana of half width, which all three encodings have in the same order. */
const halfWidth = (byte: number): number => 0xff61 - 0xa1 + byte;
