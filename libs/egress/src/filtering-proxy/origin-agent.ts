import http from 'node:http';
import type net from 'node:net';
import type { SessionBooks } from './proxy-session.js';

/** Connections to one origin at once; Chromium itself opens six. */
const MAX_SOCKETS_PER_ORIGIN = 16;

export interface OriginRequestOptions extends http.RequestOptions {
  /** What is vetted and dialled when no open connection serves. */
  readonly target: URL;
}

/** How Node wants it: exactly one of the two, whatever its types say. */
type OnSocket = (error: Error | null, socket?: net.Socket) => void;

/** Keeps a session's connections to sites open between requests; each was vetted when it was dialled. */
export class OriginAgent extends http.Agent {
  constructor(private readonly session: SessionBooks) {
    super({
      keepAlive: true,
      maxSockets: MAX_SOCKETS_PER_ORIGIN,
      timeout: session.limits.idleTimeoutMs,
    });
  }

  override createConnection(options: http.ClientRequestArgs, callback?: unknown): undefined {
    const { target } = options as OriginRequestOptions;
    const onSocket = callback as OnSocket;
    this.session.dial(target).then(
      (socket) => onSocket(null, socket),
      (error: Error) => onSocket(error),
    );
  }
}
