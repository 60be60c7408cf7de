import { ANSWER_ROUTES, DEFAULT_ROBOTS } from './answer-routes.js';
import { BODY_ROUTES } from './body-routes.js';
import { LINKED_ROUTES } from './linked-routes.js';
import type { Route, SiteShape } from './route.js';
import { sendText, SiteServer, type SiteServerOptions, type Visit } from './site-server.js';

export interface FixtureSiteOptions extends SiteServerOptions, Partial<SiteShape> {}

export type FixtureSite = SiteServer;

const ROUTES: readonly Route[] = [...LINKED_ROUTES, ...ANSWER_ROUTES, ...BODY_ROUTES];

/**
 * A site on loopback whose paths are named for the trap they set (`/hang`, `/calendar/2026/1`,
 * `/charset/koi8-r/none`); the tables in `*-routes.ts` list them all. Close it in the test that
 * started it.
 */
export async function startFixtureSite(options: FixtureSiteOptions = {}): Promise<FixtureSite> {
  const shape: SiteShape = {
    treePages: options.treePages ?? 50,
    slowPages: options.slowPages ?? 50,
    slowMs: options.slowMs ?? 200,
    robots: options.robots ?? DEFAULT_ROBOTS,
  };
  const site: SiteServer = await SiteServer.start(
    (visit) => serveRoute(visit, shape, site.count(visit.request.path)),
    options,
  );
  return site;
}

function serveRoute(visit: Visit, shape: SiteShape, times: number): void | Promise<void> {
  for (const route of ROUTES) {
    const match = route.path.exec(visit.url.pathname);
    if (match === null) continue;
    const groups = match.slice(1).map((group: string | undefined) => group ?? '');
    return route.serve({ ...visit, groups, shape, times });
  }
  sendText(visit.response, 404, 'Not Found');
}
