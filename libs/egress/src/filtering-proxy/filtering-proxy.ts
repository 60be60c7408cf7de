import http from 'node:http';
import type net from 'node:net';
import { BlockedUrlError } from '../egress-errors.js';
import type { EgressGuard } from '../guard.js';
import { canonicalAddress } from '../ip-address.js';
import { sendRefusal } from './forward-request.js';
import { parseConnectTarget } from './proxy-target.js';
import {
  DEFAULT_PROXY_LIMITS,
  type ProxyLimits,
  type ProxySession,
  type ProxySessionOptions,
  type SessionBooks,
} from './proxy-session.js';
import { refusalText, refusalKindOf, type RefusalKind } from './refusal.js';
import { listenOnLoopback, loopbackUrl, SessionPort, type PortHost } from './session-port.js';

/** Opens sockets to vetted addresses, TCP only. */
export interface ProxyDialler {
  /** @throws BlockedUrlError | ResolveError | the socket's error | the signal's reason */
  connect(
    url: URL,
    signal: AbortSignal,
    country: string | null,
  ): Promise<{ readonly socket: net.Socket }>;
}

export interface FilteringProxyOptions {
  readonly guard: EgressGuard;
  readonly dialler: ProxyDialler;
  readonly limits?: Partial<ProxyLimits>;
  /** Called for each thing that a browser asks `refusingUrl` for, on its own account. */
  readonly onUnsolicited?: (target: string) => void;
}

/** How often, within their time, connections without a whole request head are looked for. */
const HEAD_CHECKS = 5;

/**
 * A browser's only way out. Each session is a port of its own on loopback, since credentials for a
 * proxy make Playwright intercept every request. CONNECT (https, ws, wss) becomes a tunnel of raw
 * bytes; plain http is passed on, request by request. Every target passes the guard and is dialled
 * at an address that was vetted, so names are resolved here and never by the browser.
 *
 * Limits: a port admits any program of this machine while it is open, but leads nowhere private.
 * Inside a tunnel nothing is read: what a site says there about other addresses comes back as
 * requests of their own.
 */
export class FilteringProxy {
  private readonly limits: ProxyLimits;
  private readonly keeper: PortHost;
  /**
   * One HTTP server reads for all ports, so a session costs a listener; its own port refuses all.
   */
  private readonly server: http.Server;
  private readonly portOf = new WeakMap<net.Socket, SessionPort>();
  private readonly proxyPorts = new Set<SessionPort>();
  private readonly strangers = new Set<net.Socket>();
  private readonly turns = new WeakMap<net.Socket, http.ServerResponse>();
  private refusingPort: number | undefined;
  private unsolicited = 0;

  constructor(private readonly options: FilteringProxyOptions) {
    this.limits = { ...DEFAULT_PROXY_LIMITS, ...options.limits };
    this.server = this.createServer();
    this.keeper = {
      limits: this.limits,
      guard: options.guard,
      connect: (url, signal, country) => this.connect(url, signal, country),
      serve: (client, proxyPort) => this.serve(client, proxyPort),
      forget: (proxyPort) => this.proxyPorts.delete(proxyPort),
    };
  }

  /** @throws the listener's error */
  async start(): Promise<void> {
    this.refusingPort = await listenOnLoopback(this.server);
  }

  /**
   * Address of a port that refuses everything. Browsers are launched with it, so that their own
   * requests never leave.
   * @throws Error when the proxy is not running
   */
  get refusingUrl(): string {
    if (this.refusingPort === undefined) throw new Error('The filtering proxy is not running');
    return loopbackUrl(this.refusingPort);
  }

  /** Requests that came to {@link refusingUrl}. */
  get unsolicitedRequests(): number {
    return this.unsolicited;
  }

  /** @throws Error when too many sessions are open, or the proxy is not running */
  async openSession(options: ProxySessionOptions): Promise<ProxySession> {
    if (this.refusingPort === undefined) throw new Error('The filtering proxy is not running');
    if (this.proxyPorts.size >= this.limits.maxSessions) {
      throw new Error(`The filtering proxy has ${this.proxyPorts.size} sessions open, its most`);
    }
    const proxyPort = new SessionPort(options, this.keeper);
    // Counted before it listens, so that many at once cannot pass the bound together.
    this.proxyPorts.add(proxyPort);
    try {
      await proxyPort.open();
    } catch (error) {
      this.proxyPorts.delete(proxyPort);
      throw error;
    }
    return proxyPort;
  }

  async close(): Promise<void> {
    this.refusingPort = undefined;
    await Promise.all([...this.proxyPorts].map((proxyPort) => proxyPort.close()));
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const stranger of this.strangers) stranger.destroy();
    await closed;
  }

  /** A socket that leads to no port of this proxy, whatever rules allow. */
  private async connect(
    url: URL,
    signal: AbortSignal,
    country: string | null,
  ): Promise<net.Socket> {
    const { socket } = await this.options.dialler.connect(url, signal, country);
    if (!this.isOwnPort(socket)) return socket;
    socket.destroy();
    throw new BlockedUrlError('connect', url.href);
  }

  private isOwnPort({ remoteAddress = '', remotePort }: net.Socket): boolean {
    if (canonicalAddress(remoteAddress) !== '127.0.0.1') return false;
    return (
      remotePort === this.refusingPort ||
      [...this.proxyPorts].some(({ port }) => port === remotePort)
    );
  }

  private createServer(): http.Server {
    const { maxHeaderBytes, requestHeadTimeoutMs, idleTimeoutMs, responseHeadTimeoutMs } =
      this.limits;
    const server = http.createServer({
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: requestHeadTimeoutMs,
      keepAliveTimeout: idleTimeoutMs,
      connectionsCheckingInterval: requestHeadTimeoutMs / HEAD_CHECKS,
      // A body may take its time as long as it moves.
      requestTimeout: 0,
      insecureHTTPParser: false,
      noDelay: true,
    });
    // Only for a client that stops in mid-body: it must not cut short the wait for a response.
    server.timeout = idleTimeoutMs + responseHeadTimeoutMs;
    server.on('connection', (client: net.Socket) => this.noteStranger(client));
    server.on('request', (request, response) => this.onRequest(request, response));
    server.on('connect', (request, client: net.Socket, head) => {
      this.onConnect(request, client, head);
    });
    server.on('upgrade', (request, client: net.Socket) => this.onUpgrade(request, client));
    return server;
  }

  private serve(client: net.Socket, proxyPort: SessionPort): void {
    this.portOf.set(client, proxyPort);
    this.server.emit('connection', client);
  }

  private noteStranger(client: net.Socket): void {
    if (this.portOf.has(client)) return;
    this.strangers.add(client);
    client.once('close', () => this.strangers.delete(client));
  }

  private onRequest(request: http.IncomingMessage, response: http.ServerResponse): void {
    if (!this.takesTurn(request.socket)) return;
    this.turns.set(request.socket, response);
    const proxyPort = this.portOf.get(request.socket);
    if (proxyPort !== undefined) return proxyPort.forwarder.forward(request, response);
    this.noteUnsolicited(request);
    sendRefusal(response, 'blocked');
  }

  private onConnect(request: http.IncomingMessage, client: net.Socket, head: Buffer): void {
    if (!this.takesTurn(client)) return;
    const books = this.portOf.get(client)?.books;
    const authority = request.url ?? '';
    if (books !== undefined) {
      return void openTunnel(this.options.guard, books, { authority, client, head });
    }
    this.noteUnsolicited(request);
    farewell(client, refusalText('blocked'));
  }

  /**
   * Browsers open WebSockets with CONNECT; a client that sends `Upgrade` through a proxy is none.
   */
  private onUpgrade(request: http.IncomingMessage, client: net.Socket): void {
    if (!this.takesTurn(client)) return;
    const books = this.portOf.get(client)?.books;
    if (books === undefined) this.noteUnsolicited(request);
    books?.admit();
    books?.refuse('blocked', request.url ?? '');
    farewell(client, refusalText('blocked'));
  }

  /**
   * One request at a time per connection. Browsers do not pipeline, and a pipelined request could be
   * a CONNECT, whose bytes would mix with those of the response before it.
   */
  private takesTurn(client: net.Socket): boolean {
    const last = this.turns.get(client);
    const isFree = last === undefined || last.writableEnded;
    if (!isFree) client.destroy();
    return isFree;
  }

  private noteUnsolicited(request: http.IncomingMessage): void {
    this.unsolicited++;
    this.options.onUnsolicited?.(request.url ?? '');
  }
}

const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';
/** How long a refused client may take to read why. */
const FAREWELL_MS = 2_000;

/**
 * Ends a raw connection with the reason; reads on meanwhile, since a reset would swallow the text.
 */
function farewell(client: net.Socket, text: string): void {
  client.on('error', () => client.destroy());
  client.setTimeout(FAREWELL_MS, () => client.destroy());
  client.resume();
  client.end(text);
}

/**
 * Responds to CONNECT: vets the target, dials a vetted address, then passes bytes unread both ways.
 * @param head bytes the client sent behind its request already
 */
async function openTunnel(
  guard: EgressGuard,
  session: SessionBooks,
  request: { readonly authority: string; readonly client: net.Socket; readonly head: Buffer },
): Promise<void> {
  const { authority, client, head } = request;
  const refuse = (kind: RefusalKind) => {
    session.refuse(kind, authority);
    farewell(client, refusalText(kind));
  };
  // No other listener is left on the socket.
  client.on('error', () => client.destroy());
  if (!session.admit()) return refuse('budget');
  try {
    const origin = await session.dial(parseConnectTarget(guard, authority));
    if (client.destroyed) return void origin.destroy();
    join(session, { client, origin, head, authority });
  } catch (error) {
    if (!client.destroyed) refuse(refusalKindOf(error));
  }
}

function join(
  session: SessionBooks,
  ends: { client: net.Socket; origin: net.Socket; head: Buffer; authority: string },
): void {
  const { client, origin, head, authority } = ends;
  const measure = () => session.measure(origin, authority);
  // What moves on one end has moved on the other, so one clock is enough.
  client.setTimeout(session.limits.idleTimeoutMs, () => client.destroy());
  client.setNoDelay(true);
  client.once('close', () => origin.destroySoon());
  origin.once('close', () => client.destroySoon());
  client.write(ESTABLISHED);
  if (head.length > 0) origin.write(head);
  client.pipe(origin);
  origin.pipe(client);
  client.on('data', measure);
  origin.on('data', measure);
}
