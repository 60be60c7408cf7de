import type { CDPSession, Page } from 'playwright';
import type { FetchRequest } from '../fetch-rung.js';
import { InFlight } from './in-flight.js';
import { IsolatedWorld } from './isolated-world.js';
import { Lifeline } from './lifeline.js';
import { MainFrame } from './main-frame.js';
import type { RenderLease } from './page-source.js';
import { RequestGate } from './request-gate.js';

/** What the steps of one rendering share. */
export interface Rendering {
  readonly request: FetchRequest;
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly lifeline: Lifeline;
  readonly gate: RequestGate;
  readonly frame: MainFrame;
  readonly world: IsolatedWorld;
  readonly inFlight: InFlight;
}

const DISABLE_MS = 500;

/** Prepares a page for one rendering and takes everything back afterwards. */
export async function withRendering<T>(
  lease: RenderLease,
  request: FetchRequest,
  work: (rendering: Rendering) => Promise<T>,
): Promise<T> {
  const lifeline = new Lifeline(lease.page, request.deadline, request.signal);
  const undo: (() => void)[] = [];
  try {
    const rendering = await prepare(lease, request, lifeline, undo);
    return await work(rendering);
  } finally {
    for (const one of undo) one();
    lifeline.release();
    await quietly(lease.cdp.send('Fetch.disable'));
  }
}

async function prepare(
  { page, cdp }: RenderLease,
  request: FetchRequest,
  lifeline: Lifeline,
  undo: (() => void)[],
): Promise<Rendering> {
  const doing = 'the browser opened a page';
  const { frameTree } = await lifeline.hold(cdp.send('Page.getFrameTree'), doing);
  const frameId = frameTree.frame.id;
  const world = new IsolatedWorld(cdp, frameId, lifeline);
  const frame = new MainFrame(cdp, frameId, lifeline, () => {
    world.reset();
    inFlight.reset();
  });
  const gate = new RequestGate({
    cdp,
    frameId,
    lifeline,
    url: request.url,
    headers: request.options.headers,
    maxBytes: request.maxBytes,
    refusesHeavy: !isLookedAt(request),
    takesRaw: request.render.screenshot === null && request.options.actions.length === 0,
    onRedirect: request.onRedirect,
  });
  const inFlight = new InFlight(page, lifeline, (url) => gate.responseOf()?.url === url);
  undo.push(frame.follow(), gate.follow(), inFlight.follow());
  await lifeline.hold(Promise.all([cdp.send('Page.enable'), gate.enable()]), doing);
  return { request, page, cdp, lifeline, gate, frame, world, inFlight };
}

/** Somebody wants a picture of the page. */
export function isLookedAt({ render, options }: FetchRequest): boolean {
  const isPicture = ({ type }: { readonly type: string }): boolean =>
    type === 'screenshot' || type === 'pdf';
  return render.screenshot !== null || options.actions.some(isPicture);
}

async function quietly(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DISABLE_MS);
  });
  // A page that is gone has nothing to be switched off.
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
