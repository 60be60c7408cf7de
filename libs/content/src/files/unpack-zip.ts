import { MAX_ZIP_BYTES, MAX_ZIP_PART_BYTES, MAX_ZIP_RATIO } from '../limits.js';
import { inflateAtMost } from './inflate.js';
import { UnreadableFile } from './unreadable-file.js';
import { packedBytesOf, readZipDirectory, type ZipEntry } from './zip-directory.js';

/** Parts of an archive by name; pictures, fonts and embedded files stay packed. */
export type ZipParts = ReadonlyMap<string, Uint8Array>;

/** Bytes below which a part may inflate as far as it likes. */
const SMALL_PART_BYTES = 1_000_000;

/** Names that a pattern or a rule of another kind tells. */
type NameTest = Pick<RegExp, 'test'>;

/** Parts of which the start alone is of use: what is beyond the limits is left out, and all of one without a start. */
export interface CuttableParts {
  readonly names: NameTest;
  /** Gets the names of those that were cut. */
  readonly cut: Set<string>;
}

/**
 * Unpacks the wanted parts of an archive under hard limits. The sizes in the archive are its author's claims, so each
 * part is inflated against a limit of its own.
 * @param wanted names of parts that say what the document's text is
 * @throws {UnreadableFile}
 */
export function unpackZip(bytes: Uint8Array, wanted: NameTest, cuttable?: CuttableParts): ZipParts {
  const entries = readZipDirectory(bytes);
  if (entries === null) throw damaged('its archive is unreadable');
  for (const entry of entries) checkEntry(entry, wanted.test(entry.name));
  const isCuttable = ({ name }: ZipEntry): boolean => cuttable?.names.test(name) === true;
  const parts = new Map<string, Uint8Array>();
  let total = 0;
  // What is needed whole comes first: workbooks have their texts after their sheets.
  const inOrder = entries
    .filter(({ name }) => wanted.test(name))
    .sort((a, b) => Number(isCuttable(a)) - Number(isCuttable(b)));
  for (const entry of inOrder) {
    const maxBytes = Math.min(MAX_ZIP_PART_BYTES, MAX_ZIP_BYTES - total);
    const data = inflate(bytes, entry, { maxBytes, cuts: isCuttable(entry) });
    if (isCuttable(entry) && data.length === maxBytes) {
      cuttable?.cut.add(entry.name);
      if (maxBytes < SMALL_PART_BYTES) continue;
    }
    total += data.length;
    parts.set(entry.name, data);
  }
  return parts;
}

/** Tells names of parts as the archive has them from names in another case; one that is not there stays as it is. */
export function caselessNames(parts: ZipParts): (name: string) => string {
  const byLower = new Map([...parts.keys()].map((name) => [name.toLowerCase(), name]));
  return (name) => (parts.has(name) ? name : (byLower.get(name.toLowerCase()) ?? name));
}

const tooLarge = (): UnreadableFile =>
  new UnreadableFile('too_large', 'is too large when unpacked');
const damaged = (how: string): UnreadableFile =>
  new UnreadableFile('malformed', `is damaged: ${how}`);

function checkEntry({ name, isEncrypted, method }: ZipEntry, isWanted: boolean): void {
  if (/^[/\\]|^[A-Za-z]:|\\|\0|(?:^|\/)\.\.(?:\/|$)/.test(name))
    throw new UnreadableFile('malformed', 'is refused: a name leads out of the archive');
  if (isEncrypted) throw new UnreadableFile('encrypted', 'is encrypted');
  if (isWanted && method !== 0 && method !== 8)
    throw new UnreadableFile('malformed', 'is packed in a way that cannot be read');
}

function inflate(
  bytes: Uint8Array,
  entry: ZipEntry,
  { maxBytes, cuts }: { readonly maxBytes: number; readonly cuts: boolean },
): Uint8Array {
  const packed = packedBytesOf(bytes, entry);
  if (packed === null) throw damaged('a part is missing');
  if (entry.method === 0) {
    if (packed.length > maxBytes && !cuts) throw tooLarge();
    return packed.subarray(0, maxBytes);
  }
  const data = inflateAtMost(packed, { raw: true, maxBytes, cuts });
  if (data === 'damaged') throw damaged('a part is unreadable');
  const isBomb =
    data === 'too_large' ||
    (data.length > SMALL_PART_BYTES && data.length > packed.length * MAX_ZIP_RATIO);
  if (isBomb) throw tooLarge();
  return data;
}
