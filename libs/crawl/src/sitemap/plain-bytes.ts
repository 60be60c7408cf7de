import { ByteSource, type Bytes } from './byte-source.js';
import type { EntryList } from './entry-list.js';
import { inflateMember, isGzip, skipHeader } from './gzip-member.js';
import { MAX_GZIP_LAYERS, MAX_SITEMAP_BYTES } from './sitemap-file.js';

/** Bytes that identify gzip. */
const MAGIC_BYTES = 2;
const PIECE_BYTES = 65_536;
/** After the data of a member: its checksum and size, which no reader here needs. */
const TRAILER_BYTES = 8;
/** Members of one file: blocked gzip has one for each 64 KB. Each costs some time, be it empty. */
export const MAX_MEMBERS = 1_000;

/**
 * The bytes of a file without gzip, which is detected from its first bytes, never by a name or a
 * header. The number of layers and the size of each are bounded.
 */
export async function* plainBytes(
  bytes: Bytes,
  entries: EntryList,
  layersLeft = MAX_GZIP_LAYERS,
): AsyncGenerator<Uint8Array> {
  const source = new ByteSource(bytes);
  try {
    const head = await source.read(MAGIC_BYTES);
    source.unread(head);
    if (!isGzip(head)) yield* piecesOf(source);
    else if (layersLeft === 0) entries.stop('nested_gzip');
    else yield* plainBytes(bounded(inflated(source, entries), entries), entries, layersLeft - 1);
  } finally {
    await source.close();
  }
}

async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = await source.read(PIECE_BYTES);
    if (piece.length === 0) return;
    yield piece;
  }
}

/**
 * Members that follow one another are one file (RFC 1952 2.2); what follows and is none is left.
 */
async function* inflated(source: ByteSource, entries: EntryList): AsyncGenerator<Uint8Array> {
  for (let member = 0; member < MAX_MEMBERS; member++) {
    if (!(await skipHeader(source))) {
      if (member === 0) entries.cut('incomplete');
      return;
    }
    if ((yield* inflateMember(source)) === 'broken') return entries.cut('incomplete');
    await source.read(TRAILER_BYTES);
  }
  if ((await source.readSome(1)).length > 0) entries.cut('incomplete');
}

async function* bounded(
  bytes: AsyncIterable<Uint8Array>,
  entries: EntryList,
): AsyncGenerator<Uint8Array> {
  let left = MAX_SITEMAP_BYTES;
  for await (const piece of bytes) {
    yield piece.subarray(0, left);
    if (piece.length > left) return entries.stop('bytes');
    left -= piece.length;
  }
}
