import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Signed bodies: verifying the signature needs the raw bytes. */
const RAW_ROUTES: ReadonlySet<string> = new Set(['/webhooks/stripe']);
/** The provider's events are some kilobytes; an invoice with hundreds of lines is far below this. */
const MAX_RAW_BYTES = 1_048_576;

/** Whether the handler gets the body as text. Bytes that are not UTF-8 would not match the signature. */
export function isRaw({ routeOptions }: FastifyRequest): boolean {
  return RAW_ROUTES.has(routeOptions.url ?? '');
}

/** Their limit is fixed: BODY_LIMIT_BYTES applies to requests of tenants. */
export function boundRawBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (RAW_ROUTES.has(route.url)) route.bodyLimit = MAX_RAW_BYTES;
  });
}
