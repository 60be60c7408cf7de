import { TrawlError } from './trawl-error.js';

/** One of Server-Sent Events (WHATWG HTML, 9.2). */
export interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
  /** Reconnect delay in milliseconds, sent alone or with an event. */
  readonly retryMs: number | undefined;
}

/** A page result with its HTML has some megabytes; more than this is not an event of Trawl. */
const MAX_EVENT_CHARS = 256 * 1024 * 1024;
/** The service sends a comment every 15 s: a stream that is silent for this long is lost. */
export const SILENCE_MS = 45_000;

/** Reads the events of a stream until it ends. Leaving the loop closes the stream. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { silenceMs = SILENCE_MS, signal }: { silenceMs?: number; signal?: AbortSignal } = {},
): AsyncGenerator<StreamEvent> {
  const fields = new EventFields();
  for await (const line of readLines(body, { silenceMs, ...(signal ? { signal } : {}) })) {
    const event = fields.add(line);
    if (event) yield event;
  }
}

/** Reads the lines of a stream until it ends. Leaving the loop closes the stream. */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  { silenceMs = SILENCE_MS, signal }: { silenceMs?: number; signal?: AbortSignal } = {},
): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const lines = new LineSplitter(MAX_EVENT_CHARS);
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read(), signal);
      if (done) return;
      yield* lines.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // The connection may be broken, in which case there is nothing left to close.
    await reader.cancel().catch(() => undefined);
  }
}

/** Splits text into lines. A line that arrives in many pieces is joined once. */
export class LineSplitter {
  private pieces: string[] = [];
  private chars = 0;

  constructor(private readonly maxChars: number) {}

  push(text: string): string[] {
    const [first = '', ...others] = text.split('\n');
    this.keep(first);
    const lines: string[] = [];
    for (const piece of others) {
      const line = this.pieces.join('');
      lines.push(line.endsWith('\r') ? line.slice(0, -1) : line);
      this.pieces = [];
      this.chars = 0;
      this.keep(piece);
    }
    return lines;
  }

  private keep(piece: string): void {
    this.chars += piece.length;
    if (this.chars > this.maxChars)
      throw new TrawlError(`An event exceeds ${this.maxChars} characters`, {
        code: 'invalid_response',
        hint: 'Read the results by cursor with a smaller limit, or without rawHtml.',
      });
    if (piece !== '') this.pieces.push(piece);
  }
}

/** Collects lines until an empty one ends the event. */
class EventFields {
  private event = 'message';
  private id: string | undefined;
  private retryMs: number | undefined;
  private data: string[] = [];

  add(line: string): StreamEvent | undefined {
    if (line === '') return this.take();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined; // a comment
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.event = value;
    else if (name === 'id') this.id = value;
    else if (name === 'data') this.data.push(value);
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }

  private take(): StreamEvent | undefined {
    const { event, id, retryMs } = this;
    const isEmpty = this.data.length === 0 && retryMs === undefined;
    const taken = { event, id, retryMs, data: this.data.join('\n') };
    this.event = 'message';
    this.id = undefined;
    this.retryMs = undefined;
    this.data = [];
    return isEmpty ? undefined : taken;
  }
}

/** @throws TrawlError if nothing arrives in time; the reason of the signal when it is aborted */
function within<T>(ms: number, work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    const silent = (): void =>
      reject(new TrawlError(`The stream was silent for ${ms} ms`, { code: 'network' }));
    const timer = setTimeout(silent, ms);
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    work.then(resolve, reject).finally(finish).catch(reject);
  });
}
