import type { FastifyRequest } from 'fastify';

/**
 * Whether a form was sent from a page of ours. Browsers name where a POST comes from (Fetch Standard,
 * 3.2); one that does not say so is refused. Behind a proxy our address is PUBLIC_URL, else the one
 * that was asked.
 */
export function isFromOurPages({ headers }: FastifyRequest, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (typeof origin !== 'string' || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.origin === new URL(publicUrl).origin || (host !== undefined && from.host === host);
}
