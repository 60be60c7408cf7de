/** Why a WebSocket ends (RFC 6455, 7.4; 3000 and above: IANA's registry). */
export const CLOSE = {
  /** The job has ended. */
  normal: 1000,
  /** The process stops: another one serves the next request. */
  goingAway: 1001,
  /** The client sent a message: there is nothing to say on this stream. */
  unsupported: 1003,
  /** No such job of this account, or its results are deleted. */
  notFound: 1008,
  /** A fault of the service. */
  fault: 1011,
  /** Rate limit, too many streams, or an overload: the state can be polled. */
  tryLater: 1013,
  /** No API key, or an invalid one. */
  unauthorized: 3000,
} as const;
