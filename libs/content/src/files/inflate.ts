import { Inflate } from 'pako';

export interface InflateOptions {
  /** Without the header and checksum of zlib: RFC 1951 instead of RFC 1950. @default false */
  readonly raw?: boolean;
  readonly maxBytes: number;
  /** What is beyond the limit is left out, in place of `too_large`. @default false */
  readonly cuts?: boolean;
}

const PIECE_BYTES = 65_536;

class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/**
 * Unpacks in JavaScript, at half the speed of `node:zlib`. That must not be used in a thread that may be ended, by
 * its time limit or its heap limit: Node 24 aborts the process, with all its threads, when it cleans up a thread
 * that was ended between the creation of a zlib handle and its initialization ("close before init").
 */
export function inflateAtMost(
  packed: Uint8Array,
  { raw = false, maxBytes, cuts = false }: InflateOptions,
): Buffer | 'too_large' | 'damaged' {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const inflater = new Inflate({ raw, chunkSize: PIECE_BYTES });
  inflater.onData = (piece) => {
    const room = maxBytes - bytes;
    bytes += piece.length;
    if (piece.length > room) {
      if (cuts) pieces.push(piece.subarray(0, room));
      throw new TooLargeError();
    }
    pieces.push(piece);
  };
  inflater.onEnd = () => undefined;
  try {
    return inflater.push(packed, true) ? Buffer.concat(pieces, bytes) : 'damaged';
  } catch (error) {
    if (error instanceof TooLargeError) return cuts ? Buffer.concat(pieces) : 'too_large';
    throw error;
  }
}
