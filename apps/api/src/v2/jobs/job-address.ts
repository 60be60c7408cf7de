import type { FastifyRequest } from 'fastify';

/** The address of a job under the origin that the caller used; the service's own where the request names none. */
export function jobAddress(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  path: string,
  publicUrl: string,
): string {
  const origin = `${protocol}://${host}`;
  const own = URL.parse(path, origin);
  // A Host header with a path, a user or characters of no host.
  if (own?.origin === origin.toLowerCase() && own.pathname === path) return own.href;
  return `${publicUrl.replace(/(?<!\/)\/+$/, '')}${path}`;
}
