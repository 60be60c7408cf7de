import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

/** Time between two looks at the connections. */
const LOOK_MS = 20;

/**
 * Connections of an HTTP/1.1 server before their first request and between two. The client may be sending the next one
 * at the very moment at which the server closes the connection. It then gets no response, and must not send a POST again
 * by itself (RFC 9110, 9.2.2).
 */
export class KeptConnections {
  /** Each with the milliseconds of `performance.now()` at which it was opened or its last response ended. */
  private readonly unusedSince = new Map<Socket, number>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.unusedSince.set(socket, performance.now());
      socket.once('close', () => this.unusedSince.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.unusedSince.delete(socket);
      response.once('close', () => {
        if (socket.writable) this.unusedSince.set(socket, performance.now());
      });
    });
  }

  /**
   * Resolves when each connection is closed, busy with a request, or was not used for `restMs`; after that time at the
   * latest. Call it when responses have `Connection: close`.
   */
  async atRest(restMs: number): Promise<void> {
    const fromMs = performance.now();
    const isAwaited = (): boolean => {
      const restedMs = performance.now() - restMs;
      return fromMs > restedMs && this.unusedSince.values().some((since) => since > restedMs);
    };
    // First of all, those that the server has not accepted yet.
    do await delay(LOOK_MS);
    while (isAwaited());
    // What came while the event loop was busy is read after its timers: one turn accepts, the next reads.
    await turn();
    await turn();
  }
}
