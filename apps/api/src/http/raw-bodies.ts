import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Bodies that are signed: whoever checks the signature needs them as they came. */
const RAW_ROUTES: ReadonlySet<string> = new Set(['/webhooks/stripe']);
/** The provider's events are some kilobytes; one with hundreds of lines of an invoice is far below. */
const MAX_RAW_BYTES = 1_048_576;

/** Whether the handler gets the body as text. Bytes that are no UTF-8 do not match what was signed. */
export function isRaw({ routeOptions }: FastifyRequest): boolean {
  return RAW_ROUTES.has(routeOptions.url ?? '');
}

/** Their bound is our own: BODY_LIMIT_BYTES is about requests of tenants. */
export function boundRawBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (RAW_ROUTES.has(route.url)) route.bodyLimit = MAX_RAW_BYTES;
  });
}
