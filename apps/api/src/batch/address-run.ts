import type { ListedAddress } from './address-list.js';
import type { MemoryShare } from './answer-memory.js';

/** What became of one address. */
export interface ItemAnswer {
  /** The item as JSON, without the opening brace: each place puts its own index first. */
  readonly rest: Buffer;
  readonly ok: boolean;
  readonly credits: number;
}

export interface Answered {
  readonly address: ListedAddress;
  readonly answer: ItemAnswer;
}

export interface RunOptions {
  /** Addresses worked on at a time. */
  readonly workers: number;
  readonly memory: MemoryShare;
  /** Aborted: nothing more is begun and the run ends. */
  readonly signal: AbortSignal;
  /** Never rejects. */
  readonly work: (address: ListedAddress) => Promise<ItemAnswer>;
  /** How long nothing may happen before the run says that it is alive. */
  readonly tickMs: number;
}

/**
 * Works on the addresses of a list in its order, so many at a time, and tells what became of them as
 * they are done. It goes only as fast as it is read: nothing is begun while finished answers wait to
 * be taken beyond what may be held, except that one is always under way, or the list would stand
 * still behind an answer that has a later place to wait for.
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

  /** Null: nothing has happened for a tick. */
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

  /** Resolves to false when the tick came first. */
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
