import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { RequestLog, type SiteRequest } from './request-log.js';

/** What a page handler gets. */
export interface Visit {
  readonly url: URL;
  readonly request: SiteRequest;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

export type Serve = (visit: Visit) => void | Promise<void>;

/** A page of a test's own: HTML, or a handler. */
export type OwnPage = string | Serve;

export interface SiteServerOptions {
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Requests whose details are kept; the rest are only counted. @default 20000 */
  readonly maxKeptRequests?: number;
  /**
   * Delay before each answer: one figure, or by path prefix (the longest match holds). @default 0
   */
  readonly latencyMs?: number | Readonly<Record<string, number>>;
}

const MAX_BODY_BYTES = 1_048_576;

/**
 * Of all sites of this process, in which sources are loaded anew for each spec file. A service that runs on from one
 * file to the next must not take a new site for one that it remembers.
 */
const ORIGINS = Symbol.for('origins of test sites');
const USED_ORIGINS: Set<string> = ((process as { [ORIGINS]?: Set<string> })[ORIGINS] ??= new Set());

/**
 * An HTTP server that records what it was asked and can be closed at once, whatever hangs on it.
 */
export class SiteServer {
  private readonly log: RequestLog;
  private readonly sockets = new Map<Socket, number>();
  private nextSocketId = 1;
  private readonly own = new Map<string, OwnPage>();
  private origin = '';
  private readonly server: Server;

  private constructor(
    private readonly handle: Serve,
    private readonly options: SiteServerOptions,
  ) {
    this.log = new RequestLog(options.maxKeptRequests ?? 20_000);
    this.server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 });
    this.server.on('connection', (socket) => this.follow(socket));
    this.server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(handle: Serve, options: SiteServerOptions = {}): Promise<SiteServer> {
    const site = new SiteServer(handle, options);
    const host = options.host ?? '127.0.0.1';
    for (;;) {
      await once(site.server.listen(options.port ?? 0, host), 'listening');
      const { port } = site.server.address() as AddressInfo;
      site.origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      if (options.port || !USED_ORIGINS.has(site.origin)) break;
      await once(site.server.close(), 'close');
    }
    USED_ORIGINS.add(site.origin);
    return site;
  }

  /** Absolute address of a path on this site. */
  url(path = '/'): string {
    return this.origin + path;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  /** Requests so far, oldest first; of one path, or of one path with its very query. */
  requests(path?: string): readonly SiteRequest[] {
    return this.log.find(path);
  }

  /** How often a path was requested, whatever its query. */
  count(path: string): number {
    return this.log.count(path);
  }

  countsByPath(): ReadonlyMap<string, number> {
    return this.log.countsByPath();
  }

  get totalRequests(): number {
    return this.log.total;
  }

  /** The most requests that were open at one moment. */
  get peakInFlight(): number {
    return this.log.peakInFlight;
  }

  get inFlight(): number {
    return this.log.inFlight;
  }

  get openSockets(): number {
    return this.sockets.size;
  }

  /** Puts pages of the test's own on the site, by exact path; they win over the site's. */
  serve(pages: Readonly<Record<string, OwnPage>>): void {
    for (const [path, page] of Object.entries(pages)) this.own.set(path, page);
  }

  /** Forgets what was asked; open connections stay. */
  reset(): void {
    this.log.clear();
  }

  /** Stops listening and breaks every connection. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets.keys()) socket.destroy();
    await closed;
  }

  private follow(socket: Socket): void {
    this.sockets.set(socket, this.nextSocketId++);
    socket.on('close', () => this.sockets.delete(socket));
    // Many pages exist to break the connection; there is no caller to report it to.
    socket.on('error', () => socket.destroy());
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = this.record(incoming);
    response.on('close', () => this.log.end(request));
    try {
      request.body = await readBody(incoming);
      const url = new URL(
        request.target.startsWith('/') ? this.url(request.target) : request.target,
      );
      await waitUnlessClosed(response, this.latencyFor(url.pathname));
      if (response.closed) return;
      await this.page({ url, request, response, socket: incoming.socket });
    } catch (error) {
      if (response.headersSent) response.destroy();
      else sendText(response, 500, `fixture failed: ${String(error)}`);
    }
  }

  private page(visit: Visit): void | Promise<void> {
    const own = this.own.get(visit.url.pathname);
    if (own === undefined) return this.handle(visit);
    if (typeof own === 'function') return own(visit);
    visit.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(own);
  }

  private record(incoming: IncomingMessage): SiteRequest {
    const target = incoming.url ?? '/';
    const request: SiteRequest = {
      method: incoming.method ?? 'GET',
      path: target.split('?')[0] ?? target,
      target,
      headers: incoming.headers,
      atMs: Date.now(),
      socketId: this.sockets.get(incoming.socket) ?? 0,
      remotePort: incoming.socket.remotePort ?? 0,
      body: '',
      endedAtMs: null,
    };
    this.log.begin(request);
    return request;
  }

  private latencyFor(path: string): number {
    const { latencyMs = 0 } = this.options;
    if (typeof latencyMs === 'number') return latencyMs;
    const matches = Object.entries(latencyMs).filter(([prefix]) => path.startsWith(prefix));
    matches.sort(([a], [b]) => b.length - a.length);
    return matches[0]?.[1] ?? 0;
  }
}

/** Waits `ms`, or less when the client goes away first. */
export function waitUnlessClosed(response: ServerResponse, ms: number): Promise<void> {
  if (ms <= 0 || response.closed) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      response.off('close', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    response.on('close', finish);
  });
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
