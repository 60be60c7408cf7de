import http2 from 'node:http2';
import type { Dispatcher } from 'undici';
import type { Connection, ConnectionListener, ConnectionOptions } from './connection.js';
import { StreamRefusedError } from './connection-errors.js';
import type { Dialled } from './dial.js';
import { H2Exchange } from './h2-exchange.js';

/** Streams on one connection at most, whatever the server permits. */
const MAX_STREAMS = 32;
/** Until the server's settings are here its limit is unknown. */
const STREAMS_BEFORE_SETTINGS = 1;
/** Bytes a server may send ahead of the reader: one stream, and all of a connection together. */
const STREAM_WINDOW_BYTES = 1_048_576;
const CONNECTION_WINDOW_BYTES = 4_194_304;
/** Header fields of one response at most; see also `maxHeaderBytes`. */
const MAX_HEADER_FIELDS = 256;
/** An acknowledgement of PING later than this means that the peer is gone. */
const PING_TIMEOUT_MS = 5_000;

/**
 * HTTP/2 (RFC 9113): many requests at a time. `isAlive` → retired (GOAWAY, a refused stream, old
 * age, idle too long: running streams go on) → closed. Server push is off, Alt-Svc is ignored.
 */
export class H2Connection implements Connection {
  readonly protocol = 'h2';
  readonly remoteAddress: string;
  readonly openedAtMs = Date.now();
  private readonly session: http2.ClientHttp2Session;
  private readonly authority: string;
  private listener: ConnectionListener | null = null;
  private hasSettings = false;
  private isRetired = false;
  private lastStreamId = Infinity;
  private idleTimer: NodeJS.Timeout | undefined;
  private pingTimer: NodeJS.Timeout | undefined;

  constructor(
    origin: string,
    { socket, remoteAddress }: Dialled,
    private readonly options: ConnectionOptions,
  ) {
    this.remoteAddress = remoteAddress;
    this.authority = new URL(origin).host;
    this.session = http2.connect(origin, {
      createConnection: () => socket,
      maxHeaderListPairs: MAX_HEADER_FIELDS,
      settings: {
        enablePush: false,
        initialWindowSize: STREAM_WINDOW_BYTES,
        maxHeaderListSize: options.maxHeaderBytes,
      },
    });
    this.session.once('connect', () => this.session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    this.session.on('remoteSettings', () => {
      this.hasSettings = true;
      this.listener?.onRoom();
    });
    this.session.on('goaway', (_code, lastStreamId) => {
      this.lastStreamId = Math.min(this.lastStreamId, lastStreamId);
      this.retire();
    });
    this.session.on('error', ignoreError);
    this.session.on('frameError', () => this.retire());
    this.session.once('close', () => this.onSessionClose());
    socket.on('error', ignoreError);
    socket.once('close', () => this.destroy());
  }

  get capacity(): number {
    if (!this.hasSettings) return STREAMS_BEFORE_SETTINGS;
    return Math.min(this.session.remoteSettings.maxConcurrentStreams ?? MAX_STREAMS, MAX_STREAMS);
  }

  get isAlive(): boolean {
    return !this.isRetired && !this.session.closed && !this.session.destroyed;
  }

  listen(listener: ConnectionListener): void {
    this.listener = listener;
    if (this.isRetired) listener.onClosed();
    else if (this.hasSettings) listener.onRoom();
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    clearTimeout(this.idleTimer);
    this.session.ref();
    const stream = this.openStream(options);
    new H2Exchange(stream, handler, {
      maxHeaderBytes: this.options.maxHeaderBytes,
      // A stream of a higher number than GOAWAY's was not processed (RFC 9113 6.8).
      isRefused: () => (stream.id ?? Infinity) > this.lastStreamId,
    }).start();
  }

  abandon(controller: Dispatcher.DispatchController | null): void {
    if (!(controller instanceof H2Exchange) || controller.aborted) return;
    if (!controller.hasHeard) this.probe();
    controller.abort();
  }

  /** Kept for a while for the next request, without holding the process. */
  rest(): void {
    if (this.isRetired) return;
    this.session.unref();
    this.idleTimer = setTimeout(() => this.retire(), this.options.keepAliveMs).unref();
  }

  retire(): void {
    if (this.isRetired) return;
    this.isRetired = true;
    clearTimeout(this.idleTimer);
    if (!this.session.closed) this.session.close();
    this.listener?.onClosed();
  }

  destroy(): void {
    this.retire();
    this.session.destroy();
  }

  private openStream(options: Dispatcher.DispatchOptions): http2.ClientHttp2Stream {
    if (!this.isAlive) throw new StreamRefusedError();
    const { body } = options;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const hasBody = bytes instanceof Uint8Array;
    const stream = this.session.request(
      this.headersOf(options, hasBody ? bytes.byteLength : null),
      {
        endStream: !hasBody,
      },
    );
    if (hasBody) stream.end(bytes);
    return stream;
  }

  private headersOf(
    { path, method, headers }: Dispatcher.DispatchOptions,
    bodyBytes: number | null,
  ): http2.OutgoingHttpHeaders {
    const fields: http2.OutgoingHttpHeaders = {
      ':method': method,
      ':path': path,
      ':scheme': 'https',
      ':authority': this.authority,
    };
    const flat = Array.isArray(headers) ? headers : [];
    for (let index = 0; index + 1 < flat.length; index += 2) {
      fields[String(flat[index]).toLowerCase()] = String(flat[index + 1]);
    }
    if (bodyBytes !== null) fields['content-length'] = String(bodyBytes);
    return fields;
  }

  /**
   * A request without a response may have been sent into a dead connection: a PING shows whether it is one.
   */
  private probe(): void {
    if (this.pingTimer !== undefined || this.session.destroyed) return;
    this.pingTimer = setTimeout(() => this.destroy(), PING_TIMEOUT_MS).unref();
    const isSent = this.session.ping(() => {
      clearTimeout(this.pingTimer);
      this.pingTimer = undefined;
    });
    if (!isSent) clearTimeout(this.pingTimer);
  }

  private onSessionClose(): void {
    clearTimeout(this.pingTimer);
    this.retire();
  }
}

/** Each stream has its own error; an unheard one of the session would end the process. */
function ignoreError(): void {}
