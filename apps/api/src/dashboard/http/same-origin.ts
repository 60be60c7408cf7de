import type { FastifyRequest } from 'fastify';

/**
 * Whether a form was sent from one of our pages. Browsers send the origin of a POST (Fetch Standard,
 * 3.2); a request without it is rejected. Behind a proxy our origin is PUBLIC_URL, else the requested
 * host.
 */
export function isFromOurPages({ headers }: FastifyRequest, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (typeof origin !== 'string' || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.origin === new URL(publicUrl).origin || (host !== undefined && from.host === host);
}
