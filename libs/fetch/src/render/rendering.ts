import type { CDPSession, Page } from 'playwright';
import { BlockedUrlError } from '@app/egress';
import type { FetchedPage, FetchRequest } from '../fetch-rung.js';
import { giveCookies } from './cookies.js';
import { PendingPageRequests } from './pending-page-requests.js';
import { IsolatedWorld } from './isolated-world.js';
import { Lifeline } from './lifeline.js';
import { MainFrame } from './main-frame.js';
import { navigationRefusal } from './refused-navigation.js';
import type { RenderLease } from './page-source.js';
import { PageRequestGate } from './page-request-gate.js';
import { PageRequestLog } from './request-log.js';
import { SetCookies } from './set-cookies.js';

/** What the steps of one rendering share. */
export interface Rendering {
  readonly request: FetchRequest;
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly lifeline: Lifeline;
  readonly gate: PageRequestGate;
  /** Of a watched page. */
  readonly log: PageRequestLog | null;
  readonly frame: MainFrame;
  readonly world: IsolatedWorld;
  readonly inFlight: PendingPageRequests;
  readonly setCookies: SetCookies;
}

/** Prepares a page for one rendering and takes everything back afterwards. */
export async function withRendering(
  lease: RenderLease,
  request: FetchRequest,
  work: (rendering: Rendering) => Promise<FetchedPage>,
): Promise<FetchedPage> {
  const lifeline = new Lifeline(lease.page, request.deadline, request.signal);
  const undo: (() => void)[] = [];
  let isAtRest = false;
  try {
    const page = await work(await prepare(lease, request, lifeline, undo));
    // Reading its globals ran the page's own code once more.
    isAtRest = page.isUnsettled !== true && page.watched === undefined;
    return page;
  } finally {
    for (const one of undo) one();
    lifeline.release();
    if (!isAtRest) lease.discard?.();
    // Not waited for: what comes next on this session comes after it, and most pages are closed
    // now.
    if (request.render.contextKey !== null) lease.cdp.send('Fetch.disable').catch(ignoreGone);
  }
}

/** The page went away meanwhile, which is as good. */
function ignoreGone(): void {}

async function prepare(
  { page, cdp, context, session }: RenderLease,
  request: FetchRequest,
  lifeline: Lifeline,
  undo: (() => void)[],
): Promise<Rendering> {
  const { watch } = request.render;
  const log = watch === undefined ? null : new PageRequestLog(watch.maxRequests);
  const gate = new PageRequestGate({
    cdp,
    lifeline,
    url: request.url,
    headers: request.options.headers,
    maxBytes: request.maxBytes,
    refusesHeavy: !isLookedAt(request),
    takesRaw: request.render.screenshot === null && request.options.actions.length === 0,
    onRedirect: request.onRedirect,
    isRefused: (url) => navigationRefusal(session, url) instanceof BlockedUrlError,
    log,
  });
  undo.push(gate.follow());
  // All at once: each wait for an answer of the browser costs a turn of both sides.
  const asked = [
    cdp.send('Page.getFrameTree'),
    cdp.send('Page.enable'),
    gate.enable(),
    giveCookies(context, request),
  ] as const;
  const [{ frameTree }] = await lifeline.hold(Promise.all(asked), 'the browser opened a page');
  const frameId = frameTree.frame.id;
  gate.frameId = frameId;
  const world = new IsolatedWorld(cdp, frameId, lifeline);
  const frame = new MainFrame(cdp, frameId, lifeline, () => {
    world.reset();
    inFlight.reset();
  });
  const inFlight = new PendingPageRequests(page, lifeline, (url) => gate.responseOf()?.url === url);
  const setCookies = new SetCookies(page, lifeline);
  undo.push(frame.follow(), inFlight.follow(), setCookies.follow());
  return { request, page, cdp, lifeline, gate, log, frame, world, inFlight, setCookies };
}

/** The request includes a screenshot. */
export function isLookedAt({ render, options }: FetchRequest): boolean {
  const isPicture = ({ type }: { readonly type: string }): boolean =>
    type === 'screenshot' || type === 'pdf';
  return render.screenshot !== null || options.actions.some(isPicture);
}
