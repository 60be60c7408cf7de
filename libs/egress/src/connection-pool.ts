import type { Connection, ConnectionOptions } from './connection.js';
import type { Dialled } from './dial.js';
import type { ProxyRoute } from './proxies/outbound-proxies.js';
import { H1Connection } from './h1-connection.js';
import { H2Connection } from './h2-connection.js';

export interface ConnectionPoolOptions extends ConnectionOptions {
  readonly dial: (target: PoolTarget, signal: AbortSignal) => Promise<Dialled>;
  readonly maxConnectionsPerOrigin: number;
  /** Idle sockets kept over all origins. */
  readonly maxIdleConnections: number;
  readonly allowH2: boolean;
}

/** Connections are shared by requests of one origin and one way to it. */
export interface PoolTarget {
  readonly url: URL;
  readonly route: ProxyRoute | null;
}

/** Room for one request; give it back with {@link ConnectionPool.release}. */
export interface Lease {
  readonly connection: Connection;
  readonly slot: Slot;
  readonly reused: boolean;
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
}

/** A connection is not reused past this age, so that its host is resolved and vetted again. */
const MAX_CONNECTION_AGE_MS = 300_000;

interface Waiter {
  readonly resolve: (lease: Lease) => void;
  readonly dial: () => void;
}

/** A connection and how many requests are on it. */
interface Slot {
  readonly connection: Connection;
  readonly origin: Origin;
  leases: number;
  /** How many requests it may carry is not known yet; until then it counts as being dialled. */
  isSettling: boolean;
}

interface Origin {
  readonly key: string;
  /** Open and dialling connections. */
  open: number;
  dialling: number;
  /**
   * Where one connection may carry many requests, the next dial waits for the protocol of the first.
   */
  mayShare: boolean;
  /** Slots with room, last used last. */
  readonly roomy: Slot[];
  readonly waiters: Set<Waiter>;
}

/** Keeps vetted sockets alive per origin, in the order of last use, under two caps. */
export class ConnectionPool {
  private readonly origins = new Map<string, Origin>();
  private readonly slots = new Set<Slot>();
  /** Oldest first. */
  private readonly idle = new Set<Slot>();
  private isClosed = false;

  constructor(private readonly options: ConnectionPoolOptions) {}

  /**
   * Room on a pooled connection, a new one, or a turn in the origin's queue, whichever comes first.
   */
  async acquire(target: PoolTarget, signal: AbortSignal, mustBeNew = false): Promise<Lease> {
    if (this.isClosed) throw new Error('The HTTP client is closed');
    const origin = this.originOf(target);
    const pooled = mustBeNew ? undefined : this.takeRoom(origin);
    if (pooled !== undefined) return pooled;
    if (mustBeNew) this.makePlace(origin);
    return this.mayDial(origin)
      ? this.open(target, origin, signal)
      : this.wait(target, origin, signal);
  }

  /** Ends a lease. A connection that is still alive serves the next request. */
  release({ slot }: Lease): void {
    const { connection } = slot;
    slot.leases--;
    if (!connection.isAlive) return;
    if (isStale(connection) || this.isClosed) return connection.retire();
    this.offer(slot);
    if (slot.leases > 0 || !connection.isAlive) return;
    connection.rest();
    this.idle.add(slot);
    if (this.idle.size > this.options.maxIdleConnections) first(this.idle)?.connection.destroy();
  }

  close(): void {
    this.isClosed = true;
    for (const { connection } of this.slots) connection.destroy();
  }

  private originOf({ url, route }: PoolTarget): Origin {
    const key = route === null ? url.origin : `${url.origin} ${route.key}`;
    const known = this.origins.get(key);
    if (known !== undefined) return known;
    const mayShare = this.options.allowH2 && url.protocol === 'https:';
    const origin: Origin = { key, open: 0, dialling: 0, mayShare, roomy: [], waiters: new Set() };
    this.origins.set(key, origin);
    return origin;
  }

  private takeRoom(origin: Origin): Lease | undefined {
    // Last used first: the others may then grow old and close.
    for (let slot; (slot = origin.roomy.at(-1)) !== undefined;) {
      const { connection } = slot;
      if (connection.isAlive && isStale(connection)) {
        connection.retire();
        continue;
      }
      if (!connection.isAlive || slot.leases >= connection.capacity) {
        origin.roomy.pop();
        continue;
      }
      this.idle.delete(slot);
      if (++slot.leases >= connection.capacity) origin.roomy.pop();
      return { connection, slot, reused: true, dnsMs: 0, connectMs: 0, tlsMs: 0 };
    }
    return undefined;
  }

  private mayDial(origin: Origin): boolean {
    if (origin.mayShare && origin.dialling > 0) return false;
    return origin.open < this.options.maxConnectionsPerOrigin;
  }

  private makePlace(origin: Origin): void {
    if (origin.open < this.options.maxConnectionsPerOrigin) return;
    origin.roomy.findLast(({ leases }) => leases === 0)?.connection.destroy();
  }

  private async open(target: PoolTarget, origin: Origin, signal: AbortSignal): Promise<Lease> {
    origin.open++;
    origin.dialling++;
    try {
      const dialled = await this.options.dial(target, signal);
      const connection = createConnection(target.url.origin, dialled, this.options);
      const { dnsMs, connectMs, tlsMs } = dialled;
      const slot = this.enrol(origin, connection);
      return { connection, slot, reused: false, dnsMs, connectMs, tlsMs };
    } catch (error) {
      // Requests that waited to share it dial for themselves now.
      origin.mayShare = false;
      origin.dialling--;
      this.freePlace(origin);
      throw error;
    }
  }

  private enrol(origin: Origin, connection: Connection): Slot {
    const slot: Slot = { connection, origin, leases: 1, isSettling: true };
    origin.mayShare = connection.protocol === 'h2';
    this.slots.add(slot);
    connection.listen({
      onClosed: () => this.forget(slot),
      onRoom: () => {
        settle(slot);
        this.offer(slot);
      },
    });
    if (this.isClosed) connection.destroy();
    return slot;
  }

  /** Lets further requests onto the connection, up to its capacity. */
  private offer(slot: Slot): void {
    const { connection, origin } = slot;
    if (connection.isAlive && slot.leases < connection.capacity && !origin.roomy.includes(slot))
      origin.roomy.push(slot);
    this.serveWaiters(origin);
  }

  private serveWaiters(origin: Origin): void {
    for (let waiter; !this.isClosed && (waiter = first(origin.waiters)) !== undefined;) {
      const lease = this.takeRoom(origin);
      if (lease !== undefined) waiter.resolve(lease);
      else if (this.mayDial(origin)) waiter.dial();
      else return;
    }
  }

  private wait(target: PoolTarget, origin: Origin, signal: AbortSignal): Promise<Lease> {
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
          this.open(target, origin, signal).then(resolve, reject);
        },
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      origin.waiters.add(waiter);
    });
  }

  private forget(slot: Slot): void {
    const { origin } = slot;
    this.slots.delete(slot);
    this.idle.delete(slot);
    settle(slot);
    const index = origin.roomy.indexOf(slot);
    if (index >= 0) origin.roomy.splice(index, 1);
    this.freePlace(origin);
  }

  private freePlace(origin: Origin): void {
    origin.open--;
    this.serveWaiters(origin);
    if (origin.open === 0 && origin.waiters.size === 0 && this.origins.get(origin.key) === origin)
      this.origins.delete(origin.key);
  }
}

function settle(slot: Slot): void {
  if (slot.isSettling) slot.origin.dialling--;
  slot.isSettling = false;
}

function isStale({ openedAtMs }: Connection): boolean {
  return Date.now() - openedAtMs > MAX_CONNECTION_AGE_MS;
}

function first<T>(set: ReadonlySet<T> | undefined): T | undefined {
  return set?.values().next().value;
}

/** Speaks the protocol that the TLS handshake agreed on. */
function createConnection(
  origin: string,
  dialled: Dialled,
  options: ConnectionOptions,
): Connection {
  const isH2 = 'alpnProtocol' in dialled.socket && dialled.socket.alpnProtocol === 'h2';
  return isH2
    ? new H2Connection(origin, dialled, options)
    : new H1Connection(origin, dialled, options);
}
