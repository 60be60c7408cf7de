import { Inflate, Z_SYNC_FLUSH, type ZStream } from 'pako';
import type { ByteSource } from './byte-source.js';

/** Parts of a member's header (RFC 1952 2.3.1), as bits of its flags. */
const HAS_CHECKSUM = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
const FIXED_BYTES = 10;
const DEFLATE = 8;
const TEXT_BLOCK_BYTES = 256;
/** Longest name or comment that is skipped. */
const MAX_TEXT_BYTES = 65_536;

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Skips a member's header. Returns false where none is, or not all of it. */
export async function skipHeader(source: ByteSource): Promise<boolean> {
  const fixed = await source.read(FIXED_BYTES);
  if (fixed.length < FIXED_BYTES || !isGzip(fixed) || fixed[2] !== DEFLATE) return false;
  const flags = fixed[3] ?? 0;
  if ((flags & HAS_EXTRA) !== 0) {
    const [low = 0, high = 0] = await source.read(2);
    await source.read(high * 256 + low);
  }
  if ((flags & HAS_NAME) !== 0 && !(await skipText(source))) return false;
  if ((flags & HAS_COMMENT) !== 0 && !(await skipText(source))) return false;
  if ((flags & HAS_CHECKSUM) !== 0) await source.read(2);
  return true;
}

async function skipText(source: ByteSource): Promise<boolean> {
  for (let skipped = 0; skipped < MAX_TEXT_BYTES; skipped += TEXT_BLOCK_BYTES) {
    const block = await source.read(TEXT_BLOCK_BYTES);
    const end = block.indexOf(0);
    if (end >= 0) {
      source.unread(block.subarray(end + 1));
      return true;
    }
    if (block.length < TEXT_BLOCK_BYTES) return false;
  }
  return false;
}

/** Input is inflated in blocks of so many bytes: smaller ones where they turn out to swell. */
const MIN_BLOCK_BYTES = 512;
const MAX_BLOCK_BYTES = 8_192;
/** What one block should come to. */
const WANTED_OUT_BYTES = 262_144;
/** Set aside for each member, however little is in it. */
const PIECE_BYTES = 16_384;

export type MemberEnd = 'sound' | 'broken';

/**
 * Inflates one member, block by block: nothing is inflated ahead of who takes it. The blocks do not
 * depend on how the bytes came, and so neither does what is left of a damaged one.
 */
export async function* inflateMember(source: ByteSource): AsyncGenerator<Uint8Array, MemberEnd> {
  const inflater = new BlockInflater();
  let blockBytes = MIN_BLOCK_BYTES;
  for (;;) {
    const block = await source.read(blockBytes);
    if (block.length === 0) return 'broken';
    const { pieces, state, usedBytes } = inflater.inflate(block);
    yield* pieces;
    if (state === 'ended') source.unread(block.subarray(usedBytes));
    if (state !== 'open') return state === 'ended' ? 'sound' : 'broken';
    blockBytes = nextBlockBytes(blockBytes, pieces);
  }
}

function nextBlockBytes(blockBytes: number, pieces: readonly Uint8Array[]): number {
  const outBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  if (outBytes > WANTED_OUT_BYTES) return MIN_BLOCK_BYTES;
  return outBytes * 2 > WANTED_OUT_BYTES ? blockBytes : Math.min(MAX_BLOCK_BYTES, blockBytes * 2);
}

interface InflatedBlock {
  readonly pieces: readonly Uint8Array[];
  /** `ended`: the compressed data ended within the block, after `usedBytes` of it. */
  readonly state: 'open' | 'ended' | 'broken';
  readonly usedBytes: number;
}

/**
 * Inflate as a function of blocks, in JavaScript: sitemaps are read in threads that may be ended, where `node:zlib`
 * could abort the process (see `inflateAtMost` of content).
 */
class BlockInflater {
  private readonly inflater = new Inflate({ raw: true, chunkSize: PIECE_BYTES });
  private pieces: Uint8Array[] = [];
  private stream: ZStream | null = null;

  constructor() {
    this.inflater.onStart = (stream) => void (this.stream = stream);
    this.inflater.onData = (piece) => void this.pieces.push(piece);
    this.inflater.onEnd = () => undefined;
  }

  inflate(block: Uint8Array): InflatedBlock {
    this.pieces = [];
    const isSound = this.inflater.push(block, Z_SYNC_FLUSH);
    const { pieces, stream } = this;
    const usedBytes = block.length - (stream?.avail_in ?? 0);
    if (!isSound && stream !== null) pieces.push(stream.output.subarray(0, stream.next_out));
    const ended = isSound ? 'ended' : 'broken';
    return { pieces, state: this.inflater.ended ? ended : 'open', usedBytes };
  }
}
