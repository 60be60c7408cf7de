/**
 * Bounds what finished answers hold in memory until a client has taken them: behind a slow page, or
 * because the client reads slowly. An answer is counted once it is there, so what is under way when a
 * bound is reached comes on top.
 */
export class AnswerMemory {
  private heldBytes = 0;

  constructor(
    private readonly bounds: {
      /** Of all batches of this process together. */
      readonly maxBytes: number;
      readonly maxBytesPerBatch: number;
    },
  ) {}

  get held(): number {
    return this.heldBytes;
  }

  /** The share of one batch; who takes it closes it. */
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
  /** Gives back what is still held; what comes later is not counted. */
  close(): void;
}
