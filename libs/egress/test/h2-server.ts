import http2 from 'node:http2';
import type net from 'node:net';
import { TEST_CERT, TEST_KEY } from './tls-fixture.js';

export type H2Script = (
  stream: http2.ServerHttp2Stream,
  headers: http2.IncomingHttpHeaders,
) => void;

/** A server that speaks HTTP/2 over TLS, and HTTP/1.1 to clients that do not offer more. */
export class H2Server {
  /** Sessions opened so far. */
  readonly sessions: http2.ServerHttp2Session[] = [];
  /** Requests so far, in order of arrival. */
  readonly requests: http2.IncomingHttpHeaders[] = [];
  /** Reset codes of streams that have closed, in order. */
  readonly closed: number[] = [];
  readonly sockets = new Set<net.Socket>();

  private constructor(private readonly server: http2.Http2SecureServer) {}

  static async start(script: H2Script, options: http2.SecureServerOptions = {}): Promise<H2Server> {
    const server = http2.createSecureServer({ key: TEST_KEY, cert: TEST_CERT, ...options });
    const started = new H2Server(server);
    server.on('session', (session) => {
      started.sessions.push(session);
      // Clients under test hang up in mid-response.
      session.on('error', () => session.destroy());
    });
    server.on('secureConnection', (socket: net.Socket) => {
      started.sockets.add(socket);
      socket.on('close', () => started.sockets.delete(socket));
    });
    server.on('stream', (stream, headers) => {
      started.requests.push(headers);
      stream.on('error', () => stream.destroy());
      stream.once('close', () => started.closed.push(stream.rstCode));
      script(stream, headers);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.destroy();
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** A whole response. */
export function reply(
  stream: http2.ServerHttp2Stream,
  body: string | Buffer,
  headers: http2.OutgoingHttpHeaders = {},
): void {
  stream.respond({ ':status': 200, ...headers });
  stream.end(body);
}

/** One frame of HTTP/2 (RFC 9113 4.1), for servers that break its rules. */
export function frame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}
