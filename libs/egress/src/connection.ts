import type { Dispatcher } from 'undici';

export interface ConnectionOptions {
  readonly keepAliveMs: number;
  readonly maxHeaderBytes: number;
}

export interface ConnectionListener {
  /** Called once, when the connection takes no further requests: closed, or about to close. */
  readonly onClosed: () => void;
  /** {@link Connection.capacity} is known, for the first time or anew. */
  readonly onRoom: () => void;
}

/**
 * One vetted socket speaking HTTP. It never reconnects: a new socket is a new dial, and a new dial
 * is vetted anew.
 */
export interface Connection {
  readonly protocol: 'h1' | 'h2';
  readonly remoteAddress: string;
  readonly openedAtMs: number;
  /** Requests it takes at a time, now. */
  readonly capacity: number;
  /** Takes further requests. */
  readonly isAlive: boolean;
  /** Reports the current state before it returns. */
  listen(listener: ConnectionListener): void;
  /** Sends one request; the caller keeps to {@link capacity}. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /**
   * Ends a request without a whole response: HTTP/1.1 has to close the socket, HTTP/2 resets
   * the stream alone. Null: the request had not been begun.
   */
  abandon(controller: Dispatcher.DispatchController | null): void;
  /** The last request is over; the connection may close when none follows. */
  rest(): void;
  /** Takes no further requests and closes when the running ones are over. */
  retire(): void;
  /** Closes the socket at once; running requests fail. */
  destroy(): void;
}
