import net from 'node:net';
import type { EgressGuard } from '../guard.js';
import { Forwarder } from './forward-request.js';
import {
  type ProxySession,
  type ProxySessionOptions,
  type ProxyUsage,
  SessionBooks,
  type SessionHost,
} from './proxy-session.js';
import type { Refusal, RefusalKind } from './refusal.js';

/** The part of the proxy that a session port needs. */
export interface PortHost extends SessionHost {
  readonly guard: EgressGuard;
  /** Takes a connection; the port ends it with the session. */
  serve(client: net.Socket, proxyPort: SessionPort): void;
  /** The port is closed. */
  forget(proxyPort: SessionPort): void;
}

/** The port of a session, and all that came in through it. */
export class SessionPort implements ProxySession {
  readonly books: SessionBooks;
  readonly forwarder: Forwarder;
  private readonly listener: net.Server;
  private closed: Promise<void> | undefined;
  private openPort = 0;

  constructor(
    options: ProxySessionOptions,
    private readonly host: PortHost,
  ) {
    this.books = new SessionBooks(options, host);
    this.forwarder = new Forwarder(host.guard, this.books);
    this.listener = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      this.books.addClient(client);
      host.serve(client, this);
    });
    this.listener.maxConnections = host.limits.maxConnectionsPerSession;
  }

  async open(): Promise<void> {
    this.openPort = await listenOnLoopback(this.listener);
  }

  get port(): number {
    return this.openPort;
  }

  get url(): string {
    return loopbackUrl(this.openPort);
  }

  get usage(): ProxyUsage {
    return this.books.usage;
  }

  get lastRefusal(): Refusal | null {
    return this.books.lastRefusal;
  }

  refusalOf(target: string): RefusalKind | null {
    return this.books.refusalOf(target);
  }

  renew(): void {
    this.books.renew();
  }

  close(): Promise<void> {
    return (this.closed ??= this.end());
  }

  private async end(): Promise<void> {
    const ended = new Promise((resolve) => this.listener.close(resolve));
    this.books.close();
    this.forwarder.close();
    await ended;
    this.host.forget(this);
  }
}

export function loopbackUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Listens where no other machine can connect. @returns the port */
export function listenOnLoopback(server: net.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
