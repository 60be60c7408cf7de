import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** One CONNECT as the proxy saw it. */
export interface ProxiedTunnel {
  /** `host:port` as it was requested. */
  readonly target: string;
  /** The Proxy-Authorization header; null without one. */
  readonly authorization: string | null;
  /** Bytes that came back from the target so far. */
  bytesIn: number;
  bytesOut: number;
  /** Port of our end towards the target, by which the target knows the tunnel; 0 until it is open. */
  localPort: number;
}

export interface ForwardProxyOptions {
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Where a tunnel really leads, for names that exist nowhere. @default as requested */
  readonly reroute?: (target: string) => string;
}

const MAX_HEAD_BYTES = 16_384;
const MAX_KEPT_TUNNELS = 100_000;

/**
 * A forward proxy on loopback that knows CONNECT and nothing else, and remembers every tunnel. Any
 * other method is answered 405, so a request that was not tunnelled is seen as a failure.
 */
export class ForwardProxy {
  readonly tunnels: ProxiedTunnel[] = [];
  private readonly sockets = new Set<Socket>();
  private origin = '';

  private constructor(
    private readonly server: Server,
    private readonly reroute: (target: string) => string,
  ) {
    server.on('connection', (socket) => this.greet(socket));
  }

  static async start(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
    const { port = 0, reroute = asAsked } = options;
    const proxy = new ForwardProxy(createServer(), reroute);
    await new Promise<void>((resolve, reject) => {
      proxy.server.once('error', reject);
      proxy.server.listen(port, '127.0.0.1', resolve);
    });
    const { port: taken } = proxy.server.address() as AddressInfo;
    proxy.origin = `http://127.0.0.1:${taken}`;
    return proxy;
  }

  /** Its address, also after it was closed. */
  get url(): string {
    return this.origin;
  }

  get openTunnels(): number {
    return this.sockets.size;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private greet(socket: Socket): void {
    this.follow(socket);
    let head = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0 && head.length < MAX_HEAD_BYTES) return;
      socket.off('data', read);
      socket.pause();
      this.open(socket, head.toString('latin1'), head.subarray(end + 4));
    };
    socket.on('data', read);
  }

  private open(socket: Socket, head: string, rest: Buffer): void {
    const target = /^CONNECT (\S+) HTTP\/1\.[01]\r\n/.exec(head)?.[1];
    if (target === undefined) {
      socket.end('HTTP/1.1 405 Method Not Allowed\r\nAllow: CONNECT\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const authorization = /\r\nproxy-authorization: *([^ \r].*)\r\n/i.exec(head)?.[1] ?? null;
    const tunnel: ProxiedTunnel = {
      target,
      authorization,
      bytesIn: 0,
      bytesOut: rest.length,
      localPort: 0,
    };
    if (this.tunnels.length < MAX_KEPT_TUNNELS) this.tunnels.push(tunnel);
    this.join(socket, rest, tunnel);
  }

  private join(socket: Socket, rest: Buffer, tunnel: ProxiedTunnel): void {
    const { hostname, port } = new URL(`http://${this.reroute(tunnel.target)}`);
    const upstream = connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ''));
    this.follow(upstream);
    let isOpen = false;
    upstream.once('connect', () => {
      isOpen = true;
      tunnel.localPort = upstream.localPort ?? 0;
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(rest);
      socket.on('data', (chunk: Buffer) => (tunnel.bytesOut += chunk.length));
      upstream.on('data', (chunk: Buffer) => (tunnel.bytesIn += chunk.length));
      socket.pipe(upstream).pipe(socket);
    });
    upstream.once('close', () => {
      if (isOpen) socket.destroy();
      else socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
    });
    socket.once('close', () => upstream.destroy());
  }

  private follow(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    // Either side may break off at any time; `close` follows and does what is due.
    socket.on('error', () => socket.destroy());
  }
}

const asAsked = (target: string): string => target;
