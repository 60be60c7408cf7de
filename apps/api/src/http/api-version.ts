import type { FastifyRequest } from 'fastify';

/** The families of routes whose addresses need a key, known or not. */
export type ApiVersion = 'v1' | 'v2';

/** The family that an address is of; null: of none. By what it looks like, whether a route answers it or not. */
export function versionOfPath(path: string): ApiVersion | null {
  const name = /^\/+(v[12])(?:\/|$)/i.exec(path)?.[1]?.toLowerCase();
  return name === 'v1' || name === 'v2' ? name : null;
}

/** The family that a request is of, by its target. */
export function apiVersionOf({ url }: Pick<FastifyRequest, 'url'>): ApiVersion | null {
  return versionOfPath(pathOf(url));
}

/** Path of a request target, which may be in absolute form (RFC 9112, 3.2.2) and escaped. */
export function pathOf(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#;]/, 1)[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    // Not decodable: the router refuses it as well; judge what was sent.
    return path;
  }
}
