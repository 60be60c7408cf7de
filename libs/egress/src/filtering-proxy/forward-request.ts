import http from 'node:http';
import type net from 'node:net';
import { HOP_BY_HOP } from '../forwardable-headers.js';
import type { EgressGuard } from '../guard.js';
import type { SessionBooks } from './proxy-session.js';
import { isAbsoluteForm, parseRequestTarget } from './proxy-target.js';
import {
  refusalBody,
  ProxyTimeoutError,
  REFUSED_HEADER,
  refusalKindOf,
  statusOf,
  type RefusalKind,
} from './refusal.js';

/** Interim responses (1xx) of one request; more is a flood. */
const MAX_INTERIM_RESPONSES = 16;
/** Kept connections that may turn out to be closed before a request is given up. */
const MAX_STALE_CONNECTIONS = 3;

/** Responds to a request on the proxy's own account. */
export function sendRefusal(response: http.ServerResponse, kind: RefusalKind): void {
  const body = refusalBody(kind);
  response.writeHead(statusOf(kind), {
    [REFUSED_HEADER]: kind,
    'content-type': 'text/plain',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...(hasBody(response.req) ? { connection: 'close' } : {}),
  });
  response.end(body);
}

/** A request in origin form expects a server, which the proxy never is. */
export function rejectOriginForm(response: http.ServerResponse): void {
  response.writeHead(400, { 'content-length': 0, connection: 'close' }).end();
}

/** Passes the plain-http requests of one session on to their sites. */
export class Forwarder {
  private readonly agent: OriginAgent;

  constructor(
    private readonly guard: EgressGuard,
    private readonly session: SessionBooks,
  ) {
    this.agent = new OriginAgent(session);
  }

  forward(request: http.IncomingMessage, response: http.ServerResponse): void {
    const text = request.url ?? '';
    if (!isAbsoluteForm(text)) return rejectOriginForm(response);
    if (!this.session.admit()) return this.refuse(response, 'budget');
    try {
      const url = parseRequestTarget(this.guard, text);
      new Exchange(this.session, this.agent, request, response).start(url);
    } catch (error) {
      this.refuse(response, refusalKindOf(error));
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private refuse(response: http.ServerResponse, kind: RefusalKind): void {
    this.session.refuse(kind, response.req.url ?? '');
    sendRefusal(response, kind);
  }
}

/** One request on its way to a site and its response on the way back. */
class Exchange {
  private outgoing: http.ClientRequest | undefined;
  private staleConnections = 0;
  private interimResponses = 0;
  private headTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly session: SessionBooks,
    private readonly agent: http.Agent,
    private readonly request: http.IncomingMessage,
    private readonly response: http.ServerResponse,
  ) {}

  start(url: URL): void {
    const { responseHeadTimeoutMs } = this.session.limits;
    this.headTimer = setTimeout(() => this.giveUp('the response'), responseHeadTimeoutMs);
    this.response.once('close', () => {
      clearTimeout(this.headTimer);
      if (!this.response.writableFinished) this.outgoing?.destroy();
    });
    this.send(url);
  }

  private send(url: URL): void {
    const outgoing = http.request(this.optionsFor(url));
    this.outgoing = outgoing;
    outgoing.once('response', (incoming) => this.relay(incoming));
    outgoing.once('error', (error) => this.onError(error, url));
    outgoing.once('timeout', () => this.giveUp('waiting for the site'));
    outgoing.on('information', () => this.onInterim());
    // No client requested another protocol.
    outgoing.once('upgrade', (_incoming, socket) => socket.destroy());
    outgoing.once('close', () => this.response.headersSent || this.fail('network'));
    if (!hasBody(this.request)) return void outgoing.end();
    this.request.on('data', () => this.measure());
    this.request.pipe(outgoing);
  }

  private optionsFor(url: URL): OriginRequestOptions {
    const { rawHeaders, headers, method } = this.request;
    const isChunked = headers['transfer-encoding'] !== undefined;
    return {
      target: url,
      agent: this.agent,
      host: url.hostname,
      port: url.port === '' ? 80 : url.port,
      method,
      path: `${url.pathname}${url.search}`,
      headers: requestHeaders(rawHeaders, url.host, isChunked),
      maxHeaderSize: this.session.limits.maxHeaderBytes,
      insecureHTTPParser: false,
      timeout: this.session.limits.idleTimeoutMs,
    };
  }

  private relay(incoming: http.IncomingMessage): void {
    clearTimeout(this.headTimer);
    this.measure();
    const { response } = this;
    // Before any byte of the head: a site's odd status or header must not throw into the void.
    try {
      response.sendDate = false;
      response.writeHead(
        incoming.statusCode ?? 502,
        incoming.statusMessage,
        responseHeaders(incoming.rawHeaders),
      );
    } catch {
      return (this.outgoing?.destroy(), this.fail('network'));
    }
    incoming.on('data', () => this.measure());
    // Cut short: the client must not take the beginning for the whole.
    incoming.once('error', () => response.destroy());
    incoming.once('close', () => incoming.complete || response.destroy());
    incoming.pipe(response);
  }

  /**
   * A site may close a kept connection just when it is used again; a request without body is safe
   * to repeat.
   */
  private onError(error: Error, url: URL): void {
    const isStale =
      this.outgoing?.reusedSocket === true &&
      !this.response.headersSent &&
      !(error instanceof ProxyTimeoutError);
    const isRepeatable = !hasBody(this.request) && !this.response.destroyed;
    if (isStale && isRepeatable && this.staleConnections++ < MAX_STALE_CONNECTIONS) {
      this.outgoing?.removeAllListeners('close');
      return this.send(url);
    }
    this.fail(refusalKindOf(error));
  }

  private onInterim(): void {
    this.measure();
    if (++this.interimResponses > MAX_INTERIM_RESPONSES) this.outgoing?.destroy();
  }

  private giveUp(what: string): void {
    this.outgoing?.destroy(new ProxyTimeoutError(what));
  }

  private fail(kind: RefusalKind): void {
    clearTimeout(this.headTimer);
    const { response } = this;
    if (response.destroyed || response.writableEnded) return;
    if (response.headersSent) return void response.destroy();
    this.session.refuse(kind, this.request.url ?? '');
    sendRefusal(response, kind);
  }

  private measure(): void {
    const socket = this.outgoing?.socket;
    if (socket) this.session.measure(socket, this.request.url ?? '');
  }
}

function hasBody({ headers }: http.IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Connections to one origin at once; Chromium itself opens six. */
const MAX_SOCKETS_PER_ORIGIN = 16;

interface OriginRequestOptions extends http.RequestOptions {
  /** Vetted and dialled when no open connection serves. */
  readonly target: URL;
}

/** How Node wants it: exactly one of the two, whatever its types say. */
type OnSocket = (error: Error | null, socket?: net.Socket) => void;

/** Keeps a session's connections to sites open between requests; each was vetted when it was dialled. */
class OriginAgent extends http.Agent {
  constructor(private readonly session: SessionBooks) {
    super({
      keepAlive: true,
      maxSockets: MAX_SOCKETS_PER_ORIGIN,
      timeout: session.limits.idleTimeoutMs,
    });
  }

  override createConnection(options: http.ClientRequestArgs, callback?: unknown): undefined {
    const { target } = options as OriginRequestOptions;
    const onSocket = callback as OnSocket;
    this.session.dial(target).then(
      (socket) => onSocket(null, socket),
      (error: Error) => onSocket(error),
    );
  }
}

/** Ours to say, or a hint at a way past the proxy. */
const NOT_FROM_SITES: ReadonlySet<string> = new Set([REFUSED_HEADER, 'alt-svc']);

/** Names and values in turn, as they were written on the wire. */
type RawHeaders = readonly string[];

/**
 * A request's headers as the site gets them, in the client's order and spelling. `Host` is that of the URL and
 * `Connection` the proxy's own, whatever the client sent.
 */
function requestHeaders(raw: RawHeaders, host: string, isChunked: boolean): string[] {
  const isDropped = hopByHop(raw);
  const headers: string[] = ['Host', host, 'Connection', 'keep-alive'];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const lower = raw[at]?.toLowerCase() ?? '';
    if (lower === 'host' || isDropped(lower)) continue;
    headers.push(raw[at] ?? '', raw[at + 1] ?? '');
  }
  if (isChunked) headers.push('Transfer-Encoding', 'chunked');
  return headers;
}

/** A response's headers as the client gets them. */
function responseHeaders(raw: RawHeaders): string[] {
  const isDropped = hopByHop(raw);
  const headers: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const lower = raw[at]?.toLowerCase() ?? '';
    if (!isDropped(lower) && !NOT_FROM_SITES.has(lower))
      headers.push(raw[at] ?? '', raw[at + 1] ?? '');
  }
  return headers;
}

/** The fixed names (the proxy has said 100 already, as Node's server does), `Proxy-*`, and those that `Connection` names. */
function hopByHop(raw: RawHeaders): (lowerName: string) => boolean {
  let named: Set<string> | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== 'connection') continue;
    for (const name of raw[at + 1]?.split(',') ?? [])
      (named ??= new Set()).add(name.trim().toLowerCase());
  }
  return (lower) =>
    HOP_BY_HOP.has(lower) || lower.startsWith('proxy-') || named?.has(lower) === true;
}
