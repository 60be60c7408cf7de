import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openSpan, type OpenSpan } from '@app/telemetry';

/** Status of a request that became a WebSocket. */
export const SWITCHING_PROTOCOLS = 101;

const spans = new WeakMap<FastifyRequest, OpenSpan>();

/**
 * A span for each request, as a child of the caller's if it names one (`traceparent`, W3C Trace Context). It has the
 * template of the route and the path without its query: neither holds a key.
 */
export function traceRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request: FastifyRequest, _reply: FastifyReply, next) => {
    const { traceparent } = request.headers;
    const span = openSpan(`${methodLabel(request)} ${routeLabel(request)}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : null,
      attributes: {
        'http.request.method': methodLabel(request),
        'http.route': routeLabel(request),
        'trawl.request.id': request.id,
      },
    });
    if (span === null) return next();
    spans.set(request, span);
    span.run(next);
  });
  fastify.addHook('onResponse', async (request, reply) => end(request, reply.statusCode));
  // A caller that hung up has no response.
  fastify.addHook('onRequestAbort', async (request) => end(request, null));
}

/** Ends the span of a request that became a WebSocket, which has no response. */
export function endUpgradeSpan(request: FastifyRequest): void {
  end(request, SWITCHING_PROTOCOLS);
}

function end(request: FastifyRequest, status: number | null): void {
  const span = spans.get(request);
  if (!span) return;
  spans.delete(request);
  if (status === null) span.set({ 'error.type': 'client_gone' });
  else span.set({ 'http.response.status_code': status });
  if (status !== null && status >= 500) span.fail(String(status));
  span.end();
}

/** Clients may send any other method that Node parses, and a label must have few values. */
const USUAL_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** The method, or `other`. */
export function methodLabel({ method }: FastifyRequest): string {
  return USUAL_METHODS.has(method) ? method : 'other';
}

/** The template of the route; `other` without one. */
export function routeLabel({ routeOptions }: FastifyRequest): string {
  return routeOptions?.url ?? 'other';
}
