import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { trustProxyOf } from '../accounts/auth/trusted-proxies.js';
import { UNCOUNTED_HEADERS } from '../accounts/limits/limit-rate.js';
import { isWaitingRoute } from '../accounts/limits/waiting-routes.js';
import { structureProblem } from './json-structure.js';
import { acceptLargeBodies, type LargeBodies } from './large-bodies.js';
import { boundRawBodies, isRaw } from './raw-bodies.js';
import { presentApiError } from './api-error.filter.js';
import { methodLabel, routeLabel } from './request-labels.js';
import { traceRequests } from './trace-requests.js';
import { mayUpgrade } from './upgrades.js';
import { withoutV2Alias } from './v2-alias.js';

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
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
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
    },
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
    const sync = String(isWaitingRoute(route));
    metrics.httpSeconds.observe({ method, route, sync }, reply.elapsedTime / 1_000);
  });
  return adapter;
}

/** Their body is optional. */
const BODY_OPTIONAL: ReadonlySet<string> = new Set(['/v1/keys/provision', '/v1/keys/:id/rotate']);

function needsBody({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'POST' && !BODY_OPTIONAL.has(routeOptions.url ?? '');
}

/** The specification has one exact text for malformed JSON; an empty body is malformed too. */
function parseJsonStrictly(fastify: FastifyInstance, bodies: LargeBodies): void {
  // Any type but JSON is rejected, text/plain included.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isRaw(request)) return done(null, body);
    // Clients may send the header with requests that have no body.
    if (body === '' && !needsBody(request)) return done(null, undefined);
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
