import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as a fake saw it. */
export interface ProviderRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LoopbackServer {
  readonly port: number;
  /** Oldest first. */
  readonly requests: ProviderRequest[];
  /** Ends the server and every connection, whatever hangs on it. */
  close(): Promise<void>;
}

type Answer = (request: ProviderRequest, response: ServerResponse) => Promise<void>;

/** A server on a free loopback port that records what it is asked. It keeps no process from ending. */
export async function startLoopbackServer(answer: Answer): Promise<LoopbackServer> {
  const requests: ProviderRequest[] = [];
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(incoming);
    requests.push(request);
    await answer(request, response);
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  server.on('connection', (socket) => socket.unref());
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, requests, close };
}

async function readRequest(incoming: IncomingMessage): Promise<ProviderRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  const { method = '', url: path = '' } = incoming;
  return { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
}
