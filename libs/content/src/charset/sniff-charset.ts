import { isAscii, isUtf8 } from 'node:buffer';
import { createMultibyteDecoder } from '@exodus/bytes/multi-byte.js';
import { encodingOfLabel, declaredEncoding } from './encoding-label.js';
import { charsetOfContent, encodingOfMeta } from './meta-encoding.js';
import { prescanMeta, skipTo } from './prescan-meta.js';
import { encodingOfWideText } from './wide-text.js';
import { readAttributes } from './tag-attributes.js';

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

/** `<?x` in UTF-16: enough, as the standard has it; the declaration itself is not read. */
const UTF_16LE_XML = '<\0?\0x\0';
const UTF_16BE_XML = '\0<\0?\0x';

/** The encoding of a text that starts with an XML declaration in UTF-16; bytes read as Latin-1. */
function encodingOfWideXml(head: string): 'utf-16le' | 'utf-16be' | undefined {
  if (head.startsWith(UTF_16LE_XML)) return 'utf-16le';
  return head.startsWith(UTF_16BE_XML) ? 'utf-16be' : undefined;
}

/** "Get an XML encoding" (HTML standard 13.2.3.2): white space here is all up to U+0020. */
const ENCODING = /encoding[\0- ]*=[\0- ]*(?:"([^"]*)"|'([^']*)')/y;

/** What the XML declaration that a text starts with declares; bytes read as Latin-1. */
function encodingOfXmlDeclaration(head: string): string | undefined {
  if (!head.startsWith('<?xml')) return undefined;
  const end = head.indexOf('>');
  // Only the first "encoding" counts, whatever follows it.
  const start = head.indexOf('encoding');
  if (start === -1 || start > end) return undefined;
  ENCODING.lastIndex = start;
  const match = ENCODING.exec(head.slice(0, end));
  const label = match?.[1] ?? match?.[2];
  return label === undefined || /[\0- ]/.test(label) ? undefined : declaredEncoding(label);
}

/**
 * The encoding that a meta element in the head declares, anywhere in the head: browsers
 * start over when their parser meets one past the prescan. Tags are read as a parser reads them:
 * not in scripts, styles and templates, and not once the head has ended. Bytes read as Latin-1.
 */
function lateMeta(text: string): string | undefined {
  let at = 0;
  for (;;) {
    SPACES.lastIndex = at;
    SPACES.test(text);
    const step = takeHeadContent(text, SPACES.lastIndex);
    if (step === null) return undefined;
    if (step.encoding !== undefined) return step.encoding;
    at = step.end;
  }
}

interface Step {
  readonly end: number;
  readonly encoding?: string;
}

const SPACES = /[\t\n\f\r ]*/y;
const TAG = /<(\/?)([a-z][^\t\n\f\r />]*)/iy;

/** Tags that hold nothing a parser would look into. */
const RAW = new Set(['title', 'script', 'style', 'noscript', 'noframes']);
const EMPTY = new Set(['html', 'head', 'base', 'basefont', 'bgsound', 'link']);
/** Other end tags are passed over in a head. */
const ENDS_HEAD = new Set(['head', 'body', 'html', 'br']);

/** Takes one thing that may be in a head; null at the head's end. */
function takeHeadContent(text: string, start: number): Step | null {
  if (text.startsWith('<!--', start)) return skipTo(text, '-->', start + 2);
  TAG.lastIndex = start;
  const match = TAG.exec(text);
  if (match === null)
    return /^<[!?/]/.test(text.slice(start, start + 2)) ? skipTo(text, '>', start) : null;
  const [whole, slash, written = ''] = match;
  const name = written.toLowerCase();
  const tag = readAttributes(text, start + whole.length);
  if (tag === null) return null;
  if (slash === '/') return ENDS_HEAD.has(name) ? null : { end: tag.end };
  if (name === 'meta') return { end: tag.end, encoding: encodingOfMeta(decoded(tag.attributes)) };
  if (RAW.has(name)) return skipRaw(text, name, tag.end);
  if (name === 'template') return skipTemplate(text, tag.end);
  return EMPTY.has(name) ? { end: tag.end } : null;
}

function skipRaw(text: string, name: string, start: number): Step | null {
  const end = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  end.lastIndex = start;
  const match = end.exec(text);
  return match === null ? null : { end: match.index };
}

/** Templates nest; what looks like one in a script inside is rare enough not to matter. */
function skipTemplate(text: string, start: number): Step | null {
  const edge = /<(\/?)template(?=[\t\n\f\r />])/gi;
  edge.lastIndex = start;
  let depth = 1;
  let match: RegExpExecArray | null;
  while ((match = edge.exec(text)) !== null) {
    depth += match[1] === '/' ? -1 : 1;
    if (depth === 0) return { end: match.index };
  }
  return null;
}

/** Labels hold letters without named references, so only numeric ones need decoding. */
const REFERENCE = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi;

function decoded(attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const decode = (value: string): string =>
    value.replace(REFERENCE, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x7f ? String.fromCharCode(code).toLowerCase() : '\ufffd';
    });
  return new Map([...attributes].map(([name, value]) => [name, decode(value)]));
}
