import http2 from 'node:http2';
import type { Dispatcher } from 'undici';
import { errorCode } from '@app/contracts';
import {
  ConnectionClosedError,
  StreamRefusedError,
  StreamResetError,
} from './connection-errors.js';

const {
  NGHTTP2_CANCEL,
  NGHTTP2_ENHANCE_YOUR_CALM,
  NGHTTP2_NO_ERROR,
  NGHTTP2_PROTOCOL_ERROR,
  NGHTTP2_REFUSED_STREAM,
} = http2.constants;

export interface H2ExchangeOptions {
  readonly maxHeaderBytes: number;
  /** Whether the server said that it did nothing with this stream. */
  readonly isRefused: () => boolean;
}

type Fields = Record<string, string | string[]>;

/**
 * One stream, reported through undici's dispatch handler, so that a response is read alike over
 * either protocol. It is whole only when the stream closes without an error: 'end' alone also comes
 * when the connection drops.
 */
export class H2Exchange implements Dispatcher.DispatchController {
  /** Anything of a response came. */
  hasHeard = false;
  private hasEnded = false;
  private isDone = false;
  private failure: Error | null = null;

  constructor(
    private readonly stream: http2.ClientHttp2Stream,
    private readonly handler: Dispatcher.DispatchHandler,
    private readonly options: H2ExchangeOptions,
  ) {}

  start(): void {
    const { stream, handler } = this;
    stream.on('headers', (headers) => {
      this.hasHeard = true;
      if (!this.isDone) handler.onResponseStart?.(this, headers[':status'] ?? 100, {}, '');
    });
    stream.once('response', (headers, _flags, rawHeaders: unknown) => {
      this.hasHeard = true;
      this.onResponse(headers[':status'] ?? 0, Array.isArray(rawHeaders) ? rawHeaders : []);
    });
    stream.once('end', () => (this.hasEnded = true));
    stream.on('error', (error) => (this.failure ??= error));
    stream.once('close', () => this.onClose());
    handler.onRequestStart?.(this, null);
  }

  get aborted(): boolean {
    return this.isDone;
  }

  get paused(): boolean {
    return this.stream.isPaused();
  }

  get reason(): Error | null {
    return this.failure;
  }

  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    this.stream.resume();
  }

  /** Resets the stream; the handler is not called any more. */
  abort(): void {
    this.isDone = true;
    this.reset();
  }

  private reset(): void {
    this.stream.close(NGHTTP2_CANCEL);
    this.stream.destroy();
  }

  private onResponse(status: number, rawHeaders: readonly unknown[]): void {
    if (this.isDone) return;
    this.handler.onResponseStarted?.();
    const { fields, bytes } = readFields(rawHeaders);
    // The announced limit binds a server only once it has read our settings.
    if (bytes > this.options.maxHeaderBytes) {
      this.reset();
      return this.fail(new StreamResetError('headers_too_large'));
    }
    this.handler.onResponseStart?.(this, status, fields, '');
    // Not before: Node reports headers a turn later than the data that came with them.
    this.stream.on('data', (chunk: Buffer) => {
      if (!this.isDone) this.handler.onResponseData?.(this, chunk);
    });
  }

  private onClose(): void {
    if (this.isDone) return;
    if (this.hasEnded && this.failure === null && this.stream.rstCode === NGHTTP2_NO_ERROR) {
      this.isDone = true;
      return this.handler.onResponseEnd?.(this, {});
    }
    this.fail(this.closeError());
  }

  private fail(error: Error): void {
    this.isDone = true;
    this.handler.onResponseError?.(this, error);
  }

  private closeError(): Error {
    const { rstCode } = this.stream;
    if (!this.hasHeard && (rstCode === NGHTTP2_REFUSED_STREAM || this.options.isRefused()))
      return new StreamRefusedError();
    // Node's own reset code for a stream with a header list over the limits.
    if (rstCode === NGHTTP2_ENHANCE_YOUR_CALM && !this.hasHeard)
      return new StreamResetError('headers_too_large');
    const code = errorCode(this.failure, '');
    if (rstCode === NGHTTP2_PROTOCOL_ERROR || code === 'ERR_HTTP2_ERROR')
      return new StreamResetError('invalid_http', { cause: this.failure });
    if (code === 'ERR_HTTP2_STREAM_ERROR')
      return new StreamResetError('stream_reset', { cause: this.failure });
    return this.failure ?? new ConnectionClosedError();
  }
}

/** Names are in lower case on the wire; repeated ones become a list. */
function readFields(raw: readonly unknown[]): { fields: Fields; bytes: number } {
  const fields: Fields = {};
  let bytes = 0;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = String(raw[index]);
    const value = String(raw[index + 1]);
    bytes += name.length + value.length;
    if (name.startsWith(':')) continue;
    const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  return { fields, bytes };
}
