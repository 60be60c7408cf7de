import type { ListedAddress } from './address-list.js';

/** The outcome of one URL. */
export interface ItemAnswer {
  /** The item as JSON, without the opening brace: each index prepends its own. */
  readonly rest: Buffer;
  readonly ok: boolean;
  readonly credits: number;
}

export interface Answered {
  readonly address: ListedAddress;
  readonly answer: ItemAnswer;
}

export interface RunOptions {
  /** URLs processed at a time. */
  readonly workers: number;
  readonly memory: MemoryShare;
  /** When aborted, no further work starts and the run ends. */
  readonly signal: AbortSignal;
  /** Never rejects. */
  readonly work: (address: ListedAddress) => Promise<ItemAnswer>;
  /** Idle time after which the run reports that it is alive. */
  readonly tickMs: number;
}

/**
 * Processes the URLs of a list in order, several at a time, and yields their outcomes as they finish.
 * It runs only as fast as it is read: no work starts while the finished responses exceed the memory
 * bound. One piece of work always runs, or the list would stall behind a response that waits for a
 * later index.
 */
export class AddressRun {
  private readonly waiting: ListedAddress[];
  private readonly done: Answered[] = [];
  private running = 0;
  private wake: () => void = () => undefined;

  constructor(
    addresses: readonly ListedAddress[],
    private readonly options: RunOptions,
  ) {
    this.waiting = [...addresses];
  }

  /** Null: nothing happened during a tick. */
  async *answers(): AsyncGenerator<Answered | null> {
    const { signal } = this.options;
    const stop = (): void => this.wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        this.begin();
        const next = this.done.shift();
        if (next) yield next;
        else if (this.running === 0) return;
        else if (!(await this.change())) yield null;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.waiting.length = 0;
    }
  }

  private begin(): void {
    while (this.mayBegin()) {
      const address = this.waiting.shift();
      if (address) void this.work(address);
    }
  }

  private mayBegin(): boolean {
    const { workers, memory } = this.options;
    if (this.waiting.length === 0 || this.running >= workers) return false;
    return memory.hasRoom() || (this.running === 0 && this.done.length === 0);
  }

  private async work(address: ListedAddress): Promise<void> {
    this.running++;
    const answer = await this.options.work(address);
    this.running--;
    this.options.memory.hold(answer.rest.byteLength);
    this.done.push({ address, answer });
    this.wake();
  }

  /** Resolves to false if the tick came first. */
  private change(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), this.options.tickMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

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
