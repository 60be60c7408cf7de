import type { Connection, ConnectionOptions } from './connection.js';
import type { Dialled } from './dial.js';
import { H1Connection } from './h1-connection.js';
import { H2Connection } from './h2-connection.js';

/** Speaks what the TLS handshake agreed on. */
export function createConnection(
  origin: string,
  dialled: Dialled,
  options: ConnectionOptions,
): Connection {
  const isH2 = 'alpnProtocol' in dialled.socket && dialled.socket.alpnProtocol === 'h2';
  return isH2
    ? new H2Connection(origin, dialled, options)
    : new H1Connection(origin, dialled, options);
}
