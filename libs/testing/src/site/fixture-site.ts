import { ACTION_ROUTES } from './action-routes.js';
import { ANSWER_ROUTES, DEFAULT_ROBOTS } from './answer-routes.js';
import { BODY_ROUTES } from './body-routes.js';
import { BOMB_ROUTES } from './bomb-routes.js';
import { CHALLENGE_ROUTES } from './challenge-routes.js';
import { FRAME_ROUTES } from './frame-routes.js';
import { LINKED_ROUTES } from './linked-routes.js';
import { LOOP_ROUTES } from './loop-routes.js';
import { RAW_ROUTES } from './raw-routes.js';
import type { Route, SiteShape } from './route.js';
import { SCRIPT_ROUTES } from './script-routes.js';
import { SHELL_ROUTES } from './shell-routes.js';
import { sendText, SiteServer, type SiteServerOptions, type Visit } from './site-server.js';
import { STATE_ROUTES } from './state-routes.js';
import { TARPIT_ROUTES } from './tarpit-routes.js';

export interface FixtureSiteOptions extends SiteServerOptions, Partial<SiteShape> {}

export type FixtureSite = SiteServer;

const ROUTES: readonly Route[] = [
  ...LINKED_ROUTES,
  ...ANSWER_ROUTES,
  ...BODY_ROUTES,
  ...SHELL_ROUTES,
  ...CHALLENGE_ROUTES,
  ...FRAME_ROUTES,
  ...LOOP_ROUTES,
  ...TARPIT_ROUTES,
  ...SCRIPT_ROUTES,
  ...BOMB_ROUTES,
  ...RAW_ROUTES,
  ...STATE_ROUTES,
  ...ACTION_ROUTES,
];

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
    otherOrigin: options.otherOrigin ?? '',
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
