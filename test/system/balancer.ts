import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pause, until, type SpawnedApp } from '@app/testing';

/** Time between two questions whether a process is ready. */
const PROBE_MS = 200;

interface Endpoint {
  readonly app: SpawnedApp;
  isReady: boolean;
}

/**
 * A load balancer on loopback before API processes, as a Kubernetes Service is one: it hands on connections, not
 * requests, and a connection stays with its process. New ones go in turn to those whose `/health/ready` answers 200,
 * and none to one that was withdrawn. It tries no second process when one refuses.
 */
export class Balancer {
  /** Connections that no process took, each with what happened. */
  readonly refused: string[] = [];
  private readonly endpoints = new Map<SpawnedApp, Endpoint>();
  private readonly sockets = new Set<Socket>();
  private turn = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.accept(socket));
  }

  static async start(): Promise<Balancer> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return new Balancer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Follows the readiness of a process from now on; resolves once it gets connections. */
  async add(app: SpawnedApp): Promise<void> {
    const endpoint = { app, isReady: false };
    this.endpoints.set(app, endpoint);
    void this.follow(endpoint);
    await until(() => endpoint.isReady, { what: 'a ready API', timeoutMs: 120_000 });
  }

  /**
   * No new connection from now on, as when a pod is deleted: Kubernetes takes it out of the Service before the
   * preStop hook has ended, and SIGTERM follows that.
   */
  withdraw(app: SpawnedApp): void {
    this.endpoints.delete(app);
  }

  async close(): Promise<void> {
    this.endpoints.clear();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async follow(endpoint: Endpoint): Promise<void> {
    while (this.endpoints.get(endpoint.app) === endpoint) {
      endpoint.isReady = await isReady(endpoint.app);
      await pause(PROBE_MS);
    }
  }

  private accept(caller: Socket): void {
    this.keep(caller);
    const ready = [...this.endpoints.values()].filter((endpoint) => endpoint.isReady);
    const chosen = ready[this.turn++ % ready.length];
    if (!chosen) {
      this.refused.push('no process is ready');
      caller.resetAndDestroy();
      return;
    }
    const { hostname, port } = new URL(chosen.app.url);
    const api = connect(Number(port), hostname);
    this.keep(api);
    api.once('error', (error) => {
      if (api.bytesRead === 0 && api.bytesWritten === 0) this.refused.push(error.message);
    });
    caller.pipe(api).pipe(caller);
    // What breaks at one end breaks at the other; an end of one end is handed on by `pipe`.
    caller.once('error', () => api.destroy());
    api.once('error', () => caller.resetAndDestroy());
  }

  private keep(socket: Socket): void {
    socket.setNoDelay(true);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }
}

async function isReady({ metricsUrl }: SpawnedApp): Promise<boolean> {
  const response = await fetch(`${metricsUrl}/health/ready`).catch(() => null);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
