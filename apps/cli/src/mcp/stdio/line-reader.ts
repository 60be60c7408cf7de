const NEWLINE = 0x0a;
/** Of a line that is too long, these ends are kept: one of them holds the id of the request. */
const KEPT_END_BYTES = 512;

export type ReadLine =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'too_long'; readonly head: string; readonly tail: string };

/** Splits a stream into lines, and holds at most one of them: the rest of a line that is too long is dropped. */
export class LineReader {
  private parts: Buffer[] = [];
  private bytes = 0;
  /** The first and the latest bytes of a line that is too long. */
  private dropped: { head: Buffer; tail: Buffer } | null = null;

  constructor(private readonly maxBytes: number) {}

  /** The lines that the chunk completes. */
  *add(chunk: Buffer): Generator<ReadLine> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      this.take(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) return;
      yield this.finish();
      start = end + 1;
    }
  }

  private take(part: Buffer): void {
    if (this.dropped) {
      this.dropped.tail = endOf(Buffer.concat([this.dropped.tail, endOf(part)]));
      return;
    }
    this.parts.push(part);
    this.bytes += part.length;
    if (this.bytes <= this.maxBytes) return;
    const all = Buffer.concat(this.parts);
    this.dropped = {
      head: Buffer.from(all.subarray(0, KEPT_END_BYTES)),
      tail: Buffer.from(endOf(all)),
    };
    this.parts = [];
  }

  private finish(): ReadLine {
    const { dropped } = this;
    const line: ReadLine = dropped
      ? { kind: 'too_long', head: dropped.head.toString(), tail: dropped.tail.toString() }
      : { kind: 'line', text: Buffer.concat(this.parts).toString() };
    this.parts = [];
    this.bytes = 0;
    this.dropped = null;
    return line;
  }
}

function endOf(bytes: Buffer): Buffer {
  return bytes.subarray(Math.max(0, bytes.length - KEPT_END_BYTES));
}
