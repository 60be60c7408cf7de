import { isAscii, isUtf8 } from 'node:buffer';
import { createMultibyteDecoder } from '@exodus/bytes/multi-byte.js';
import { encodingOfLabel } from './encoding-label.js';
import { lateMeta } from './late-meta.js';
import { charsetOfContent } from './meta-encoding.js';
import { prescanMeta } from './prescan-meta.js';
import { encodingOfWideText } from './wide-text.js';
import { encodingOfWideXml, encodingOfXmlDeclaration } from './xml-encoding.js';

/** Bytes the standard lets a parser read before it starts. */
const PRESCAN_BYTES = 1_024;

/** How far a declaration may be in the head: browsers restart the parse when they meet it. */
const LATE_DECLARATION_BYTES = 65_536;

/**
 * Encoding of a page as its WHATWG name, always one TextDecoder knows. Order (HTML standard
 * 13.2.3.2): byte order mark, Content-Type, meta prescan of the first 1,024 bytes, XML declaration;
 * then the bytes themselves: UTF-16 without a mark, multi-byte UTF-8; then UTF-8 if the type is
 * XML; then a later meta of the head; then windows-1252, which pure ASCII is too.
 *
 * Three mistakes that are common on real servers are put right against the letter of the standard:
 * Latin-1 declared over bytes that are multi-byte UTF-8; any other legacy encoding in the header
 * over such bytes when the page itself says UTF-8; and UTF-8 in the header over bytes that are not,
 * when the page itself names a legacy encoding.
 */
export function sniffCharset(body: Uint8Array, contentType: string | null): string {
  const marked = encodingOfByteOrderMark(body);
  if (marked !== undefined) return marked;
  const header = encodingOfHeader(contentType);
  if (header !== undefined) return checkedHeader(header, body);
  const inside = encodingInside(body);
  if (inside === 'windows-1252') return hasMultiByteUtf8(body) ? 'utf-8' : inside;
  return inside ?? encodingOfUndeclared(body, isXmlType(contentType));
}

/**
 * Encodings of which Node's decoder differs from the Encoding standard: of Korean it knows the 2,350
 * syllables of KS X 1001 and not the other 8,822, of Big5 no character of Hong Kong, and in Japanese
 * it loses its place after some bad trails.
 */
const UNLIKE_NODE: ReadonlySet<string> = new Set([
  'euc-kr',
  'big5',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
]);

/** Decodes leniently: a bad sequence becomes U+FFFD; the byte order mark is dropped. */
export function decodeBody(body: Uint8Array, charset: string): string {
  return UNLIKE_NODE.has(charset)
    ? createMultibyteDecoder(charset, true)(body)
    : new TextDecoder(charset).decode(body);
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

/** A header is wrong where the bytes and the page agree on something else. */
function checkedHeader(header: string, body: Uint8Array): string {
  switch (header) {
    case 'utf-8':
      return isWholeUtf8(body) ? header : (encodingInside(body) ?? header);
    case 'windows-1252':
      return hasMultiByteUtf8(body) ? 'utf-8' : header;
    case 'utf-16le':
    case 'utf-16be':
      return header;
    default:
      return encodingInside(body) === 'utf-8' && hasMultiByteUtf8(body) ? 'utf-8' : header;
  }
}

/** What a page says about itself before any parsing. */
function encodingInside(body: Uint8Array): string | undefined {
  const text = latin1(body, LATE_DECLARATION_BYTES);
  return (
    encodingOfWideXml(text) ?? prescanMeta(text, PRESCAN_BYTES) ?? encodingOfXmlDeclaration(text)
  );
}

const XML_TYPE = /^\s*(?:(?:text|application)\/xml|[^;\s]+\+xml)\s*(?:;|$)/i;

const isXmlType = (contentType: string | null): boolean => XML_TYPE.test(contentType ?? '');

/** XML that says nothing is UTF-8 (XML 1.0, 4.3.3). */
function encodingOfUndeclared(body: Uint8Array, isXml: boolean): string {
  const wide = encodingOfWideText(body);
  if (wide !== undefined) return wide;
  if (isXml || hasMultiByteUtf8(body)) return 'utf-8';
  return lateMeta(latin1(body, LATE_DECLARATION_BYTES)) ?? 'windows-1252';
}

function latin1(body: Uint8Array, maxBytes: number): string {
  const length = Math.min(body.length, maxBytes);
  return Buffer.from(body.buffer, body.byteOffset, length).toString('latin1');
}

function hasMultiByteUtf8(body: Uint8Array): boolean {
  return !isAscii(body) && isWholeUtf8(body);
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
