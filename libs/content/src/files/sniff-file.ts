import type { ParsedFile } from '@app/contracts';
import { sniffKind } from '../sniff-kind.js';
import type { FileHint } from './file-result.js';
import { inflateAtMost } from './inflate.js';
import { looksLikeMail, regularDelimiter, SIGN_CHARS } from './text-signs.js';
import { packedBytesOf, readZipDirectory } from './zip-directory.js';

type FileFormat = ParsedFile['format'];

/** Bytes before a PDF's header that readers forgive. */
const PDF_HEADER_BYTES = 1_024;

/**
 * The format of a document file by its signature, whatever it is called. Tables and mails have none: a hint that names
 * them counts when the bytes are text. Null: it is no document; text for readers is a page, see {@link sniffText}.
 */
export function sniffFile(bytes: Uint8Array, hint: FileHint = {}): FileFormat | null {
  if (isPdf(bytes)) return 'pdf';
  if (startsWith(bytes, ZIP)) return zipFormat(bytes);
  if (/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(latin1(bytes, 0, 64))) return 'rtf';
  const declared = declaredFormat(hint);
  // Parts of a mail may be in any encoding.
  if (declared === 'eml') return MAIL_START.test(latin1(bytes, 0, SIGN_CHARS)) ? 'eml' : null;
  const isTable = declared === 'csv' || declared === 'tsv';
  return isTable && isText(bytes) ? declared : null;
}

/** The format of an uploaded file that {@link sniffFile} does not know. Null: it is not text alone. */
export function sniffText(bytes: Uint8Array, hint: FileHint = {}): FileFormat | null {
  if (bytes.length === 0) return null;
  const declared = declaredFormat(hint);
  // Markdown may start with HTML.
  if (declared === 'md' && sniffKind(bytes, null) === 'html') return 'md';
  if (!isText(bytes)) return null;
  if (declared !== undefined) return declared;
  const head = latin1(bytes, 0, SIGN_CHARS);
  if (looksLikeMail(head)) return 'eml';
  const delimiter = regularDelimiter(head);
  if (delimiter !== undefined) return delimiter === '\t' ? 'tsv' : 'csv';
  return /^#{1,6} \S|^```|\]\(https?:/m.test(head) ? 'md' : 'txt';
}

/** The line of a mailbox, or a field (RFC 5322, 2.2). */
const MAIL_START = /^(?:\xef\xbb\xbf)?\s*(?:From |[\w-]{1,76}:)/;

function isText(bytes: Uint8Array): boolean {
  const kind = sniffKind(bytes, null);
  return bytes.length > 0 && (kind === 'text' || kind === 'json');
}

const TYPES: ReadonlyMap<string, FileFormat> = new Map([
  ['text/csv', 'csv'],
  ['application/csv', 'csv'],
  ['text/tab-separated-values', 'tsv'],
  ['message/rfc822', 'eml'],
  ['text/markdown', 'md'],
  ['text/x-markdown', 'md'],
]);

/** Types that servers and browsers give to all kinds of text: the name counts beside them. */
const VAGUE_TYPE =
  /^(?:|text\/plain|(?:application|binary)\/octet-stream|application\/vnd\.ms-excel)$/;

const ENDINGS: readonly (readonly [RegExp, FileFormat])[] = [
  [/\.csv$/i, 'csv'],
  [/\.(?:tsv|tab)$/i, 'tsv'],
  [/\.eml$/i, 'eml'],
  [/\.(?:md|markdown)$/i, 'md'],
  [/\.(?:txt|text|log)$/i, 'txt'],
];

function declaredFormat({ contentType, name = '' }: FileHint): FileFormat | undefined {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!VAGUE_TYPE.test(type)) return TYPES.get(type);
  const end = name.slice(-MAX_ENDING_CHARS);
  return ENDINGS.find(([pattern]) => pattern.test(end))?.[1];
}

const MAX_ENDING_CHARS = 20;

const ZIP = 'PK\x03\x04';
const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

const isPdf = (bytes: Uint8Array): boolean => latin1(bytes, 0, PDF_HEADER_BYTES).includes('%PDF-');

/** The main parts of Office files (ECMA-376). */
const MAIN_PARTS: readonly (readonly [RegExp, FileFormat])[] = [
  [/^word\/document\d*\.xml$/, 'docx'],
  [/^xl\/workbook\d*\.xml$/, 'xlsx'],
  [/^ppt\/presentation\d*\.xml$/, 'pptx'],
];

/** By the entry `mimetype` (OpenDocument 1.3 part 2, 3.3; EPUB 3.3, 4.2.2); templates are documents. */
const MIME_TYPES: readonly (readonly [RegExp, FileFormat])[] = [
  [/^application\/vnd\.oasis\.opendocument\.text(?:-template|-web|-master)?$/, 'odt'],
  [/^application\/vnd\.oasis\.opendocument\.spreadsheet(?:-template)?$/, 'ods'],
  [/^application\/vnd\.oasis\.opendocument\.presentation(?:-template)?$/, 'odp'],
  [/^application\/epub\+zip$/, 'epub'],
];

function zipFormat(bytes: Uint8Array): FileFormat | null {
  const names = (readZipDirectory(bytes) ?? []).map(({ name }) => name);
  if (names.includes('[Content_Types].xml')) {
    const main = MAIN_PARTS.find(([pattern]) => names.some((name) => pattern.test(name)));
    if (main !== undefined) return main[1];
  }
  const type = mimeTypeOf(bytes);
  const known = MIME_TYPES.find(([pattern]) => pattern.test(type))?.[1];
  return known ?? (names.includes('META-INF/container.xml') ? 'epub' : null);
}

const MAX_TYPE_BYTES = 200;

function mimeTypeOf(bytes: Uint8Array): string {
  const entry = readZipDirectory(bytes)?.find(({ name }) => name === 'mimetype');
  const packed = entry && packedBytesOf(bytes, entry);
  if (!packed || packed.length > MAX_TYPE_BYTES) return '';
  const plain =
    entry.method === 0 ? packed : inflateAtMost(packed, { raw: true, maxBytes: MAX_TYPE_BYTES });
  return typeof plain === 'string' ? '' : latin1(plain, 0, MAX_TYPE_BYTES).trim();
}

const startsWith = (bytes: Uint8Array, signature: string): boolean =>
  latin1(bytes, 0, signature.length) === signature;

const latin1 = (bytes: Uint8Array, from: number, length: number): string =>
  Buffer.from(
    bytes.buffer,
    bytes.byteOffset + from,
    Math.min(length, bytes.length - from),
  ).toString('latin1');

/** What a file that cannot be read is, and what to send instead, in words for its sender. */
export interface OtherFile {
  readonly name: string;
  /** An Office document behind a password. */
  readonly isEncrypted?: boolean;
}

/** Names a file that is no document, as far as its bytes show. */
export function nameOtherFile(bytes: Uint8Array): OtherFile {
  if (bytes.length === 0) return { name: 'an empty file' };
  if (startsWith(bytes, OLE)) return oleFile(bytes);
  if (startsWith(bytes, ZIP)) return zipFile(bytes);
  const head = latin1(bytes, 0, 1_024);
  const known = SIGNATURES.find(([pattern]) => pattern.test(head));
  return { name: known?.[1] ?? 'a file of another kind' };
}

const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF.{4}WEBP|^II\*\0|^MM\0\*/s, 'an image'],
  [/^%!PS/, 'a PostScript file. Send it as PDF'],
  [/^AT&TFORM/, 'a DjVu document. Send it as PDF'],
  [/^PK\x05\x06/, 'an empty ZIP archive'],
  [/^(?:\x1f\x8b|BZh|\xfd7zXZ|7z\xbc\xaf|Rar!)/, 'a compressed archive. Send the files in it'],
  [
    /^\s*(?:<!--|<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])/i,
    'an HTML page. Scrape its URL, or send its source to /v1/extract',
  ],
  [/^\s*<\?xml/, 'an XML file'],
];

/** Bytes of an OLE file searched for the names of its streams. */
const OLE_BYTES = 4_000_000;

/** The old Office formats, and new ones behind a password, are one container. */
function oleFile(bytes: Uint8Array): OtherFile {
  const text = latin1(bytes, 0, OLE_BYTES);
  const has = (name: string): boolean => text.includes([...name].join('\0'));
  if (has('EncryptedPackage')) return { name: 'an encrypted Office document', isEncrypted: true };
  const known = OLE_KINDS.find(([stream]) => has(stream));
  return { name: known?.[1] ?? 'a legacy Office document. Send it as DOCX, XLSX, PPTX or PDF' };
}

const OLE_KINDS: readonly (readonly [string, string])[] = [
  ['WordDocument', 'a legacy Word document (.doc). Send it as DOCX or PDF'],
  ['Workbook', 'a legacy Excel workbook (.xls). Send it as XLSX, ODS or CSV'],
  ['PowerPoint Document', 'a legacy PowerPoint presentation (.ppt). Send it as PPTX or PDF'],
  ['__properties_version1.0', 'an Outlook message (.msg). Send it as EML'],
];

function zipFile(bytes: Uint8Array): OtherFile {
  const names = (readZipDirectory(bytes) ?? []).map(({ name }) => name);
  if (names.includes('xl/workbook.bin'))
    return { name: 'a binary Excel workbook (.xlsb). Send it as XLSX' };
  if (mimeTypeOf(bytes).includes('opendocument'))
    return { name: 'an OpenDocument file of another kind. Send it as PDF' };
  return { name: 'a ZIP archive. Send the files in it' };
}
