import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * Stands before a server on loopback and lets everything through, slowly, or nothing at all: to its
 * clients the server then is one that takes connections and bytes and does not answer.
 */
export class PressureGate {
  private readonly sockets = new Set<Socket>();
  private isShut = false;
  private delayMs = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
  ) {
    server.on('connection', (client) => this.join(client));
  }

  static async before(url: string): Promise<PressureGate> {
    const { hostname, port } = new URL(url);
    const gate = new PressureGate(createServer(), { host: hostname, port: Number(port) });
    await new Promise<void>((resolve, reject) => {
      gate.server.once('error', reject);
      gate.server.listen(0, '127.0.0.1', resolve);
    });
    return gate;
  }

  /** The same address with this gate in the server's place. */
  through(url: string): string {
    const { port } = this.server.address() as AddressInfo;
    const gated = new URL(url);
    gated.hostname = '127.0.0.1';
    gated.port = String(port);
    return gated.href;
  }

  shut(): void {
    this.isShut = true;
    for (const socket of this.sockets) socket.pause();
  }

  open(): void {
    this.isShut = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Every piece of data on its way to the server waits so long. */
  slowDown(delayMs: number): void {
    this.delayMs = delayMs;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(client: Socket): void {
    const server = connect(this.target.port, this.target.host);
    this.pass(client, server, () => this.delayMs);
    this.pass(server, client, () => 0);
  }

  private pass(from: Socket, to: Socket, delayMs: () => number): void {
    this.sockets.add(from);
    if (this.isShut) from.pause();
    from.on('data', (chunk: Buffer) => void this.forward({ from, to, chunk, delayMs: delayMs() }));
    from.on('end', () => to.end());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
    // Either side may break off; `close` follows and does what is due.
    from.on('error', () => from.destroy());
  }

  /** One piece at a time and in order: the next is read when this one has been taken. */
  private async forward({ from, to, chunk, delayMs }: Piece): Promise<void> {
    from.pause();
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    await new Promise((resolve) => to.write(chunk, resolve));
    if (!this.isShut) from.resume();
  }
}

interface Piece {
  readonly from: Socket;
  readonly to: Socket;
  readonly chunk: Buffer;
  readonly delayMs: number;
}
