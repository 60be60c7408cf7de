import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { factsOf } from '../../http/route-facts.js';
import { CLOSE } from './close-codes.js';

const SERVER_OPTIONS = {
  /** A watcher sends nothing but control frames, which hold 125 bytes at most. */
  maxPayload: 256,
  perMessageDeflate: false,
  autoPong: false,
  /** Milliseconds after which a client that does not answer the end of its stream is cut off. */
  closeTimeout: 2_000,
};

/** Serves one WebSocket to its end. */
export type ServeWatcher = (socket: WebSocket, request: FastifyRequest) => Promise<void>;

/**
 * Lets the state of a job be followed over a WebSocket at its own URL. Call it before any hook or route is added: the
 * hooks of the server run for the upgrade as for every request.
 *
 * @returns a function that sets what serves the WebSockets
 */
export function acceptWatchers(fastify: FastifyInstance): (serve: ServeWatcher) => void {
  let serve: ServeWatcher | undefined;
  fastify.addHook('onRoute', (route: RouteOptions) => {
    if (route.method !== 'GET' || !factsOf({ routeOptions: route }).isWatchable) return;
    route.wsHandler = async (socket, request) => serve?.(socket, request);
  });
  const options = {
    options: SERVER_OPTIONS,
    // After a breach of the protocol the socket is closing already, with the code for it.
    errorHandler: (_error: Error, socket: WebSocket) => socket.close(CLOSE.fault),
    preClose(done: () => void) {
      for (const client of fastify.websocketServer.clients) client.close(CLOSE.goingAway);
      done();
    },
  };
  // Not registered: the server would begin to load, and routes added before its error handler would never have it.
  websocket(fastify, options, () => undefined);
  return (served) => {
    serve = served;
  };
}
