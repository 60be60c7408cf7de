import type { Readable, Writable } from 'node:stream';
import {
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** Largest message of a client. Arguments are far smaller; the largest is a schema. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

/**
 * JSON-RPC messages, one on each line. Unlike the transport of the SDK it survives a line that is too long, and
 * responds to lines that are no message, so that a client does not wait for its timeout.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
  private reportClosed: () => void = () => undefined;
  private isClosed = false;
  private readonly lines = new LineReader(MAX_LINE_BYTES);

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {
    this.closed = new Promise((resolve) => {
      this.reportClosed = resolve;
    });
  }

  async start(): Promise<void> {
    this.input.on('data', this.receive);
    for (const event of ['end', 'close', 'error']) this.input.on(event, this.end);
    // The listener stays: a client that is gone must not end the process with an unhandled EPIPE.
    this.output.on('error', this.end);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.isClosed) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      this.output.write(`${JSON.stringify(message)}\n`, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.input.off('data', this.receive);
    this.input.pause();
    this.onclose?.();
    this.reportClosed();
  }

  private readonly end = (): void => {
    void this.close();
  };

  private readonly receive = (chunk: Buffer): void => {
    for (const line of this.lines.add(chunk)) {
      if (this.isClosed) return;
      this.take(line);
    }
  };

  private take(line: ReadLine): void {
    if (line.kind === 'too_long') return this.refuseLong(line);
    if (line.text.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line.text);
    } catch {
      return this.refuse(ProtocolErrorCode.ParseError, 'Parse error: the line is not JSON');
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const problem = 'Invalid request: the line is not one JSON-RPC 2.0 message';
      return this.refuse(ProtocolErrorCode.InvalidRequest, problem, idOf(value));
    }
    this.onmessage?.(message);
  }

  private refuseLong({ head, tail }: { readonly head: string; readonly tail: string }): void {
    const problem = `Invalid request: the message exceeds ${MAX_LINE_BYTES} bytes`;
    this.refuse(ProtocolErrorCode.InvalidRequest, problem, requestIdAtEnds(head, tail));
  }

  /** Without an id the error has none (schema of the protocol), since the request cannot be identified. */
  private refuse(code: number, message: string, id?: string | number): void {
    this.onerror?.(new Error(message));
    const response = {
      jsonrpc: '2.0',
      ...(id === undefined ? {} : { id }),
      error: { code, message },
    };
    this.send(response as JSONRPCMessage).catch((error: Error) => this.onerror?.(error));
  }
}

function idOf(value: unknown): string | number | undefined {
  const id: unknown = (value as { id?: unknown } | null)?.id;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : undefined;
}

const ID = '(\\d{1,15}|"[^"\\\\]{1,100}")';
/** The id is a member of the request itself: nothing but the version is before it, or nothing is after it. */
const AT_START = new RegExp(
  `^\\s{0,20}\\{\\s{0,20}(?:"jsonrpc"\\s{0,20}:\\s{0,20}"2\\.0"\\s{0,20},\\s{0,20})?"id"\\s{0,20}:\\s{0,20}${ID}`,
);
const AT_END = new RegExp(`"id"\\s{0,20}:\\s{0,20}${ID}\\s{0,20}\\}\\s{0,20}$`);

/** The id of a request of which only the ends are known; undefined if it is not at one of them. */
export function requestIdAtEnds(head: string, tail: string): string | number | undefined {
  const id = AT_START.exec(head)?.[1] ?? AT_END.exec(tail)?.[1];
  if (id === undefined) return undefined;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}

const NEWLINE = 0x0a;
/** Of a line that is too long, these ends are kept: one of them holds the id of the request. */
const KEPT_END_BYTES = 512;

type ReadLine =
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
