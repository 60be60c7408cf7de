import type { ParsedFile } from '@app/contracts';
import { zipNames } from './zip-directory.js';

/** Bytes before a PDF's header that readers forgive. */
const PDF_HEADER_BYTES = 1_024;

/**
 * Whether bytes are a document that can be read, by what they hold, never by a name or a header.
 * Null: they are neither PDF nor DOCX.
 */
export function sniffFile(bytes: Uint8Array): ParsedFile['format'] | null {
  if (isPdf(bytes)) return 'pdf';
  if (!startsWith(bytes, ZIP)) return null;
  return isWordArchive(zipNames(bytes)) ? 'docx' : null;
}

const ZIP = 'PK\x03\x04';
const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

const isPdf = (bytes: Uint8Array): boolean => latin1(bytes, 0, PDF_HEADER_BYTES).includes('%PDF-');

const isWordArchive = (names: readonly string[]): boolean =>
  names.includes('[Content_Types].xml') &&
  names.some((name) => /^word\/document\d*\.xml$/.test(name));

const startsWith = (bytes: Uint8Array, signature: string): boolean =>
  latin1(bytes, 0, signature.length) === signature;

const latin1 = (bytes: Uint8Array, from: number, length: number): string =>
  Buffer.from(
    bytes.buffer,
    bytes.byteOffset + from,
    Math.min(length, bytes.length - from),
  ).toString('latin1');

/** What a file that cannot be read is, in words for its sender. */
export interface OtherFile {
  readonly name: string;
  /** An Office document behind a password. */
  readonly isEncrypted?: boolean;
}

/** Names a file that {@link sniffFile} does not take, as far as its bytes show. */
export function nameOtherFile(bytes: Uint8Array): OtherFile {
  if (bytes.length === 0) return { name: 'an empty file' };
  if (startsWith(bytes, OLE)) return oleFile(bytes);
  if (startsWith(bytes, ZIP)) return zipFile(bytes);
  const head = latin1(bytes, 0, 1_024);
  const known = SIGNATURES.find(([pattern]) => pattern.test(head));
  return { name: known?.[1] ?? 'a file of another kind' };
}

const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\{\\rtf/, 'an RTF document'],
  [/^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF.{4}WEBP|^II\*\0|^MM\0\*/s, 'an image'],
  [/^%!PS/, 'a PostScript file'],
  [/^AT&TFORM/, 'a DjVu document'],
  [/^PK\x05\x06/, 'an empty ZIP archive'],
  [/^(?:\x1f\x8b|BZh|\xfd7zXZ|7z\xbc\xaf|Rar!)/, 'a compressed archive'],
  [/^\s*(?:<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])/i, 'an HTML page'],
  [/^\s*<\?xml/, 'an XML file'],
  [/^[\t\n\f\r -~\x80-\xff]*$/, 'a text file'],
];

/** Bytes of an OLE file searched for the names of its streams. */
const OLE_BYTES = 4_000_000;

/** The old Office formats, and new ones behind a password, are one container. */
function oleFile(bytes: Uint8Array): OtherFile {
  const text = latin1(bytes, 0, OLE_BYTES);
  const has = (name: string): boolean => text.includes([...name].join('\0'));
  if (has('EncryptedPackage')) return { name: 'an encrypted Office document', isEncrypted: true };
  if (has('WordDocument')) return { name: 'a legacy Word document (.doc)' };
  if (has('Workbook')) return { name: 'a legacy Excel workbook (.xls)' };
  if (has('PowerPoint Document')) return { name: 'a legacy PowerPoint presentation (.ppt)' };
  return { name: 'a legacy Office document' };
}

function zipFile(bytes: Uint8Array): OtherFile {
  const names = zipNames(bytes);
  const type = /^PK.{28}mimetype([\w.+/-]{0,100})/s.exec(latin1(bytes, 0, 200))?.[1] ?? '';
  if (type.includes('opendocument.text')) return { name: 'an OpenDocument text (.odt)' };
  if (type.includes('opendocument')) return { name: 'an OpenDocument file' };
  if (type.includes('epub')) return { name: 'an EPUB book' };
  if (names.some((name) => name.startsWith('xl/'))) return { name: 'an Excel workbook (.xlsx)' };
  if (names.some((name) => name.startsWith('ppt/'))) {
    return { name: 'a PowerPoint presentation (.pptx)' };
  }
  return { name: 'a ZIP archive' };
}
