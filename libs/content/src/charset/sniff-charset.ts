import { isAscii, isUtf8 } from 'node:buffer';
import { createMultibyteDecoder } from '@exodus/bytes/multi-byte.js';
import { detectEncoding } from './detect-encoding.js';
import { encodingOfLabel, declaredEncoding } from './encoding-label.js';
import {
  charsetOfContent,
  encodingOfFaultyMeta,
  encodingOfMeta,
  type ReadMeta,
  prescanMeta,
  skipTo,
  readAttributes,
} from './prescan-meta.js';

/** Bytes the standard lets a parser read before it starts. */
const PRESCAN_BYTES = 1_024;

/** How far a declaration may be in the head: browsers restart the parse when they meet it. */
const LATE_DECLARATION_BYTES = 65_536;

/** What else is known of a text whose encoding is looked for. */
export interface CharsetHints {
  /** Where it came from. */
  readonly url?: string;
  /** The bytes are only its start, so that ASCII says nothing of the rest. @default false */
  readonly isStart?: boolean;
}

/**
 * Encoding of a text as its WHATWG name, always one TextDecoder knows. Order (HTML standard
 * 13.2.3.2): byte order mark, Content-Type, meta prescan of the first 1,024 bytes, XML declaration or `@charset`;
 * then the bytes themselves: UTF-16 without a mark, multi-byte UTF-8; then a later meta of the head; then a faulty
 * meta, which browsers do not count; then what a detector takes the bytes for; then UTF-8 if the type is
 * XML, else windows-1252, which pure ASCII is too. A type of plain text has no markup to declare anything.
 *
 * Four mistakes that are common on real servers are put right against the letter of the standard:
 * Latin-1 declared over bytes that are multi-byte UTF-8; any other legacy encoding in the header
 * over such bytes when the page itself says UTF-8; UTF-8 in the header over bytes that are not,
 * when the page itself names a legacy encoding; and UTF-16 in the header over bytes that are UTF-8.
 */
export function sniffCharset(
  body: Uint8Array,
  contentType: string | null,
  { url, isStart = false }: CharsetHints = {},
): string {
  const marked = encodingOfByteOrderMark(body);
  if (marked !== undefined) return marked;
  const inside = (): string | undefined => encodingInside(headOf(body), contentType);
  const header = encodingOfHeader(contentType);
  if (header !== undefined) return checkedHeader(header, body, inside);
  const declared = inside();
  if (declared === 'windows-1252') return hasMultiByteUtf8(body) ? 'utf-8' : declared;
  if (declared !== undefined) return declared;
  if (isStart && isAscii(body)) return encodingOfWideText(body) ?? 'utf-8';
  return encodingOfUndeclared(body, contentType, url);
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

/** Decodes a text or, while `isPart`, the next part of one. */
export type DecodeText = (bytes: Uint8Array, isPart?: boolean) => string;

/** Decodes leniently: a bad sequence becomes U+FFFD; the byte order mark is dropped. */
export function textDecoder(charset: string): DecodeText {
  if (UNLIKE_NODE.has(charset)) return createMultibyteDecoder(charset, true);
  const decoder = new TextDecoder(charset);
  return (bytes, isPart = false) => decoder.decode(bytes, { stream: isPart });
}

/** Like {@link textDecoder}, of a whole text. */
export const decodeBody = (body: Uint8Array, charset: string): string => textDecoder(charset)(body);

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
function checkedHeader(header: string, body: Uint8Array, inside: () => string | undefined): string {
  switch (header) {
    case 'utf-8':
      return isWholeUtf8(body) ? header : (inside() ?? header);
    case 'windows-1252':
      return hasMultiByteUtf8(body) ? 'utf-8' : header;
    case 'utf-16le':
    case 'utf-16be':
      // Text in UTF-16 has NULs, or is nothing that UTF-8 could be.
      return body.includes(0) || !isWholeUtf8(body) ? header : 'utf-8';
    default:
      return hasMultiByteUtf8(body) && inside() === 'utf-8' ? 'utf-8' : header;
  }
}

/** Types without markup: what looks like a meta element there is an example. */
const PLAIN_TYPE =
  /^\s*(?:text\/(?!html|xml)[^;\s]+|[^;\s]+[/+]json|application\/(?:x-)?(?:java|ecma)script)\s*(?:;|$)/i;
const XML_TYPE = /^\s*(?:(?:text|application)\/xml|[^;\s]+\+xml)\s*(?:;|$)/i;

/** `@charset` of a style sheet counts only in exactly these bytes (CSS Syntax 3, 3.2). */
const SHEET_CHARSET = /^@charset "([\w:-]{1,40})";/;

/** What a text says about itself before any parsing. */
function encodingInside(head: string, contentType: string | null): string | undefined {
  const wide = encodingOfWideXml(head);
  if (wide !== undefined) return wide;
  const sheet = SHEET_CHARSET.exec(head)?.[1];
  if (sheet !== undefined) return declaredEncoding(sheet);
  if (PLAIN_TYPE.test(contentType ?? '')) return undefined;
  return prescanMeta(head, PRESCAN_BYTES) ?? encodingOfXmlDeclaration(head);
}

/** XML that says nothing is UTF-8 (XML 1.0, 4.3.3), unless its bytes deny it. */
function encodingOfUndeclared(
  body: Uint8Array,
  contentType: string | null,
  url: string | undefined,
): string {
  const wide = encodingOfWideText(body);
  if (wide !== undefined) return wide;
  if (hasMultiByteUtf8(body)) return 'utf-8';
  if (XML_TYPE.test(contentType ?? '')) return detectEncoding(body, { url }) ?? 'utf-8';
  const head = PLAIN_TYPE.test(contentType ?? '') ? '' : headOf(body);
  return (
    lateMeta(head, encodingOfMeta) ??
    prescanMeta(head, PRESCAN_BYTES, encodingOfFaultyMeta) ??
    lateMeta(head, encodingOfFaultyMeta) ??
    detectEncoding(body, { url, language: languageOf(head) }) ??
    'windows-1252'
  );
}

const ROOT = /<html(?=[\t\n\f\r /])/i;

/** The language that a page states on its root element; bytes read as Latin-1. */
function languageOf(head: string): string | undefined {
  const start = ROOT.exec(head)?.index;
  if (start === undefined) return undefined;
  const attributes = readAttributes(head, start + '<html'.length)?.attributes;
  return attributes?.get('lang') ?? attributes?.get('xml:lang');
}

/** Bytes in which declarations are looked for, read as Latin-1. */
function headOf(body: Uint8Array): string {
  const length = Math.min(body.length, LATE_DECLARATION_BYTES);
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
function lateMeta(text: string, read: ReadMeta): string | undefined {
  let at = 0;
  for (;;) {
    SPACES.lastIndex = at;
    SPACES.test(text);
    const step = takeHeadContent(text, SPACES.lastIndex, read);
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
function takeHeadContent(text: string, start: number, read: ReadMeta): Step | null {
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
  if (name === 'meta') return { end: tag.end, encoding: read(decoded(tag.attributes)) };
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

/** Bytes read, and the fewest that decide. */
const SAMPLE_BYTES = 1_024;
const MIN_SAMPLE_BYTES = 16;

/** Of ASCII in UTF-16 every other byte is NUL; markup is ASCII even where the text is not. */
const MIN_NUL_SHARE = 0.4;
const MAX_STRAY_SHARE = 0.05;

/** UTF-16 without a byte order mark, recognized by the positions of NULs; no other text has any. */
export function encodingOfWideText(body: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const pairs = Math.min(body.length, SAMPLE_BYTES) >> 1;
  if (2 * pairs < MIN_SAMPLE_BYTES) return undefined;
  let first = 0;
  let second = 0;
  for (let pair = 0; pair < pairs; pair++) {
    if (body[2 * pair] === 0) first++;
    if (body[2 * pair + 1] === 0) second++;
  }
  if (second >= MIN_NUL_SHARE * pairs && first <= MAX_STRAY_SHARE * pairs) return 'utf-16le';
  if (first >= MIN_NUL_SHARE * pairs && second <= MAX_STRAY_SHARE * pairs) return 'utf-16be';
  return undefined;
}
