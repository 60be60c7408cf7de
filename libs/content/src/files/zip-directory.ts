import { MAX_ZIP_ENTRIES } from '../limits.js';

/** One entry as the archive's directory describes it; the archive may lie. */
export interface ZipEntry {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Of its local header. */
  readonly offset: number;
}

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;

/** End record and the longest comment behind it. */
const MAX_END_BYTES = 22 + 65_535;

/** Entries of a ZIP archive by its central directory; null when there is none or it is damaged. */
export function readZipDirectory(bytes: Uint8Array): readonly ZipEntry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === undefined) return null;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > MAX_ZIP_ENTRIES) return null;
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY_SIGNATURE) return null;
    const nameBytes = view.getUint16(at + 28, true);
    const next =
      at + 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > view.byteLength) return null;
    entries.push({
      name: Buffer.from(bytes.buffer, bytes.byteOffset + at + 46, nameBytes).toString('utf8'),
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      ...placeOf(view, at, at + 46 + nameBytes),
    });
    at = next;
  }
  return entries;
}

/** Stands for a number that is in the field of ZIP64 instead. */
const IN_ZIP64 = 0xffffffff;
const ZIP64_FIELD = 1;

/**
 * Sizes and place of an entry. Programs that write while they go (Java's POI among them) use the larger fields of ZIP64
 * (APPNOTE 4.5.3) for small files, too.
 * @param extra of the entry's further fields
 */
function placeOf(
  view: DataView,
  entry: number,
  extra: number,
): Pick<ZipEntry, 'bytes' | 'packedBytes' | 'offset'> {
  const end = extra + view.getUint16(entry + 30, true);
  let at = extra;
  while (at + 4 <= end && view.getUint16(at, true) !== ZIP64_FIELD)
    at += 4 + view.getUint16(at + 2, true);
  at += 4;
  const read = (place: number): number => {
    const short = view.getUint32(entry + place, true);
    if (short !== IN_ZIP64 || at + 8 > end) return short;
    at += 8;
    return Number(view.getBigUint64(at - 8, true));
  };
  // In the order of the field.
  const [bytes, packedBytes, offset] = [read(24), read(20), read(42)];
  return { bytes, packedBytes, offset };
}

function findEnd(view: DataView): number | undefined {
  const first = Math.max(0, view.byteLength - MAX_END_BYTES);
  for (let at = view.byteLength - 22; at >= first; at--) {
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  }
  return undefined;
}

/** Packed bytes of an entry; null when its local header is not where the directory says. */
export function packedBytesOf(bytes: Uint8Array, entry: ZipEntry): Uint8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.offset + 30 > bytes.length) return null;
  if (view.getUint32(entry.offset, true) !== LOCAL_SIGNATURE) return null;
  const skipped = view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const start = entry.offset + 30 + skipped;
  const end = start + entry.packedBytes;
  return end > bytes.length ? null : bytes.subarray(start, end);
}
