import net from 'node:net';
import tls from 'node:tls';

/** What a scripted server does with one request; `turn` counts requests of the whole server from 0. */
export type Script = (socket: net.Socket, head: string, turn: number) => void;

export interface RawServerOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Called when a socket opens, before any byte. */
  readonly onConnection?: (socket: net.Socket) => void;
  /** @default '127.0.0.1' */
  readonly host?: string;
}

/** A server written byte by byte, for responses that no HTTP library would send. */
export class RawServer {
  /** Sockets accepted so far. */
  connections = 0;
  /** Request heads in order of arrival. */
  readonly heads: string[] = [];
  readonly sockets = new Set<net.Socket>();

  private constructor(private readonly server: net.Server) {}

  static async start(script: Script, options: RawServerOptions = {}): Promise<RawServer> {
    const server = options.tls === undefined ? net.createServer() : tls.createServer(options.tls);
    const raw = new RawServer(server);
    server.on(
      options.tls === undefined ? 'connection' : 'secureConnection',
      (socket: net.Socket) => {
        raw.connections++;
        raw.sockets.add(socket);
        socket.on('close', () => raw.sockets.delete(socket));
        // Clients under test hang up in mid-response.
        socket.on('error', () => socket.destroy());
        options.onConnection?.(socket);
        raw.readHeads(socket, script);
      },
    );
    await new Promise<void>((resolve) => server.listen(0, options.host ?? '127.0.0.1', resolve));
    return raw;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private readHeads(socket: net.Socket, script: Script): void {
    let buffered = '';
    socket.on('data', (chunk: Buffer) => {
      buffered += chunk.toString('latin1');
      const end = buffered.indexOf('\r\n\r\n');
      if (end < 0) return;
      const bodyBytes = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? 0);
      if (buffered.length < end + 4 + bodyBytes) return;
      const head = buffered.slice(0, end + 4 + bodyBytes);
      buffered = buffered.slice(head.length);
      this.heads.push(head);
      script(socket, head, this.heads.length - 1);
    });
  }
}

/** A whole response with a Content-Length. */
export function responseOf(
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  status = '200 OK',
): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ 'Content-Length': String(bytes.length), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head}\r\n`, 'latin1'), bytes]);
}

/** A redirect without body. */
export function redirect(location: string, status = 302): Buffer {
  return responseOf('', { Location: location }, `${status} Redirect`);
}
