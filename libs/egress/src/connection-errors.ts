/** The connection was closed on our side, or by the peer before it responded. */
export class ConnectionClosedError extends Error {
  readonly code = 'connection_closed';

  constructor() {
    super('connection closed');
    this.name = 'ConnectionClosedError';
  }
}

/** The peer says that it did nothing with this request (RFC 9113 8.7), so any method may be repeated. */
export class StreamRefusedError extends Error {
  readonly code = 'stream_refused';

  constructor() {
    super('stream refused');
    this.name = 'StreamRefusedError';
  }
}

/** The stream ended with an error of HTTP/2 (RFC 9113 7). */
export class StreamResetError extends Error {
  constructor(
    /** `stream_reset`, or the name of the broken rule. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`stream reset: ${code}`, options);
    this.name = 'StreamResetError';
  }
}
