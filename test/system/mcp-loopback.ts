import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { createToolServer, openToolCalls } from '../../apps/cli/src/mcp/tool-server.js';

export interface McpLoopback {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The tool server over HTTP on loopback, for suites that only speak HTTP. Only tests use it: the service offers no
 * hosted tool server (specification: Key provisioning and public files).
 */
export async function startMcpLoopback(access: {
  url: string;
  apiKey: string;
}): Promise<McpLoopback> {
  const calls = openToolCalls({ findAccess: () => access, log: () => undefined });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];

  async function openSession(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      enableDnsRebindingProtection: true,
      allowedHosts: hosts,
      allowedOrigins: hosts.map((host) => `http://${host}`),
    });
    await createToolServer(calls, '0.0.0').connect(transport);
    return transport;
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const sessionId = String(incoming.headers['mcp-session-id'] ?? '');
    const transport = sessions.get(sessionId) ?? (await openSession());
    await answer(outgoing, await transport.handleRequest(toRequest(incoming, outgoing, port)));
  }

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function toRequest(incoming: IncomingMessage, outgoing: ServerResponse, port: number): Request {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const { method = 'GET', url = '/' } = incoming;
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://127.0.0.1:${port}${url}`, {
    method,
    headers: new Headers(headers as [string, string][]),
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  } as RequestInit);
}

async function answer(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) return void outgoing.end();
  const body = Readable.fromWeb(response.body as WebStream<Uint8Array>);
  outgoing.once('close', () => body.destroy());
  // The suite closes streams that it needs no more.
  body.on('error', () => outgoing.destroy());
  outgoing.flushHeaders();
  body.pipe(outgoing);
}
