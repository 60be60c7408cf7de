import type { FastifyRequest } from 'fastify';

/** The route families that need a key, for unknown paths too. */
export type ApiVersion = 'v1' | 'v2';

/** The family of a path, judged by its prefix whether or not a route exists; null: none. */
export function versionOfPath(path: string): ApiVersion | null {
  const name = /^\/+(v[12])(?:\/|$)/i.exec(path)?.[1]?.toLowerCase();
  return name === 'v1' || name === 'v2' ? name : null;
}

/** The family of a request, by its target. */
export function apiVersionOf({ url }: Pick<FastifyRequest, 'url'>): ApiVersion | null {
  return versionOfPath(pathOf(url));
}

/** Path of a request target, which may be in absolute form (RFC 9112, 3.2.2) and escaped. */
export function pathOf(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#;]/, 1)[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    // Not decodable: the router rejects it as well; judge the raw text.
    return path;
  }
}
