import { inflateAtMost } from '../files/inflate.js';
import { MAX_PDF_PACKED_BYTES, MAX_PDF_STREAM_BYTES, MAX_PDF_STREAM_RATIO } from '../limits.js';

/** How far the best-packed stream can grow: deflate by its format, LZW by its longest entries. */
const MAX_DEFLATE_RATIO = 1_032;
const MAX_LZW_RATIO = 1_500;

/** Streams that cannot unpack to more are not examined. */
const SMALL_BYTES = 4_000_000;

/** Unpacked to more times its size, a stream counts towards the sum. */
const WELL_PACKED_RATIO = 30;

/** Characters before a stream's data searched for its filters. */
const MAX_DICTIONARY_CHARS = 2_000;

/** Packed inside packed this many times is refused without a look. */
const MAX_LAYERS = 3;

/** Times a page may draw one stream; real ones do once. */
const MAX_REPEATS = 4;

/**
 * True when a PDF would take memory out of all proportion. pdf.js unpacks a stream whole, and all
 * streams of a page into one buffer, before it reads them.
 */
export function hasStreamBomb(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (repeatsContent(buffer)) return true;
  let wellPackedBytes = 0;
  for (const { dictionary, packed } of streamsOf(buffer)) {
    const unpacked = unpackedBytes(dictionary, packed);
    if (unpacked === Infinity) return true;
    if (unpacked > packed.length * WELL_PACKED_RATIO) wellPackedBytes += unpacked;
    if (wellPackedBytes > MAX_PDF_PACKED_BYTES) return true;
  }
  return false;
}

interface PackedStream {
  readonly dictionary: string;
  readonly packed: Buffer;
}

function* streamsOf(buffer: Buffer): Generator<PackedStream> {
  let at = buffer.indexOf('stream');
  while (at !== -1) {
    const end = buffer.indexOf('endstream', at + 6);
    const packed = buffer.subarray(dataStart(buffer, at), end === -1 ? buffer.length : end);
    yield { dictionary: dictionaryBefore(buffer, at), packed };
    if (end === -1) return;
    at = buffer.indexOf('stream', end + 9);
  }
}

/** Behind the line break after the keyword. */
function dataStart(buffer: Buffer, at: number): number {
  const next = buffer[at + 6] === 13 ? at + 7 : at + 6;
  return buffer[next] === 10 ? next + 1 : next;
}

function dictionaryBefore(buffer: Buffer, at: number): string {
  const text = buffer.toString('latin1', Math.max(0, at - MAX_DICTIONARY_CHARS), at);
  return text.slice(text.lastIndexOf(' obj') + 1);
}

/** 0: small, damaged or a picture; Infinity: a bomb. */
function unpackedBytes(dictionary: string, packed: Buffer): number {
  if (/\/Subtype\s*\/Image/.test(dictionary)) return 0;
  if (/\/LZW(?:Decode)?\b/.test(dictionary)) {
    return packed.length * MAX_LZW_RATIO > MAX_PDF_STREAM_BYTES * 8 ? Infinity : 0;
  }
  const layers = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0;
  if (layers > MAX_LAYERS) return Infinity;
  const isObjects = /\/Type\s*\/ObjStm/.test(dictionary);
  if (layers < 2 && packed.length * MAX_DEFLATE_RATIO < SMALL_BYTES && !isObjects) return 0;
  return unpackLayers(packed, layers, isObjects);
}

function unpackLayers(packed: Buffer, layers: number, isObjects: boolean): number {
  let data = packed;
  for (let layer = 0; layer < layers; layer++) {
    const unpacked = inflateAtMost(data, { maxBytes: MAX_PDF_STREAM_BYTES });
    // A damaged stream unpacks in part only; pdf.js deals with that.
    if (unpacked === 'damaged') return 0;
    if (unpacked === 'too_large') return Infinity;
    data = unpacked;
  }
  const isExcessive = data.length > packed.length * MAX_PDF_STREAM_RATIO;
  if (data.length > SMALL_BYTES && isExcessive) return Infinity;
  return isObjects && repeatsContent(data) ? Infinity : data.length;
}

/** Is one stream many times in the list of a page's streams? */
function repeatsContent(objects: Buffer): boolean {
  for (
    let at = objects.indexOf('/Contents');
    at !== -1;
    at = objects.indexOf('/Contents', at + 9)
  ) {
    const head = objects.toString('latin1', at + 9, at + 19).trimStart();
    if (!head.startsWith('[')) continue;
    const end = objects.indexOf(']', at);
    const list = objects.toString('latin1', at, end === -1 ? at : end);
    if (hasRepeats(list)) return true;
  }
  return false;
}

function hasRepeats(list: string): boolean {
  const counts = new Map<string, number>();
  for (const [, number = ''] of list.matchAll(/(?<!\d)(\d+)\s+\d+\s+R/g)) {
    const count = (counts.get(number) ?? 0) + 1;
    if (count > MAX_REPEATS) return true;
    counts.set(number, count);
  }
  return false;
}
