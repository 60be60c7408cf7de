import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProxyPort } from '../src/browser/pool-options.js';

export type ProxyResponder = (url: URL, request: IncomingMessage, response: ServerResponse) => void;

/**
 * For tests: a proxy that responds to every plain HTTP request itself, whatever host it names, so a page
 * may have any origin. `http://localhost/` is one that browsers trust with service workers and caches.
 */
export interface RespondingProxy {
  readonly url: string;
  readonly portsOpen: number;
  /** All there have been. */
  readonly portsOpened: number;
  openProxyPort(): Promise<ProxyPort>;
  close(): Promise<void>;
}

export async function startRespondingProxy(respond: ProxyResponder): Promise<RespondingProxy> {
  const server = createServer((request, response) => {
    respond(new URL(request.url ?? '/', 'http://proxy.example'), request, response);
  });
  server.on('connect', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let portsOpen = 0;
  let portsOpened = 0;
  return {
    url,
    get portsOpen() {
      return portsOpen;
    },
    get portsOpened() {
      return portsOpened;
    },
    openProxyPort() {
      portsOpen++;
      portsOpened++;
      return Promise.resolve({
        url,
        usage: { requests: 0, bytesIn: 0, bytesOut: 0, blocked: 0 },
        refusalOf: () => null,
        renew: () => undefined,
        close: () => {
          portsOpen--;
          return Promise.resolve();
        },
      });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
