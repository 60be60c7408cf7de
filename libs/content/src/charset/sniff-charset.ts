import { isUtf8 } from 'node:buffer';
import { encodingOfLabel } from './encoding-label.js';
import { charsetOfContent, prescanMeta } from './prescan-meta.js';

/** Bytes the standard lets a parser look at before it starts. */
const PRESCAN_BYTES = 1_024;

/** A meta past the prescan still counts: browsers restart the parse when they meet it. */
const LATE_META_BYTES = 65_536;

/**
 * Encoding of a page as its WHATWG name, always one TextDecoder knows. Order: byte order mark,
 * Content-Type, meta prescan of the first 1,024 bytes, valid UTF-8, a later meta, windows-1252.
 *
 * Two mistakes that are common on real servers are put right against the letter of the standard:
 * Latin-1 declared over bytes that are multi-byte UTF-8, and UTF-8 in the header over bytes that
 * are not, when the page itself names a legacy encoding.
 */
export function sniffCharset(body: Uint8Array, contentType: string | null): string {
  const marked = encodingOfByteOrderMark(body);
  if (marked !== undefined) return marked;
  const declared = encodingOfHeader(contentType) ?? prescanMeta(latin1(body, PRESCAN_BYTES));
  switch (declared) {
    case 'utf-8':
      return isWholeUtf8(body) ? declared : contradictingMeta(body, contentType);
    case 'windows-1252':
      return hasMultiByteUtf8(body) ? 'utf-8' : declared;
    case undefined:
      return isWholeUtf8(body) ? 'utf-8' : lateMeta(body);
    default:
      return declared;
  }
}

/** Decodes leniently: a bad sequence becomes U+FFFD; the byte order mark is dropped. */
export function decodeBody(body: Uint8Array, charset: string): string {
  return new TextDecoder(charset).decode(body);
}

/** The encoding a leading byte order mark names; it beats every declaration. */
export function encodingOfByteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function encodingOfHeader(contentType: string | null): string | undefined {
  const label = contentType === null ? undefined : charsetOfContent(contentType);
  return label === undefined ? undefined : encodingOfLabel(label);
}

/** Called when bytes declared as UTF-8 are not: the header may be the one that is wrong. */
function contradictingMeta(body: Uint8Array, contentType: string | null): string {
  if (encodingOfHeader(contentType) !== 'utf-8') return 'utf-8';
  return prescanMeta(latin1(body, PRESCAN_BYTES)) ?? 'utf-8';
}

function lateMeta(body: Uint8Array): string {
  return prescanMeta(latin1(body, LATE_META_BYTES)) ?? 'windows-1252';
}

function latin1(body: Uint8Array, maxBytes: number): string {
  const length = Math.min(body.length, maxBytes);
  return Buffer.from(body.buffer, body.byteOffset, length).toString('latin1');
}

function hasMultiByteUtf8(body: Uint8Array): boolean {
  return isWholeUtf8(body) && body.some((byte) => byte >= 0x80);
}

/** UTF-8 apart from a sequence cut at the end, which a size limit leaves behind. */
function isWholeUtf8(body: Uint8Array): boolean {
  return isUtf8(body.subarray(0, body.length - cutSequenceBytes(body)));
}

function cutSequenceBytes(body: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, body.length); back++) {
    const byte = body[body.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc2) return back < sequenceLength(byte) ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
