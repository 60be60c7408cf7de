import type { Dispatcher } from 'undici';
import { BodySink } from './body-sink.js';
import type { Connection } from './connection.js';
import { StreamRefusedError, StreamResetError } from './connection-errors.js';
import {
  type Coding,
  ContentDecoder,
  LayerTooLargeError,
  parseCodings,
} from './content-decoder.js';
import { HttpFetchError, toFetchError } from './http-fetch-error.js';
import type { HttpHeaders, Truncation } from './http-message.js';
import { redirectLocation } from './redirect.js';

/** One request and its response, apart from the redirects before it. */
export interface Exchanged {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly truncation: Truncation | null;
  readonly ttfbMs: number;
  readonly downloadMs: number;
}

/** Thrown when time ran out with a response half read. */
export class ExchangeCut extends Error {
  constructor(
    readonly reason: HttpFetchError,
    readonly partial: Exchanged,
  ) {
    super(reason.message, { cause: reason });
  }
}

/** The connection failed before a byte of the response came. */
export class NoResponseError extends Error {
  constructor(
    /**
     * `unsent`: nothing of the request left; `refused`: the peer did nothing with it; any method
     * may then be repeated. `unknown`: only an idempotent one.
     */
    readonly fate: 'unsent' | 'refused' | 'unknown',
    cause: unknown,
  ) {
    super('The connection closed without a response', { cause });
  }
}

export interface ExchangeLimits {
  readonly maxBytes: number;
  /**
   * Cap of a redirect's body, which is then not decoded either; null when redirects are not
   * followed.
   */
  readonly maxRedirectBytes: number | null;
  readonly headersTimeoutMs: number;
  /** The body is not decoded. */
  readonly keepsEncoding: boolean;
  readonly onData?: (chunk: Uint8Array) => void;
}

/** Interim responses (1xx) read at most; more is a flood. */
const MAX_INTERIM = 16;

/** Sends one request on the connection and reads its response under the limits. */
export function exchange(
  connection: Connection,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    new Exchange(connection, limits, signal, { resolve, reject }).start(request);
  });
}

interface Outcome {
  readonly resolve: (exchanged: Exchanged) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * awaiting headers → reading body → settled. Settling is final: whatever the socket, the decoder
 * or a timer say afterwards is ignored.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private startedAt = performance.now();
  private headersAt = 0;
  private status = 0;
  private headers: HttpHeaders = {};
  private interim = 0;
  private sink: BodySink | null = null;
  private decoder: ContentDecoder | null = null;
  private controller: Dispatcher.DispatchController | null = null;
  private hasResponseBegun = false;
  private isSettled = false;
  private isRedirect = false;
  private hasEnded = false;
  private isCut = false;
  private headersTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly limits: ExchangeLimits,
    private readonly signal: AbortSignal,
    private readonly outcome: Outcome,
  ) {}

  start(request: Dispatcher.DispatchOptions): void {
    if (this.signal.aborted) return this.onAbort();
    this.signal.addEventListener('abort', this.onAbort, { once: true });
    this.headersTimer = setTimeout(
      () => this.fail(new HttpFetchError('timeout', 'headers_timeout')),
      this.limits.headersTimeoutMs,
    );
    try {
      this.connection.dispatch(request, this);
    } catch (error) {
      this.fail(isRefusal(error) ? new NoResponseError('refused', error) : toFetchError(error));
    }
  }

  /** Called as the request is written: a connection just made takes some turns until then. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.startedAt = performance.now();
  }

  onResponseStarted(): void {
    this.hasResponseBegun = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: HttpHeaders,
  ): void {
    if (this.isSettled) return;
    if (status < 200) {
      if (++this.interim > MAX_INTERIM) this.fail(new HttpFetchError('network', 'interim_flood'));
      return;
    }
    clearTimeout(this.headersTimer);
    this.headersAt = performance.now();
    this.status = status;
    this.headers = headers;
    const { maxRedirectBytes } = this.limits;
    if (maxRedirectBytes !== null && redirectLocation(status, headers) !== null) {
      this.sink = new BodySink(maxRedirectBytes);
      this.isRedirect = true;
      return;
    }
    this.readBody(headers);
  }

  private readBody(headers: HttpHeaders): void {
    const { keepsEncoding } = this.limits;
    const codings = keepsEncoding ? [] : parseCodings(headers['content-encoding']);
    if (codings === null)
      return this.fail(new HttpFetchError('parse_error', 'content_encoding_too_deep'));
    this.sink = new BodySink(this.limits.maxBytes, codings.length === 0 ? lengthOf(headers) : 0);
    if (codings.length > 0) this.decoder = this.createDecoder(codings);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isSettled) return;
    if (this.decoder === null) this.keep(chunk);
    else if (!this.decoder.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.hasEnded = true;
    if (this.decoder === null) this.succeed(null);
    else this.decoder.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.isSettled) return;
    if (this.sink === null) {
      return this.fail(this.hasResponseBegun ? toFetchError(error) : this.noResponse(error));
    }
    this.isCut = true;
    if (this.decoder !== null) this.decoder.end();
    else if (this.sink.byteLength > 0 || this.isRedirect) this.succeed('stream_end');
    else this.fail(toFetchError(error));
  }

  private noResponse(error: Error): Error {
    // The peer read this request and ended it; its connection is sound.
    if (error instanceof StreamResetError) return toFetchError(error);
    if (isRefusal(error)) return new NoResponseError('refused', error);
    return new NoResponseError(this.controller === null ? 'unsent' : 'unknown', error);
  }

  private createDecoder(codings: readonly Coding[]): ContentDecoder {
    return new ContentDecoder(codings, this.limits.maxBytes, {
      onData: (chunk) => this.keep(chunk),
      onEnd: (error) => this.onDecoded(error),
      onDrain: () => this.controller?.resume(),
    });
  }

  private onDecoded(error: Error | null): void {
    if (error === null) return this.succeed(this.isCut ? 'stream_end' : null);
    const isTooLarge = error instanceof LayerTooLargeError;
    if ((this.sink?.byteLength ?? 0) > 0) {
      const truncation = isTooLarge ? 'byte_cap' : 'decode';
      return this.succeed(this.isCut ? 'stream_end' : truncation);
    }
    const code = isTooLarge ? 'content_decoding_too_large' : 'content_decoding_failed';
    this.fail(new HttpFetchError('parse_error', code, { cause: error }));
  }

  /** Returns false once the cap is passed: the rest of the response is not read. */
  private keep(chunk: Uint8Array): boolean {
    if (this.isSettled || this.sink === null) return false;
    if (!this.isRedirect) this.limits.onData?.(chunk);
    if (this.sink.push(chunk)) return true;
    this.succeed('byte_cap');
    return false;
  }

  private readonly onAbort = (): void => {
    const reason = abortReason(this.signal);
    if (this.sink === null || this.isRedirect) return this.fail(reason);
    this.decoder?.salvage();
    this.fail(new ExchangeCut(reason, this.snapshot('deadline')));
  };

  private succeed(truncation: Truncation | null): void {
    if (this.isSettled) return;
    this.settle();
    this.outcome.resolve(this.snapshot(truncation));
  }

  private fail(error: unknown): void {
    if (this.isSettled) return;
    this.settle();
    this.outcome.reject(error);
  }

  private settle(): void {
    this.isSettled = true;
    clearTimeout(this.headersTimer);
    this.signal.removeEventListener('abort', this.onAbort);
    this.decoder?.destroy();
    if (!this.hasEnded) this.connection.abandon(this.controller);
  }

  private snapshot(truncation: Truncation | null): Exchanged {
    return {
      status: this.status,
      headers: this.headers,
      body: this.sink?.take() ?? new Uint8Array(0),
      truncation,
      ttfbMs: this.headersAt - this.startedAt,
      downloadMs: performance.now() - this.headersAt,
    };
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof StreamRefusedError;
}

function lengthOf(headers: HttpHeaders): number {
  const bytes = Number(headers['content-length']);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
}

/** The client aborts its signal with the error to throw. */
export function abortReason(signal: AbortSignal): HttpFetchError {
  const reason: unknown = signal.reason;
  return reason instanceof HttpFetchError
    ? reason
    : new HttpFetchError('timeout', 'aborted', { cause: reason });
}
