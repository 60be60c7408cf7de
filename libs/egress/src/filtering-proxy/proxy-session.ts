import type net from 'node:net';
import { ProxyTimeoutError, type Refusal, type RefusalKind } from './refusal.js';

export interface ProxySessionOptions {
  /** Country of the outbound proxy to use; null: any. */
  readonly country: string | null;
  /** Requests and tunnels together, refused ones included. */
  readonly maxRequests: number;
  /** Bytes to and from sites together, heads included, as they are on the wire. */
  readonly maxBytes: number;
  /** Called for each target that the guard refuses. */
  readonly onBlocked?: (target: string) => void;
}

export interface ProxyUsage {
  readonly requests: number;
  /** From sites. */
  readonly bytesIn: number;
  /** To sites. */
  readonly bytesOut: number;
  /** Refusals of any kind. */
  readonly blocked: number;
}

/** A proxy port of one browser context or client. Its opener closes it. */
export interface ProxySession {
  /** `http://127.0.0.1:PORT`. Any program of this machine may use it while it is open. */
  readonly url: string;
  readonly usage: ProxyUsage;
  /** The last refusal; null when there was none. */
  readonly lastRefusal: Refusal | null;
  /**
   * How a target was refused: a URL, or `host:port`, as the client requested it. Null: it was not.
   */
  refusalOf(target: string): RefusalKind | null;
  /** For the next page of the same client: usage to zero, the budget whole, nothing refused yet. */
  renew(): void;
  /** Closes the port and every connection through it at once. */
  close(): Promise<void>;
}

/** The part of the proxy that a session needs. */
export interface SessionHost {
  readonly limits: ProxyLimits;
  connect(url: URL, signal: AbortSignal, country: string | null): Promise<net.Socket>;
}

interface Counted {
  bytesIn: number;
  bytesOut: number;
}

/** Books of one session: its sockets on both sides, its usage and its refusals. */
export class SessionBooks {
  private readonly refusals = new RefusalLog();
  private requests = 0;
  private bytesIn = 0;
  private bytesOut = 0;
  private blocked = 0;
  private isClosed = false;
  private readonly clients = new Set<net.Socket>();
  private readonly origins = new Map<net.Socket, Counted>();
  private readonly dials = new Set<AbortController>();

  constructor(
    private readonly options: ProxySessionOptions,
    private readonly host: SessionHost,
  ) {}

  get lastRefusal(): Refusal | null {
    return this.refusals.last;
  }

  refusalOf(target: string): RefusalKind | null {
    return this.refusals.kindOf(target);
  }

  get limits(): ProxyLimits {
    return this.host.limits;
  }

  get usage(): ProxyUsage {
    const { requests, bytesIn, bytesOut, blocked } = this;
    return { requests, bytesIn, bytesOut, blocked };
  }

  addClient(socket: net.Socket): void {
    this.clients.add(socket);
    socket.once('close', () => this.clients.delete(socket));
  }

  /** Counts one request; false when there are none left. */
  admit(): boolean {
    this.requests++;
    return this.requests <= this.options.maxRequests && this.bytesLeft() > 0;
  }

  refuse(kind: RefusalKind, target: string): void {
    if (this.isClosed) return;
    this.blocked++;
    this.refusals.add({ kind, target });
    if (kind === 'blocked') this.options.onBlocked?.(target.slice(0, MAX_TARGET_LENGTH));
  }

  /** A socket to the target, counted and ended with the session. @throws what the dialler throws */
  async dial(url: URL): Promise<net.Socket> {
    if (this.isClosed) throw new Error('The proxy session is closed');
    const dial = new AbortController();
    const timer = setTimeout(
      () => dial.abort(new ProxyTimeoutError('connecting')),
      this.limits.connectTimeoutMs,
    );
    this.dials.add(dial);
    try {
      const socket = await this.host.connect(url, dial.signal, this.options.country);
      this.addOrigin(socket);
      dial.signal.throwIfAborted();
      return socket;
    } catch (error) {
      // The abort is what failed it, whatever the dialler calls that.
      throw dial.signal.aborted ? dial.signal.reason : error;
    } finally {
      clearTimeout(timer);
      this.dials.delete(dial);
    }
  }

  /**
   * Counts the bytes moved on an origin's socket since the last call; ends all when they are too many.
   */
  measure(socket: net.Socket, target: string): void {
    const counted = this.origins.get(socket);
    if (counted === undefined) return;
    const bytesOut = socket.bytesWritten;
    this.bytesIn += socket.bytesRead - counted.bytesIn;
    this.bytesOut += bytesOut - counted.bytesOut;
    counted.bytesIn = socket.bytesRead;
    counted.bytesOut = bytesOut;
    if (this.bytesLeft() >= 0 || this.isClosed) return;
    this.refuse('budget', target);
    this.destroyAll();
  }

  renew(): void {
    // The bytes that a kept connection carried so far were the last page's.
    for (const origin of this.origins.keys()) this.measure(origin, '');
    this.requests = this.bytesIn = this.bytesOut = this.blocked = 0;
    this.refusals.clear();
  }

  close(): void {
    this.isClosed = true;
    this.destroyAll();
  }

  private bytesLeft(): number {
    return this.options.maxBytes - this.bytesIn - this.bytesOut;
  }

  private addOrigin(socket: net.Socket): void {
    this.origins.set(socket, { bytesIn: 0, bytesOut: 0 });
    socket.once('close', () => {
      this.measure(socket, '');
      this.origins.delete(socket);
    });
    // Each user of the socket listens to its end; between two users there is no listener.
    socket.on('error', () => socket.destroy());
    if (this.isClosed) socket.destroy();
  }

  private destroyAll(): void {
    for (const dial of this.dials) dial.abort(new Error('The proxy session is closed'));
    for (const socket of [...this.clients, ...this.origins.keys()]) socket.destroy();
  }
}

/** Bounds of a {@link FilteringProxy}. All are per process unless they say otherwise. */
export interface ProxyLimits {
  /** Session ports open at once. @default 256 */
  readonly maxSessions: number;
  /** Connections of one session's client; Chromium keeps at most 32 to one proxy. @default 64 */
  readonly maxConnectionsPerSession: number;
  /** Head of one request or response. @default 65_536 */
  readonly maxHeaderBytes: number;
  /** From a connection's opening to the end of a request's head. @default 10_000 */
  readonly requestHeadTimeoutMs: number;
  /** Name look-up and TCP. @default 15_000 */
  readonly connectTimeoutMs: number;
  /** From a request's arrival to the head of its response, dialling included. @default 60_000 */
  readonly responseHeadTimeoutMs: number;
  /** A tunnel, a body or a kept connection on which nothing moves. @default 60_000 */
  readonly idleTimeoutMs: number;
}

export const DEFAULT_PROXY_LIMITS: ProxyLimits = {
  maxSessions: 256,
  maxConnectionsPerSession: 64,
  maxHeaderBytes: 65_536,
  requestHeadTimeoutMs: 10_000,
  connectTimeoutMs: 15_000,
  responseHeadTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
};

/** Characters of a target that are kept. */
const MAX_TARGET_LENGTH = 2_048;
/** Far more than a page has in flight while the response to its own refused document is on its way. */
export const MAX_KEPT_REFUSALS = 128;

/** The refused requests of a page, by target; only the latest are kept. */
export class RefusalLog {
  /** The latest; a new object for each. */
  last: Refusal | null = null;
  private readonly kinds = new Map<string, RefusalKind>();

  add({ kind, target }: Refusal): void {
    const kept = target.slice(0, MAX_TARGET_LENGTH);
    this.last = { kind, target: kept };
    this.kinds.delete(kept);
    this.kinds.set(kept, kind);
    const [oldest] = this.kinds.keys();
    if (this.kinds.size > MAX_KEPT_REFUSALS && oldest !== undefined) this.kinds.delete(oldest);
  }

  /** How that URL or `host:port` was refused; null when it was not, or too many were since. */
  kindOf(target: string): RefusalKind | null {
    return this.kinds.get(target.slice(0, MAX_TARGET_LENGTH)) ?? null;
  }

  clear(): void {
    this.last = null;
    this.kinds.clear();
  }
}
