import http from 'node:http';
import type { EgressGuard } from '../guard.js';
import { answerHeaders, requestHeaders } from './forwarded-headers.js';
import { OriginAgent, type OriginRequestOptions } from './origin-agent.js';
import type { SessionBooks } from './proxy-session.js';
import { isAbsoluteForm, parseRequestTarget } from './proxy-target.js';
import {
  refusalBody,
  ProxyTimeoutError,
  REFUSED_HEADER,
  type RefusalKind,
  refusalKindOf,
  statusOf,
} from './refusal.js';

/** Interim answers (1xx) of one request; more is a flood. */
const MAX_INTERIM_ANSWERS = 16;
/** Kept connections that may turn out to be closed before a request is given up. */
const MAX_STALE_CONNECTIONS = 3;

/** Answers a request on the proxy's own account. */
export function answerRefusal(response: http.ServerResponse, kind: RefusalKind): void {
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
export function answerNoServer(response: http.ServerResponse): void {
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
    if (!isAbsoluteForm(text)) return answerNoServer(response);
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
    answerRefusal(response, kind);
  }
}

/** One request on its way to a site and its answer on the way back. */
class Exchange {
  private outgoing: http.ClientRequest | undefined;
  private staleConnections = 0;
  private interimAnswers = 0;
  private headTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly session: SessionBooks,
    private readonly agent: http.Agent,
    private readonly request: http.IncomingMessage,
    private readonly response: http.ServerResponse,
  ) {}

  start(url: URL): void {
    const { answerHeadTimeoutMs } = this.session.limits;
    this.headTimer = setTimeout(() => this.giveUp('the answer'), answerHeadTimeoutMs);
    this.response.once('close', () => {
      clearTimeout(this.headTimer);
      if (!this.response.writableFinished) this.outgoing?.destroy();
    });
    this.send(url);
  }

  private send(url: URL): void {
    const outgoing = http.request(this.optionsFor(url));
    this.outgoing = outgoing;
    outgoing.once('response', (answer) => this.relay(answer));
    outgoing.once('error', (error) => this.onError(error, url));
    outgoing.once('timeout', () => this.giveUp('waiting for the site'));
    outgoing.on('information', () => this.onInterim());
    // No client requested another protocol.
    outgoing.once('upgrade', (_answer, socket) => socket.destroy());
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

  private relay(answer: http.IncomingMessage): void {
    clearTimeout(this.headTimer);
    this.measure();
    const { response } = this;
    // Before any byte of the head: a site's odd status or header must not throw into the void.
    try {
      response.sendDate = false;
      response.writeHead(
        answer.statusCode ?? 502,
        answer.statusMessage,
        answerHeaders(answer.rawHeaders),
      );
    } catch {
      return (this.outgoing?.destroy(), this.fail('network'));
    }
    answer.on('data', () => this.measure());
    // Cut short: the client must not take the beginning for the whole.
    answer.once('error', () => response.destroy());
    answer.once('close', () => answer.complete || response.destroy());
    answer.pipe(response);
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
    if (++this.interimAnswers > MAX_INTERIM_ANSWERS) this.outgoing?.destroy();
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
    answerRefusal(response, kind);
  }

  private measure(): void {
    const socket = this.outgoing?.socket;
    if (socket) this.session.measure(socket, this.request.url ?? '');
  }
}

function hasBody({ headers }: http.IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
