export type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const NOTHING = new Uint8Array(0);

/**
 * Takes bytes out of a stream in amounts of the reader's choosing, however they came in. Copies
 * only what lies across two pieces: copies are memory outside the heap, which is collected late.
 */
export class ByteSource {
  private readonly pieces: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  /** Pieces not read yet, none of them empty; the last one is next. */
  private readonly held: Uint8Array[] = [];
  private isEnded = false;

  constructor(bytes: Bytes) {
    this.pieces =
      Symbol.asyncIterator in bytes ? bytes[Symbol.asyncIterator]() : bytes[Symbol.iterator]();
  }

  /** So many bytes; fewer only at the end. */
  async read(wanted: number): Promise<Uint8Array> {
    const first = await this.readSome(wanted);
    if (first.length === wanted) return first;
    const gathered = [first];
    for (let length = first.length; length < wanted;) {
      const next = await this.readSome(wanted - length);
      if (next.length === 0) break;
      gathered.push(next);
      length += next.length;
    }
    return Buffer.concat(gathered);
  }

  /** What there is, without waiting for more; nothing only at the end. */
  async readSome(most: number): Promise<Uint8Array> {
    while (this.held.length === 0 && !this.isEnded) {
      const next = await this.pieces.next();
      if (next.done === true) this.isEnded = true;
      else this.unread(next.value);
    }
    const first = this.held.pop() ?? NOTHING;
    this.unread(first.subarray(most));
    return first.subarray(0, most);
  }

  /** Puts back what was read last and not used. */
  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) this.held.push(bytes);
  }

  /** No more will be read. */
  async close(): Promise<void> {
    this.isEnded = true;
    await this.pieces.return?.();
  }
}
