import type { ServerResponse } from 'node:http';
import type { Visit } from './site-server.js';

/** How the whole fixture site is shaped; every page may examine it. */
export interface SiteShape {
  /** Pages of the tree below `/tree/`. */
  readonly treePages: number;
  /** Pages of the slow tree below `/slow-site/`. */
  readonly slowPages: number;
  /** Milliseconds each page below `/slow-site/` takes. */
  readonly slowMs: number;
  readonly robots: RobotsResponse;
  /** Origin of another fixture site, for frames that come from elsewhere; '' without one. */
  readonly otherOrigin: string;
}

/** The text of robots.txt, or what happens instead of one. */
export type RobotsResponse =
  string | { readonly status: number } | { readonly crawlDelaySeconds: number } | 'hang';

export interface RouteVisit extends Visit {
  /** Groups of the route's pattern; an unmatched group is ''. */
  readonly groups: readonly string[];
  readonly shape: SiteShape;
  /** How often this path was requested, this time included. */
  readonly times: number;
}

export interface Route {
  /** Matched against the whole path. */
  readonly path: RegExp;
  readonly serve: (visit: RouteVisit) => void | Promise<void>;
}

/**
 * Group `index` of the path as a whole number, capped so that no address requests the impossible.
 */
export function numberIn(visit: RouteVisit, index: number, max = 1_000_000_000): number {
  return Math.min(Number(visit.groups[index] ?? 0), max);
}

export function sendHtml(response: ServerResponse, html: string, status = 200): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
  });
  response.end(html);
}

/** A full page: head, navigation that stays inside `nav`, and an article. */
export function htmlPage(page: {
  readonly title: string;
  readonly body: string;
  readonly head?: string;
}): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${page.title}</title>${page.head ?? ''}</head>
<body><main><article><h1>${page.title}</h1>
${page.body}
</article></main></body></html>
`;
}
