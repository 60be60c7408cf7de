import type { Readable, Writable } from 'node:stream';
import {
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { LineReader, type ReadLine } from './line-reader.js';
import { requestIdAtEnds } from './request-id.js';

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
