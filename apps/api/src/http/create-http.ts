import {
  maxHeaderSize,
  STATUS_CODES,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId, ApiError, type ApiErrorCode } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import multipart from '@fastify/multipart';
import type { Settings } from '@app/config';
import { trustProxyOf } from '../accounts/auth/trusted-proxies.js';
import { UNCOUNTED_HEADERS } from '../accounts/limits/limit-rate.js';
import { factsOf } from './route-facts.js';
import { structureProblem } from './json-structure.js';
import { presentApiError } from './api-error.filter.js';
import { methodLabel, routeLabel, traceRequests } from './trace-requests.js';
import { mayUpgrade } from './upgrades.js';
import { fetchersUnavailable } from '../fetchers/fetcher-call.js';

const REQUEST_ID = /^[\w.-]{1,128}$/;
/** The `Keep-Alive: timeout` of responses: clients that read it use no connection that was unused for so long. */
export const CONNECTION_REUSE_MS = 5_000;
/** Other clients, load balancers among them, may use one for this time more: theirs is 60 s as a rule. */
const CONNECTION_REUSE_MORE_MS = 60_000;
const HEADERS_TIMEOUT_MS = 30_000;
/** Time for a whole request: the largest upload at 2 Mbit/s. */
const REQUEST_TIMEOUT_MS = 150_000;

/**
 * Of every response whose route does not say otherwise. A cache between us and a client does not know that `x-api-key` makes a
 * response private (RFC 9111, 3.5 names `Authorization` alone), and what a browser shows of it may load and frame nothing.
 */
const SAFE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
/** One year; subdomains may serve other things. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' };

/** Creates Fastify for the API: request ids, our error for malformed JSON, metrics per route. */
export function createHttpAdapter({
  settings,
  metrics,
  health,
}: Pick<Runtime, 'settings' | 'metrics' | 'health'>): FastifyAdapter {
  const isHttps = settings.publicUrl?.startsWith('https:') === true;
  const safe = isHttps ? { ...SAFE_HEADERS, ...HTTPS_ONLY } : SAFE_HEADERS;
  const adapter = new FastifyAdapter({
    bodyLimit: settings.bodyLimitBytes,
    trustProxy: trustProxyOf(settings.trustProxy),
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeoutBuffer: CONNECTION_REUSE_MORE_MS,
      shouldUpgradeCallback: mayUpgrade,
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) =>
      answerParserError(error, socket, { ...safe, ...UNCOUNTED_HEADERS }),
    keepAliveTimeout: CONNECTION_REUSE_MS,
    forceCloseConnections: 'idle',
    // A request that has reached a stopping process is served like those before it.
    return503OnClosing: false,
    frameworkErrors: (
      error: { statusCode?: number },
      request: FastifyRequest,
      reply: FastifyReply,
    ) => {
      // Targets that the router cannot decode never reach a route or our filter.
      const hint =
        'Percent-encode the path of the request: `%` must be followed by two hex digits.';
      const apiError = new ApiError('invalid_url', {}, { cause: error, hint });
      void reply
        .header('x-request-id', request.id)
        .headers({ ...safe, ...UNCOUNTED_HEADERS })
        .status(apiError.row.status)
        .send(presentApiError(apiError, request));
    },
    // Before routing, so that every hook sees the one name of a route.
    rewriteUrl: ({ url = '/' }) => withoutV2Alias(url),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2_048 },
    genReqId: ({ headers }: { headers: Record<string, string | string[] | undefined> }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
    },
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  parseJsonStrictly(fastify, acceptLargeBodies(fastify, settings));
  boundRawBodies(fastify);
  answerBeforeRouting(fastify);
  traceRequests(fastify);
  fastify.addHook('onRequest', async (request, reply) => {
    metrics.httpInFlight.inc();
    // Also counts clients that disconnect, which onResponse misses.
    reply.raw.once('close', () => metrics.httpInFlight.dec());
    reply.headers({ ...safe, 'x-request-id': request.id });
  });
  // A kept-alive connection would keep the server open as long as its client likes.
  fastify.addHook('onSend', async (_request, reply) => {
    if (health.isDraining) reply.header('connection', 'close');
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const [route, method] = [routeLabel(request), methodLabel(request)];
    metrics.httpRequests.inc({ method, route, status_code: String(reply.statusCode) });
    const sync = String(factsOf(request).kind === 'waits');
    metrics.httpSeconds.observe({ method, route, sync }, reply.elapsedTime / 1_000);
  });
  return adapter;
}

/** The specification has one exact text for malformed JSON; an empty body is malformed too. */
function parseJsonStrictly(fastify: FastifyInstance, bodies: LargeBodies): void {
  // Any type but JSON is rejected, text/plain included.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (factsOf(request).isBodyRaw) return done(null, body);
    // Clients may send the header with requests that have no body.
    if (body === '' && (request.method !== 'POST' || factsOf(request).isBodyOptional))
      return done(null, undefined);
    const json = String(body);
    bodies.measured(request, json.length);
    const problem = structureProblem(json);
    if (problem !== null) return done(new ApiError('invalid_request', { problem }));
    try {
      done(null, JSON.parse(json));
    } catch (cause) {
      done(new ApiError('invalid_json', {}, { cause }));
    }
  });
}

/** The provider's events are some kilobytes; an invoice with hundreds of lines is far below this. */
const MAX_RAW_BYTES = 1_048_576;

/** Their limit is fixed: BODY_LIMIT_BYTES applies to requests of tenants. */
function boundRawBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (factsOf({ routeOptions: route }).isBodyRaw) route.bodyLimit = MAX_RAW_BYTES;
  });
}

/** Some clients put this name before the paths of /v2. */
const ALIAS = 'firecrawl';

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
/** The first two segments of a path. A longer one is not the name, however it is escaped. */
const HEAD = /^\/+([^/?#;]{1,40})(\/+([^/?#;]{1,10}))(?![^/?#;])/;

/**
 * The request target without the alias: `/firecrawl/v2/scrape` becomes `/v2/scrape`. Names are compared as the router
 * compares them: decoded, and case-sensitive. Anything else is returned unchanged.
 */
export function withoutV2Alias(target: string): string {
  const origin = ORIGIN.exec(target)?.[0] ?? '';
  const path = target.slice(origin.length);
  const [head, first = '', , second = ''] = HEAD.exec(path) ?? [];
  if (head === undefined || !isAlias(first, second)) return target;
  const slashes = path.length - path.replace(/^\/+/, '').length;
  return origin + path.slice(1, slashes) + path.slice(slashes + first.length);
}

function isAlias(first: string, second: string): boolean {
  // The version of a path is recognized in any case: see versionOfPath.
  return decoded(first) === ALIAS && decoded(second)?.toLowerCase() === 'v2';
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Long lists of patterns. */
const MAX_PATTERNS_BYTES = 8_388_608;
/** Bodies of the largest size that one process keeps in memory at once; smaller ones fit more often. */
const LARGEST_AT_ONCE = 8;

type Limits = Pick<Settings, 'bodyLimitBytes' | 'uploadMaxBytes'>;

/** Allows some routes larger bodies, and bounds their total memory. */
function acceptLargeBodies(fastify: FastifyInstance, limits: Limits): LargeBodies {
  const { bodyLimitBytes, uploadMaxBytes } = limits;
  fastify.addHook('onRoute', (route) => {
    const { largeBody } = factsOf({ routeOptions: route });
    if (largeBody === undefined) return;
    const most =
      largeBody === 'document' ? uploadMaxBytes : Math.min(uploadMaxBytes, MAX_PATTERNS_BYTES);
    route.bodyLimit = Math.max(bodyLimitBytes, most);
  });
  // Files are streamed; the reader of the parts enforces their limits.
  void fastify.register(multipart, { throwFileSizeLimit: false });
  const bodies = new LargeBodies(bodyLimitBytes, LARGEST_AT_ONCE * uploadMaxBytes);
  // After the key was checked, before the body is read.
  fastify.addHook('preParsing', async (request, reply) => {
    refuseForeignMultipart(request);
    bodies.hold(request, reply);
  });
  return bodies;
}

/** The largest size the body may have; 0 if it cannot be large. */
function bytesInMemory(request: FastifyRequest): number {
  if (factsOf(request).largeBody === undefined) return 0;
  const { routeOptions, headers } = request;
  const limit = routeOptions.bodyLimit ?? 0;
  // Without a Content-Length the body may have any size.
  return Math.min(limit, Number(headers['content-length'] ?? limit));
}

function refuseForeignMultipart(request: FastifyRequest): void {
  const isMultipart = /^multipart\//i.test(request.headers['content-type'] ?? '');
  if (isMultipart && !request.is404 && !factsOf(request).takesForm)
    throw new ApiError('unsupported_media_type');
}

/** Bytes of large bodies in memory, from before a body is read until its response is sent. */
class LargeBodies {
  private heldBytes = 0;
  private readonly held = new WeakMap<FastifyRequest, number>();

  constructor(
    /** Smaller bodies are not counted. */
    private readonly smallBytes: number,
    private readonly maxBytes: number,
  ) {}

  /** @throws ApiError if there is no room */
  hold(request: FastifyRequest, { raw }: FastifyReply): void {
    const bytes = bytesInMemory(request);
    if (bytes <= this.smallBytes) return;
    if (this.heldBytes + bytes > this.maxBytes) {
      throw fetchersUnavailable(new Error('too many large bodies in memory'));
    }
    this.count(request, bytes);
    if (raw.closed) this.count(request, 0);
    else raw.once('close', () => this.count(request, 0));
  }

  /** The body was read: one without a Content-Length may be small after all. */
  measured(request: FastifyRequest, bytes: number): void {
    if (this.held.has(request)) this.count(request, bytes <= this.smallBytes ? 0 : bytes);
  }

  private count(request: FastifyRequest, bytes: number): void {
    this.heldBytes += bytes - (this.held.get(request) ?? 0);
    this.held.set(request, bytes);
  }
}

const BY_CODE: Readonly<Record<string, ApiErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/**
 * Responds to what the HTTP parser refused, in the form of every other error. There is no request that a route could
 * answer, and nothing after it on the connection can be read.
 */
function answerParserError(
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
  headers: OutgoingHttpHeaders,
): void {
  const { _httpMessage: current } = socket as { readonly _httpMessage?: ServerResponse | null };
  // A response that has begun cannot be followed by another one.
  if (code === 'ECONNRESET' || !socket.writable || current?.headersSent === true)
    return void socket.destroy();
  const apiError = new ApiError(BY_CODE[code] ?? 'malformed_request', { limit: maxHeaderSize });
  const { status } = apiError.row;
  const body = JSON.stringify(presentApiError(apiError));
  const fields = {
    ...headers,
    ...{ 'content-type': 'application/json; charset=utf-8', 'x-request-id': newId() },
    ...{ 'content-length': Buffer.byteLength(body), date: new Date().toUTCString() },
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}

/**
 * What Node would answer by itself, with an empty body: a request without a host is refused by us, and an expectation
 * that we do not know is ignored (RFC 9110, 10.1.1).
 */
function answerBeforeRouting(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async ({ raw, headers }) => {
    if (raw.httpVersion === '1.1' && headers.host === undefined)
      throw new ApiError('malformed_request', {}, { hint: 'Add the header Host.' });
  });
  const { server } = fastify;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
