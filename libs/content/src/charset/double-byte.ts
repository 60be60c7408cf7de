import { BIG5_EXTENSION } from './big5-extension.js';
import { Units } from './units.js';

/**
 * Decoders of EUC-KR and Big5 by the Encoding standard (13.1, 11.1). Node's own know only the first
 * halves of these: of Korean the 2,350 syllables of KS X 1001 and not the other 8,822 of
 * windows-949, of Big5 neither ETEN's kana and circled numbers nor any character of Hong Kong.
 */
export type DoubleByteEncoding = 'euc-kr' | 'big5';

/** Decodes leniently: what has no character becomes U+FFFD, an ASCII byte in it stays. */
export function decodeDoubleByte(body: Uint8Array, charset: DoubleByteEncoding): string {
  const index = indexOf(charset);
  const units = new Units(body.length);
  for (let at = 0; at < body.length; at++) {
    const lead = body[at] ?? 0;
    if (lead < 0x80) {
      units.put(lead);
      continue;
    }
    const trail = body[at + 1] ?? 0;
    const code = lead === 0x80 || lead === 0xff ? 0 : (index[(lead << 8) | trail] ?? 0);
    if (code === 0) {
      units.putError();
      // The trail goes with its lead, unless it is ASCII or the lead is none.
      if (trail >= 0x80 && lead !== 0x80 && lead !== 0xff) at++;
      continue;
    }
    putCode(code, units);
    at++;
  }
  return units.toString();
}

/** Letters with two marks, which only sequences of two code points spell; see {@link big5Index}. */
const FIRST_SEQUENCE = 0x110000;
const SEQUENCES: readonly (readonly [pointer: number, text: string])[] = [
  [1133, '\u00ca\u0304'],
  [1135, '\u00ca\u030c'],
  [1164, '\u00ea\u0304'],
  [1166, '\u00ea\u030c'],
];

function putCode(code: number, units: Units): void {
  if (code <= 0xffff) {
    units.put(code);
    return;
  }
  const text = SEQUENCES[code - FIRST_SEQUENCE]?.[1] ?? String.fromCodePoint(code);
  units.put(text.charCodeAt(0));
  units.put(text.charCodeAt(1));
}

/** Code point of each pair of bytes, `lead << 8 | trail`; 0: none. */
type Index = Uint32Array;

const indexes = new Map<DoubleByteEncoding, Index>();

/** Made when the first page of its kind comes: a few milliseconds, 256 kB. */
function indexOf(charset: DoubleByteEncoding): Index {
  const known = indexes.get(charset);
  if (known !== undefined) return known;
  const index = charset === 'big5' ? big5Index() : eucKrIndex();
  indexes.set(charset, index);
  return index;
}

const PRIVATE_USE = /^[\ue000-\uf8ff\ufffd]$/;

/** What Node's decoder knows, private characters apart: those are its way to say "none". */
function nativeIndex(charset: DoubleByteEncoding): Index {
  const index: Index = new Uint32Array(0x10000);
  const decoder = new TextDecoder(charset);
  const pair = new Uint8Array(2);
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      pair[0] = lead;
      pair[1] = trail;
      const [character = '', ...rest] = decoder.decode(pair);
      if (rest.length > 0 || PRIVATE_USE.test(character)) continue;
      index[(lead << 8) | trail] = character.codePointAt(0) ?? 0;
    }
  }
  return index;
}

const BIG5_TRAILS = 157;

function big5Index(): Index {
  const index = nativeIndex('big5');
  for (const [start, characters] of BIG5_EXTENSION) {
    let pointer = start;
    for (const character of characters) {
      index[big5Key(pointer++)] = character.codePointAt(0) ?? 0;
    }
  }
  for (const [at, [pointer]] of SEQUENCES.entries()) index[big5Key(pointer)] = FIRST_SEQUENCE + at;
  return index;
}

function big5Key(pointer: number): number {
  const offset = pointer % BIG5_TRAILS;
  const lead = Math.floor(pointer / BIG5_TRAILS) + 0x81;
  return (lead << 8) | (offset + (offset < 0x3f ? 0x40 : 0x62));
}

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;

/**
 * windows-949 puts the syllables that KS X 1001 lacks, in the order of Unicode, into the cells that
 * it leaves: all of rows 81 to A0, and of rows A1 to C6 those with a trail below A1. The euro and
 * the registered sign came later.
 */
function eucKrIndex(): Index {
  const index = nativeIndex('euc-kr');
  const known = new Set(index);
  let key = (0x81 << 8) | 0x40;
  for (let syllable = FIRST_SYLLABLE; syllable <= LAST_SYLLABLE; syllable++) {
    if (known.has(syllable)) continue;
    key = nextFreeCell(key);
    index[key] = syllable;
  }
  index[0xa2e6] = 0x20ac;
  index[0xa2e7] = 0xae;
  return index;
}

function nextFreeCell(key: number): number {
  let [lead, trail] = [key >> 8, (key & 0xff) + 1];
  if (trail === 0x5b) trail = 0x61;
  if (trail === 0x7b) trail = 0x81;
  if (trail > (lead <= 0xa0 ? 0xfe : 0xa0)) [lead, trail] = [lead + 1, 0x41];
  return (lead << 8) | trail;
}
