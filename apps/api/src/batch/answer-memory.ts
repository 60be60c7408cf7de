/**
 * Bounds the memory of finished responses until the client has read them: they wait behind a slow page,
 * or for a slow client. A response counts once it exists, so work in progress when the bound is reached
 * comes on top.
 */
export class AnswerMemory {
  private heldBytes = 0;

  constructor(
    private readonly bounds: {
      /** Of all batches of this process. */
      readonly maxBytes: number;
      readonly maxBytesPerBatch: number;
    },
  ) {}

  get held(): number {
    return this.heldBytes;
  }

  /** The share of one batch; the batch closes it. */
  share(): MemoryShare {
    let own = 0;
    let isClosed = false;
    const count = (bytes: number): void => {
      if (isClosed) return;
      own += bytes;
      this.heldBytes += bytes;
    };
    return {
      hasRoom: () => own < this.bounds.maxBytesPerBatch && this.heldBytes < this.bounds.maxBytes,
      hold: count,
      release: (bytes) => count(-bytes),
      close: () => {
        count(-own);
        isClosed = true;
      },
    };
  }
}

export interface MemoryShare {
  hasRoom(): boolean;
  hold(bytes: number): void;
  release(bytes: number): void;
  /** Releases the remaining bytes; later additions are not counted. */
  close(): void;
}
