/** What a page may say as much of as it likes, and nothing here listens to. */
export const NOISY_EVENTS = [
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Log.entryAdded',
  'Network.webSocketFrameReceived',
  'Network.webSocketFrameSent',
  'Network.eventSourceMessageReceived',
];
const NOISY = NOISY_EVENTS.map((method) => Buffer.from(`{"method":"${method}"`));
const HEAD_BYTES = Math.max(...NOISY.map(({ length }) => length));

/**
 * Longest noisy message that passes. Playwright keeps the last 200 console messages of a page, and finds in short
 * ones of its own whether a document it wrote has loaded.
 */
export const MAX_NOISE_BYTES = 16 * 1024;

const END = 0;

/**
 * Takes long console messages, errors and frames out of what Chromium sends over its pipe (messages of JSON, each
 * ended by a zero byte). At most {@link MAX_NOISE_BYTES} are held, whatever the length of a message.
 */
export class NoiseFilter {
  /** Of the message under way: what may yet turn out to be noise. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private state: 'unknown' | 'noisy' | 'passing' | 'dropping' = 'unknown';

  /** What of these bytes goes on, in order. */
  pass(chunk: Buffer): Buffer[] {
    const out: Buffer[] = [];
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(END, start);
      const next = end === -1 ? chunk.length : end + 1;
      this.take(chunk.subarray(start, next), end !== -1, out);
      start = next;
    }
    return out;
  }

  private take(part: Buffer, isEnd: boolean, out: Buffer[]): void {
    if (this.state === 'passing') out.push(part);
    else if (this.state !== 'dropping') this.hold(part, isEnd, out);
    if (!isEnd) return;
    if (this.state !== 'dropping') this.release(out);
    this.held = [];
    this.heldBytes = 0;
    this.state = 'unknown';
  }

  private hold(part: Buffer, isEnd: boolean, out: Buffer[]): void {
    this.held.push(part);
    this.heldBytes += part.length;
    if (this.state === 'unknown' && (isEnd || this.heldBytes >= HEAD_BYTES)) {
      this.state = this.isNoisy() ? 'noisy' : 'passing';
    }
    if (this.state === 'passing') this.release(out);
    if (this.state !== 'noisy' || this.heldBytes <= MAX_NOISE_BYTES) return;
    this.state = 'dropping';
    this.held = [];
  }

  private isNoisy(): boolean {
    const [first] = this.held;
    const head = first && first.length >= HEAD_BYTES ? first : Buffer.concat(this.held);
    return NOISY.some((mark) => head.subarray(0, mark.length).equals(mark));
  }

  private release(out: Buffer[]): void {
    out.push(...this.held);
    this.held = [];
  }
}
