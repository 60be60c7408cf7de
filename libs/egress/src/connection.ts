import { Client, type Dispatcher } from 'undici';
import type { Dialled } from './dial.js';

export interface ConnectionOptions {
  readonly keepAliveMs: number;
  readonly maxHeaderBytes: number;
}

/**
 * One vetted socket speaking HTTP/1.1, one request at a time. It never reconnects:
 * a new socket is a new dial, and a new dial is vetted anew.
 */
export class Connection {
  readonly remoteAddress: string;
  readonly openedAtMs = Date.now();
  private readonly client: Client;
  private isUp = true;
  private closedListener: () => void = () => undefined;

  constructor(
    readonly origin: string,
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
    // The socket is destroyed some turns before anyone is told.
    return this.isUp && !this.dialled.socket.destroyed;
  }

  /** Called once, when the socket is gone. */
  onClosed(listener: () => void): void {
    this.closedListener = listener;
    if (!this.isUp) listener();
  }

  /** Sends one request; the previous one must be over. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.client.dispatch(options, handler);
  }

  /** Closes the socket at once; a running request fails. */
  destroy(): void {
    this.markClosed();
    // Rejects only when already destroyed, which is what we want.
    this.client.destroy(new ConnectionClosedError()).catch(ignoreError);
  }

  private markClosed(): void {
    if (!this.isUp) return;
    this.isUp = false;
    this.closedListener();
    this.client.destroy(new ConnectionClosedError()).catch(ignoreError);
  }
}

/** The connection was closed on our side, or by the peer before it answered. */
export class ConnectionClosedError extends Error {
  readonly code = 'connection_closed';

  constructor() {
    super('connection closed');
    this.name = 'ConnectionClosedError';
  }
}

/** The request that cared has its own error; an unheard one would end the process. */
function ignoreError(): void {}
