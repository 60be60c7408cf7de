import { Connection, type ConnectionOptions } from './connection.js';
import type { Dialled } from './dial.js';

export interface ConnectionPoolOptions extends ConnectionOptions {
  readonly dial: (url: URL, signal: AbortSignal) => Promise<Dialled>;
  readonly maxConnectionsPerOrigin: number;
  /** Idle sockets kept over all origins. */
  readonly maxIdleConnections: number;
}

/** A connection for one request; give it back with {@link ConnectionPool.release}. */
export interface Lease {
  readonly connection: Connection;
  readonly reused: boolean;
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
}

/** A busy connection is not reused past this age, so that its host is resolved and vetted again. */
const MAX_CONNECTION_AGE_MS = 300_000;

interface Waiter {
  readonly resolve: (lease: Lease) => void;
  readonly dial: () => void;
}

interface Origin {
  /** Open and dialling connections. */
  open: number;
  readonly idle: Connection[];
  readonly waiters: Set<Waiter>;
}

/** Keeps vetted sockets alive per origin, in the order of last use, under two caps. */
export class ConnectionPool {
  private readonly origins = new Map<string, Origin>();
  private readonly connections = new Set<Connection>();
  /** Oldest first. */
  private readonly idle = new Set<Connection>();
  private isClosed = false;

  constructor(private readonly options: ConnectionPoolOptions) {}

  /** A pooled connection, a new one, or a turn in the origin's queue, whichever comes first. */
  async acquire(url: URL, signal: AbortSignal, mustBeNew = false): Promise<Lease> {
    if (this.isClosed) throw new Error('The HTTP client is closed');
    const origin = this.originOf(url);
    const pooled = mustBeNew ? undefined : this.takeIdle(origin);
    if (pooled !== undefined) return reuse(pooled);
    if (origin.open >= this.options.maxConnectionsPerOrigin) {
      if (!mustBeNew || !this.dropIdle(origin)) return this.wait(url, origin, signal);
    }
    return this.open(url, origin, signal);
  }

  /** Ends a lease. A connection that is still alive serves the next request. */
  release({ connection }: Lease): void {
    if (!connection.isAlive) return;
    const isStale = Date.now() - connection.openedAtMs > MAX_CONNECTION_AGE_MS;
    if (isStale || this.isClosed) return connection.destroy();
    const origin = this.origins.get(connection.origin);
    const waiter = first(origin?.waiters);
    if (waiter !== undefined) return waiter.resolve(reuse(connection));
    origin?.idle.push(connection);
    this.idle.add(connection);
    if (this.idle.size > this.options.maxIdleConnections) first(this.idle)?.destroy();
  }

  close(): void {
    this.isClosed = true;
    for (const connection of this.connections) connection.destroy();
  }

  private originOf(url: URL): Origin {
    const known = this.origins.get(url.origin);
    if (known !== undefined) return known;
    const origin: Origin = { open: 0, idle: [], waiters: new Set() };
    this.origins.set(url.origin, origin);
    return origin;
  }

  private takeIdle(origin: Origin): Connection | undefined {
    // Last used first: the others may then grow old and close.
    const connection = origin.idle.pop();
    if (connection !== undefined) this.idle.delete(connection);
    return connection;
  }

  private dropIdle(origin: Origin): boolean {
    const connection = this.takeIdle(origin);
    connection?.destroy();
    return connection !== undefined;
  }

  private async open(url: URL, origin: Origin, signal: AbortSignal): Promise<Lease> {
    origin.open++;
    try {
      const dialled = await this.options.dial(url, signal);
      const connection = new Connection(url.origin, dialled, this.options);
      this.connections.add(connection);
      connection.onClosed(() => this.forget(url, origin, connection));
      if (this.isClosed) connection.destroy();
      const { dnsMs, connectMs, tlsMs } = dialled;
      return { connection, reused: false, dnsMs, connectMs, tlsMs };
    } catch (error) {
      this.freeSlot(url, origin);
      throw error;
    }
  }

  private wait(url: URL, origin: Origin, signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        origin.waiters.delete(waiter);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        leave();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        resolve: (lease) => {
          leave();
          resolve(lease);
        },
        dial: () => {
          leave();
          this.open(url, origin, signal).then(resolve, reject);
        },
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      origin.waiters.add(waiter);
    });
  }

  private forget(url: URL, origin: Origin, connection: Connection): void {
    this.connections.delete(connection);
    this.idle.delete(connection);
    const index = origin.idle.indexOf(connection);
    if (index >= 0) origin.idle.splice(index, 1);
    this.freeSlot(url, origin);
  }

  private freeSlot(url: URL, origin: Origin): void {
    origin.open--;
    const waiter = first(origin.waiters);
    if (waiter !== undefined && !this.isClosed) waiter.dial();
    else if (origin.open === 0 && origin.waiters.size === 0) this.origins.delete(url.origin);
  }
}

function reuse(connection: Connection): Lease {
  return { connection, reused: true, dnsMs: 0, connectMs: 0, tlsMs: 0 };
}

function first<T>(set: ReadonlySet<T> | undefined): T | undefined {
  return set?.values().next().value;
}
