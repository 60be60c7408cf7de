import { failedFile, type FailedFile } from '../files/file-result.js';
import { inflateAtMost } from '../files/inflate.js';
import { packedBytesOf, readZipDirectory, type ZipEntry } from '../files/zip-directory.js';
import { MAX_DOCX_BYTES, MAX_DOCX_PART_BYTES, MAX_ZIP_RATIO } from '../limits.js';

/** XML parts of a DOCX by name; pictures, fonts and embedded files stay packed. */
export type DocxParts = ReadonlyMap<string, Uint8Array>;

export type UnpackResult = { readonly ok: true; readonly parts: DocxParts } | FailedFile;

/** Parts that say what the document's text is. */
const WANTED =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|word\/[\w./-]+\.(?:xml|rels))$/;

/** Bytes below which a part may inflate as far as it likes. */
const SMALL_PART_BYTES = 1_000_000;

/**
 * Unpacks what is needed of a DOCX under hard limits. The sizes in the archive are its author's
 * claims, so each part is inflated against a limit of its own.
 */
export function unpackDocx(bytes: Uint8Array): UnpackResult {
  const entries = readZipDirectory(bytes);
  if (entries === null)
    return failedFile('malformed', 'The DOCX is damaged: its archive is unreadable');
  const problem = entries.map(entryProblem).find((one) => one !== undefined);
  if (problem !== undefined) return problem;
  const parts = new Map<string, Uint8Array>();
  let total = 0;
  for (const entry of entries.filter(({ name }) => WANTED.test(name))) {
    const part = inflate(bytes, entry);
    if ('ok' in part) return part;
    total += part.data.length;
    if (total > MAX_DOCX_BYTES) return tooLarge();
    parts.set(entry.name, part.data);
  }
  return { ok: true, parts };
}

const tooLarge = (): FailedFile => failedFile('too_large', 'The DOCX is too large when unpacked');

function entryProblem({ name, isEncrypted, method }: ZipEntry): FailedFile | undefined {
  const isOutside = /^[/\\]|^[A-Za-z]:|\\|\0|(?:^|\/)\.\.(?:\/|$)/.test(name);
  if (isOutside)
    return failedFile('malformed', 'The DOCX is refused: a name leads out of the archive');
  if (isEncrypted) return failedFile('encrypted', 'The DOCX is encrypted');
  if (WANTED.test(name) && method !== 0 && method !== 8) {
    return failedFile('malformed', 'The DOCX is packed in a way that cannot be read');
  }
  return undefined;
}

function inflate(bytes: Uint8Array, entry: ZipEntry): { readonly data: Uint8Array } | FailedFile {
  const packed = packedBytesOf(bytes, entry);
  if (packed === null) return failedFile('malformed', 'The DOCX is damaged: a part is missing');
  if (entry.method === 0)
    return packed.length > MAX_DOCX_PART_BYTES ? tooLarge() : { data: packed };
  const data = inflateAtMost(packed, { raw: true, maxBytes: MAX_DOCX_PART_BYTES });
  if (data === 'damaged')
    return failedFile('malformed', 'The DOCX is damaged: a part is unreadable');
  const isBomb =
    data === 'too_large' ||
    (data.length > SMALL_PART_BYTES && data.length > packed.length * MAX_ZIP_RATIO);
  return isBomb ? tooLarge() : { data };
}

/** XML is UTF-8 unless its first bytes say UTF-16. */
export function decodeXml(data: Uint8Array): string {
  const isUtf16 = (data[0] === 0xff && data[1] === 0xfe) || (data[0] === 0x3c && data[1] === 0);
  if (isUtf16) return new TextDecoder('utf-16le').decode(data);
  const isBigEndian = (data[0] === 0xfe && data[1] === 0xff) || (data[0] === 0 && data[1] === 0x3c);
  return new TextDecoder(isBigEndian ? 'utf-16be' : 'utf-8').decode(data);
}
