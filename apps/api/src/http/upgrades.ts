import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { pathOf } from './api-version.js';

/** The state of a job below /v2, with or without the prefix of the alias. */
const WATCHED = /^\/+(?:firecrawl\/+)?v2\/+(?:crawl|batch\/+scrape)\/+[^/]+\/*$/i;

/**
 * Whether a request becomes a WebSocket. All others are answered over HTTP as if they did not offer it: some HTTP clients
 * send `Upgrade: h2c` with every request (RFC 9110, 7.8).
 */
export function mayUpgrade({ method, url = '', headers }: IncomingMessage): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  return isWebSocket && method === 'GET' && WATCHED.test(pathOf(url));
}

/** Whether the request is about to become a WebSocket. */
export function isUpgrade({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return mayUpgrade(raw);
}

/**
 * The key of a WebSocket: its first subprotocol, since a browser can set no header. The response names the chosen
 * subprotocol, so it contains the key, to the client that sent it.
 */
export function offeredKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const offered = headers['sec-websocket-protocol'];
  const first = offered?.split(',', 1)[0]?.trim();
  return first === undefined || first === '' ? null : first;
}

const refusals = new WeakMap<FastifyRequest, Error>();

/**
 * Keeps the error of a WebSocket until it is open: a client cannot read the response to a handshake that fails, and
 * some that are in use crash at it.
 *
 * @returns the error, unless it was kept
 */
export function keepUntilOpen(request: FastifyRequest, error: Error): Error | undefined {
  if (!isUpgrade(request)) return error;
  refusals.set(request, error);
  return undefined;
}

/** The error that was kept for a WebSocket. */
export function keptErrorOf(request: FastifyRequest): Error | undefined {
  return refusals.get(request);
}
