const FIRST_CAPACITY_BYTES = 16_384;
/** A Content-Length is only a claim, so no more than this is set aside on its word. */
const MAX_TRUSTED_HINT_BYTES = 1_048_576;

/**
 * Collects a body up to a cap. It copies at once, so a server that sends single bytes
 * pins no socket buffers, and the result owns its memory.
 */
export class BodySink {
  private bytes: Uint8Array<ArrayBuffer> | null = null;
  private length = 0;

  constructor(
    private readonly maxBytes: number,
    /** Expected size, e.g. Content-Length; 0 when unknown. */
    private readonly hintBytes = 0,
  ) {}

  get byteLength(): number {
    return this.length;
  }

  /** Keeps what fits. Returns false when some of the chunk did not: the cap is passed. */
  push(chunk: Uint8Array): boolean {
    const room = this.maxBytes - this.length;
    const fits = chunk.byteLength <= room;
    const kept = fits ? chunk : chunk.subarray(0, room);
    if (kept.byteLength > 0) {
      this.reserve(this.length + kept.byteLength).set(kept, this.length);
      this.length += kept.byteLength;
    }
    return fits;
  }

  /** The body, alone in an ArrayBuffer of its size. The sink is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const { bytes, length } = this;
    this.bytes = null;
    this.length = 0;
    if (bytes === null) return new Uint8Array(0);
    return bytes.byteLength === length ? bytes : new Uint8Array(bytes.buffer.transfer(length));
  }

  private reserve(neededBytes: number): Uint8Array<ArrayBuffer> {
    if (this.bytes === null) {
      const hint = Math.min(this.hintBytes, MAX_TRUSTED_HINT_BYTES) || FIRST_CAPACITY_BYTES;
      this.bytes = allocate(Math.min(this.maxBytes, Math.max(hint, neededBytes)));
    } else if (this.bytes.byteLength < neededBytes) {
      const capacity = Math.min(this.maxBytes, Math.max(neededBytes, this.bytes.byteLength * 2));
      const grown = allocate(capacity);
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    return this.bytes;
  }
}

/** Unpooled and not zeroed: every byte below `length` is written before it is read. */
function allocate(bytes: number): Uint8Array<ArrayBuffer> {
  const buffer = Buffer.allocUnsafeSlow(bytes);
  return new Uint8Array(buffer.buffer, 0, bytes);
}
