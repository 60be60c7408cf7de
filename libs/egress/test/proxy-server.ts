import net from 'node:net';
import tls from 'node:tls';
import { TEST_CERT, TEST_KEY } from './tls-fixture.js';

export interface ProxyServerOptions {
  /** Status for this CONNECT; 200 opens the tunnel. 0: never responds. @default always 200 */
  readonly statusFor?: (authority: string) => number;
  /** Bytes sent instead of any response; none: it hangs up. */
  readonly raw?: string;
  readonly tls?: boolean;
  /** `user:password` to require. */
  readonly credentials?: string;
  /** Port that all tunnels lead to, for targets that exist by name only. */
  readonly leadTo?: number;
}

/** An outbound proxy for tests: knows CONNECT only, and keeps a log. */
export class ProxyServer {
  /** The authority of each CONNECT, in order. */
  readonly asked: string[] = [];
  /** Open sockets, to clients and to targets. */
  private readonly sockets = new Set<net.Socket>();

  private constructor(
    private readonly server: net.Server,
    private readonly options: ProxyServerOptions,
  ) {}

  static async start(options: ProxyServerOptions = {}): Promise<ProxyServer> {
    const server = options.tls
      ? tls.createServer({ key: TEST_KEY, cert: TEST_CERT })
      : net.createServer();
    const proxy = new ProxyServer(server, options);
    server.on(options.tls ? 'secureConnection' : 'connection', (socket: net.Socket) => {
      proxy.keep(socket);
      proxy.readHead(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private keep(socket: net.Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }

  private readHead(socket: net.Socket): void {
    let head = '';
    const onData = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', onData);
      socket.pause();
      this.respond(socket, head);
    };
    socket.on('data', onData);
  }

  private respond(socket: net.Socket, head: string): void {
    const authority = /^CONNECT (\S+) /.exec(head)?.[1] ?? head;
    this.asked.push(authority);
    const { raw, credentials, statusFor = () => 200 } = this.options;
    if (raw === '') return void socket.end();
    if (raw !== undefined) return void socket.write(raw);
    const token = /^proxy-authorization: Basic (\S+)/im.exec(head)?.[1] ?? '';
    const isKnown =
      credentials === undefined || Buffer.from(token, 'base64').toString() === credentials;
    const status = isKnown ? statusFor(authority) : 407;
    if (status === 0) return;
    if (status !== 200)
      return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    this.tunnel(socket, authority);
  }

  private tunnel(socket: net.Socket, authority: string): void {
    const { port } = new URL(`http://${authority}`);
    const target = net.connect(this.options.leadTo ?? Number(port), '127.0.0.1');
    this.keep(target);
    target.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.once('close', () => socket.destroy());
    socket.once('close', () => target.destroy());
  }
}
