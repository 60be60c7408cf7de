import { createInflateRaw, type InflateRaw } from 'node:zlib';
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
  try {
    for (;;) {
      const block = await source.read(blockBytes);
      if (block.length === 0) return await inflater.finish();
      const { pieces, state, usedBytes } = await inflater.inflate(block);
      yield* pieces;
      if (state === 'ended') source.unread(block.subarray(usedBytes));
      if (state !== 'open') return state === 'ended' ? 'sound' : 'broken';
      blockBytes = nextBlockBytes(blockBytes, pieces);
    }
  } finally {
    inflater.close();
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

/** zlib as a function of blocks. Its stream reports the end, or damage, by events. */
class BlockInflater {
  private readonly zlib: InflateRaw = createInflateRaw({ chunkSize: PIECE_BYTES });
  private pieces: Uint8Array[] = [];
  private state: InflatedBlock['state'] = 'open';
  private wake: () => void = () => undefined;

  constructor() {
    this.zlib.on('data', (piece: Uint8Array) => this.pieces.push(piece));
    this.zlib.on('end', () => this.become('ended'));
    this.zlib.on('error', () => this.become('broken'));
  }

  async inflate(block: Uint8Array): Promise<InflatedBlock> {
    const before = this.zlib.bytesWritten;
    await this.settled((done) => this.zlib.write(block, done));
    const { pieces, state } = this;
    this.pieces = [];
    return { pieces, state, usedBytes: this.zlib.bytesWritten - before };
  }

  /** There is no more input. */
  async finish(): Promise<MemberEnd> {
    await this.settled(() => this.zlib.end());
    return this.state === 'ended' ? 'sound' : 'broken';
  }

  close(): void {
    this.zlib.destroy();
  }

  private settled(start: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      start(resolve);
    });
  }

  private become(state: 'ended' | 'broken'): void {
    if (this.state === 'open') this.state = state;
    this.wake();
  }
}
