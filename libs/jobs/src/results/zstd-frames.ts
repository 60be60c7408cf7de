import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';

const decompress = promisify(zstdDecompress);

const FRAME_MAGIC = 0xfd2fb528;
/** RFC 8878, 3.1.2: the last four bits are free. */
const SKIPPABLE_MAGIC = 0x184d2a50;
const BLOCK_HEADER_BYTES = 3;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;
const CHECKSUM_BYTES = 4;
const MAX_RAW_TEXT_BYTES = 255;

/** One frame is one document; a page that makes a larger one is not kept. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;

/** The bytes are not the zstd frames they should be. */
export class ZstdFrameError extends Error {
  override readonly name = 'ZstdFrameError';
}

/**
 * A few bytes of text as a frame of their own, stored raw (RFC 8878, 3.1.1): the glue between frames
 * that are copied as they lie. A decoder needs a window of that many bytes only.
 */
export function rawFrame(text: string): Buffer {
  const content = Buffer.from(text);
  if (content.length > MAX_RAW_TEXT_BYTES) throw new RangeError('Too long for a raw frame');
  const head = Buffer.alloc(9);
  head.writeUInt32LE(FRAME_MAGIC, 0);
  head[4] = 0x20; // single segment, size in one byte, no checksum
  head[5] = content.length;
  head.writeUIntLE((content.length << 3) | 1, 6, BLOCK_HEADER_BYTES); // last block, raw
  return Buffer.concat([head, content]);
}

/**
 * Cuts a stream into its zstd frames. zlib's streaming decoder ends after the first frame and does
 * not report further data, so files of many frames are inflated frame by frame.
 * @throws ZstdFrameError for anything but complete frames
 */
export async function* zstdFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let wantedBytes = 1;
  for await (const chunk of source) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    // Joined only when that can bring a frame further: a large frame is not copied once per chunk.
    if (held.length + waitingBytes < wantedBytes) continue;
    held = Buffer.concat([held, ...waiting]);
    waiting = [];
    waitingBytes = 0;
    let extent = frameExtent(held);
    while (extent.isWhole) {
      yield held.subarray(0, extent.bytes);
      held = held.subarray(extent.bytes);
      extent = frameExtent(held);
    }
    wantedBytes = extent.bytes;
    if (wantedBytes > MAX_FRAME_BYTES) throw new ZstdFrameError('A frame is too large');
  }
  if (held.length + waitingBytes > 0) throw new ZstdFrameError('The last frame is cut off');
}

/** The content of frames, one after another, each inflated in one piece. */
export async function* inflatedFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const frame of zstdFrames(source))
    yield await decompress(frame, { maxOutputLength: MAX_DOCUMENT_BYTES });
}

/** With `isWhole` the length of the frame, else the number of bytes needed to continue. */
interface Extent {
  readonly isWhole: boolean;
  readonly bytes: number;
}

/** Of the frame at the start of the bytes, by its headers alone (RFC 8878, 3.1.1). */
function frameExtent(bytes: Buffer): Extent {
  if (bytes.length < 8) return { isWhole: false, bytes: 8 };
  const magic = bytes.readUInt32LE(0);
  if ((magic & 0xfffffff0) === SKIPPABLE_MAGIC) return extent(bytes, 8 + bytes.readUInt32LE(4));
  if (magic !== FRAME_MAGIC) throw new ZstdFrameError('No frame where one should begin');
  const descriptor = bytes.readUInt8(4);
  let at = 5 + headerBytes(descriptor);
  for (let isLast = false; !isLast;) {
    if (bytes.length < at + BLOCK_HEADER_BYTES)
      return { isWhole: false, bytes: at + BLOCK_HEADER_BYTES };
    const header = bytes.readUIntLE(at, BLOCK_HEADER_BYTES);
    const type = (header >> 1) & 3;
    if (type === RESERVED_BLOCK) throw new ZstdFrameError('A block of a reserved type');
    isLast = (header & 1) === 1;
    at += BLOCK_HEADER_BYTES + (type === RLE_BLOCK ? 1 : header >> 3);
  }
  return extent(bytes, at + ((descriptor & 4) === 0 ? 0 : CHECKSUM_BYTES));
}

function extent(bytes: Buffer, length: number): Extent {
  return { isWhole: bytes.length >= length, bytes: length };
}

const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;

/** Window, dictionary and content size, as the descriptor announces them (RFC 8878, 3.1.1.1). */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = (descriptor >> 6) & 3;
  const contentSize = sizeFlag === 0 && isSingleSegment ? 1 : (CONTENT_SIZE_BYTES[sizeFlag] ?? 0);
  return (isSingleSegment ? 0 : 1) + (DICTIONARY_BYTES[descriptor & 3] ?? 0) + contentSize;
}
