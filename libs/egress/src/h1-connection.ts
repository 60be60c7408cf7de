import { Client, type Dispatcher } from 'undici';
import type { Connection, ConnectionListener, ConnectionOptions } from './connection.js';
import { ConnectionClosedError } from './connection-errors.js';
import type { Dialled } from './dial.js';

/** HTTP/1.1: one request at a time. */
export class H1Connection implements Connection {
  readonly protocol = 'h1';
  readonly capacity = 1;
  readonly remoteAddress: string;
  readonly openedAtMs = Date.now();
  private readonly client: Client;
  private isUp = true;
  private listener: ConnectionListener | null = null;

  constructor(
    origin: string,
    private readonly dialled: Dialled,
    { keepAliveMs, maxHeaderBytes }: ConnectionOptions,
  ) {
    this.remoteAddress = dialled.remoteAddress;
    let isTaken = false;
    this.client = new Client(origin, {
      connect: (_options, callback) => {
        // Asynchronous: undici would not notice a connection made during its own connect call.
        queueMicrotask(() => {
          if (isTaken || !this.isUp) return callback(new ConnectionClosedError(), null);
          isTaken = true;
          callback(null, dialled.socket);
        });
      },
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      keepAliveTimeoutThreshold: 500,
      maxHeaderSize: maxHeaderBytes,
      // One deadline rules instead; see HttpRequest.deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.client.on('disconnect', () => this.markClosed());
    this.client.on('connectionError', () => this.markClosed());
    dialled.socket.once('close', () => this.markClosed());
    dialled.socket.on('error', ignoreError);
  }

  get isAlive(): boolean {
    // The socket is destroyed some turns before its listeners are called.
    return this.isUp && !this.dialled.socket.destroyed;
  }

  listen(listener: ConnectionListener): void {
    this.listener = listener;
    if (this.isUp) listener.onRoom();
    else listener.onClosed();
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.client.dispatch(options, handler);
  }

  /** A connection with the rest of a response on it cannot carry another request. */
  abandon(): void {
    this.destroy();
  }

  /** The client closes an idle socket by itself. */
  rest(): void {}

  /** Only ever called between requests. */
  retire(): void {
    this.destroy();
  }

  destroy(): void {
    this.markClosed();
    // Rejects only when already destroyed, which is what we want.
    this.client.destroy(new ConnectionClosedError()).catch(ignoreError);
  }

  private markClosed(): void {
    if (!this.isUp) return;
    this.isUp = false;
    this.listener?.onClosed();
    this.client.destroy(new ConnectionClosedError()).catch(ignoreError);
  }
}

/** The request that cared has its own error; an unheard one would end the process. */
function ignoreError(): void {}
