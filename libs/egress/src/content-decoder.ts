import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** The codings offered; each is decoded below. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/**
 * A second layer comes from a misconfigured proxy in front of a server; a third one only from a
 * bomb.
 */
export const MAX_CODINGS = 2;

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
};

/**
 * The layers of a Content-Encoding in the order they were applied. Unknown words and empty list
 * elements count as identity, as browsers read them (`utf-8`, `none`). Null: more than
 * {@link MAX_CODINGS} layers.
 */
export function parseCodings(header: string | string[] | undefined): readonly Coding[] | null {
  if (header === undefined) return [];
  const codings: Coding[] = [];
  for (const word of String(header).split(',')) {
    const coding = CODINGS[word.trim().toLowerCase()];
    if (coding !== undefined) codings.push(coding);
  }
  return codings.length > MAX_CODINGS ? null : codings;
}

/**
 * Up to here a compressed body is decoded in one call, which costs about half of a stream's CPU.
 */
const ONE_SHOT_IN_BYTES = 65_536;
/** One-shot output bound: keeps the event loop's pause at a few milliseconds. */
const ONE_SHOT_OUT_BYTES = 2_097_152;
const CHUNK_BYTES = 65_536;
/** Bytes that distinguish zlib-wrapped deflate from raw deflate. */
const SNIFF_BYTES = 2;
/** RFC 9659: a zstd window of 8 MB at most, as browsers have it. zlib's own bound is 128 MB. */
const ZSTD_WINDOW_LOG_MAX = 23;
/** RFC 7932 windows, 16 MB at most; "large window" brotli is no HTTP content coding. */
const BROTLI_LARGE_WINDOW = false;
/** A layer that does not shrink its content grows it by less than this part of it. */
const FRAMING_SHARE = 1 / 64;
/** On top of {@link FRAMING_SHARE}: the most under way between two stages. */
const UNDER_WAY_BYTES = 1_048_576;

/** A layer between the body and the wire holds more bytes than a body of the cap can need. */
export class LayerTooLargeError extends Error {}

const ZSTD = { params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } };
const BROTLI = {
  params: { [zlib.constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: BROTLI_LARGE_WINDOW },
};

export interface DecoderEvents {
  /** Decoded bytes. Returning false means enough: nothing more will be decoded. */
  readonly onData: (chunk: Uint8Array) => boolean;
  /**
   * Called once: null at a clean end, else why decoding stopped. Not called after onData said
   * enough.
   */
  readonly onEnd: (error: Error | null) => void;
  /** The decoder can take more after {@link ContentDecoder.write} said false. */
  readonly onDrain: () => void;
}

/**
 * Undoes Content-Encoding as the bytes pass: bounded memory whatever the ratio. Bytes are counted
 * at every layer, on the wire too: members, frames and blocks that hold nothing end it as well.
 */
export class ContentDecoder {
  private readonly maxLayerBytes: number;
  private wireBytes = 0;
  private held: Uint8Array[] = [];
  private heldBytes = 0;
  private stages: Transform[] | null = null;
  private isDone = false;

  constructor(
    private readonly codings: readonly Coding[],
    /** Cap of the decoded body, which the receiver of `onData` enforces. */
    maxBytes: number,
    private readonly events: DecoderEvents,
  ) {
    this.maxLayerBytes = Math.ceil(maxBytes * (1 + FRAMING_SHARE)) + UNDER_WAY_BYTES;
  }

  /** Returns false when the caller should wait for onDrain. */
  write(chunk: Uint8Array): boolean {
    if (this.isDone) return true;
    this.wireBytes += chunk.byteLength;
    if (this.wireBytes > this.maxLayerBytes) this.finish(new LayerTooLargeError());
    if (this.isDone) return true;
    if (this.stages !== null) return this.stages[0]?.write(chunk) ?? true;
    this.held.push(chunk);
    this.heldBytes += chunk.byteLength;
    const holdBytes = this.codings.length === 1 ? ONE_SHOT_IN_BYTES : SNIFF_BYTES;
    return this.heldBytes <= holdBytes || this.startStages();
  }

  /** No more input. */
  end(): void {
    if (this.isDone) return;
    if (this.stages === null) {
      if (this.heldBytes === 0) return this.finish(null);
      if (this.decodeOneShot()) return;
      this.startStages();
    }
    this.stages?.[0]?.end();
  }

  /** Decodes what is held of an unfinished body, for a caller that cannot wait for more. */
  salvage(): void {
    const [coding] = this.codings;
    if (this.isDone || coding === undefined || this.codings.length > 1 || this.heldBytes === 0)
      return;
    if (this.stages !== null) return;
    const decoded = decodeOrNull(coding, Buffer.concat(this.held, this.heldBytes), true);
    this.destroy();
    if (decoded !== null) this.events.onData(decoded);
  }

  /** Stops and frees the native state. */
  destroy(): void {
    this.isDone = true;
    this.held = [];
    for (const stage of this.stages ?? []) stage.destroy();
  }

  private decodeOneShot(): boolean {
    const [coding] = this.codings;
    if (coding === undefined || this.codings.length > 1) return false;
    const decoded = decodeOrNull(coding, Buffer.concat(this.held, this.heldBytes), false);
    // Too large for one call, cut short or garbled: the streaming way salvages what there is.
    if (decoded === null) return false;
    this.held = [];
    if (this.events.onData(decoded)) this.finish(null);
    else this.destroy();
    return true;
  }

  private startStages(): boolean {
    const input = Buffer.concat(this.held, this.heldBytes);
    this.held = [];
    const stages = this.codings
      .toReversed()
      .map((coding, index) => createStage(coding, index === 0 ? input : null));
    this.stages = stages;
    for (const [index, stage] of stages.entries()) {
      stage.on('error', (error) => this.finish(error));
      const next = stages[index + 1];
      if (next === undefined) continue;
      this.countLayer(stage);
      stage.pipe(next);
    }
    stages[0]?.on('drain', this.events.onDrain);
    stages.at(-1)?.on('data', (chunk: Uint8Array) => this.emit(chunk));
    stages.at(-1)?.on('end', () => this.finish(null));
    return stages[0]?.write(input) ?? true;
  }

  private countLayer(stage: Transform): void {
    let bytes = 0;
    stage.on('data', (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      if (bytes > this.maxLayerBytes) this.finish(new LayerTooLargeError());
    });
  }

  private emit(chunk: Uint8Array): void {
    if (!this.isDone && !this.events.onData(chunk)) this.destroy();
  }

  private finish(error: Error | null): void {
    if (this.isDone) return;
    this.destroy();
    this.events.onEnd(error);
  }
}

/**
 * One call; null when the input is broken, the output too large, or the end missing (unless
 * `isPrefix`).
 */
function decodeOrNull(coding: Coding, input: Buffer, isPrefix: boolean): Uint8Array | null {
  try {
    return decodeWhole(coding, input, isPrefix);
  } catch {
    // zlib has no other way to say so.
    return null;
  }
}

function decodeWhole(coding: Coding, input: Buffer, isPrefix: boolean): Uint8Array {
  const { constants } = zlib;
  const options = { maxOutputLength: ONE_SHOT_OUT_BYTES, chunkSize: CHUNK_BYTES };
  const deflate = isPrefix ? { ...options, finishFlush: constants.Z_SYNC_FLUSH } : options;
  switch (coding) {
    case 'gzip':
      return zlib.gunzipSync(input, deflate);
    case 'deflate':
      return isZlibWrapped(input)
        ? zlib.inflateSync(input, deflate)
        : zlib.inflateRawSync(input, deflate);
    case 'br': {
      const finishFlush = isPrefix ? constants.BROTLI_OPERATION_FLUSH : undefined;
      return zlib.brotliDecompressSync(input, { ...options, ...BROTLI, finishFlush });
    }
    case 'zstd': {
      const finishFlush = isPrefix ? constants.ZSTD_e_flush : undefined;
      return zlib.zstdDecompressSync(input, { ...options, ...ZSTD, finishFlush });
    }
  }
}

/**
 * @param firstBytes start of the input, where known; an inner deflate layer is taken as
 * zlib-wrapped.
 */
function createStage(coding: Coding, firstBytes: Buffer | null): Transform {
  const options = { chunkSize: CHUNK_BYTES };
  switch (coding) {
    case 'gzip':
      return zlib.createGunzip(options);
    case 'deflate':
      return firstBytes === null || isZlibWrapped(firstBytes)
        ? zlib.createInflate(options)
        : zlib.createInflateRaw(options);
    case 'br':
      return zlib.createBrotliDecompress({ ...options, ...BROTLI });
    case 'zstd':
      return zlib.createZstdDecompress({ ...options, ...ZSTD });
  }
}

/** RFC 1950 2.2: method 8, and the first two bytes are a multiple of 31. */
function isZlibWrapped(input: Buffer): boolean {
  const first = input[0] ?? 0;
  const second = input[1] ?? 0;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
