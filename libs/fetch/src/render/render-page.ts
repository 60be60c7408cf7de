import type { FetchedPage, FetchRequest } from '../fetch-rung.js';
import { runActions } from './actions.js';
import { giveCookies } from './cookies.js';
import { DocumentGone } from './isolated-world.js';
import { navigate, refusalOf } from './navigate.js';
import { navigationError } from './network-errors.js';
import { OverlayRemover } from './page-side/overlay-remover.js';
import { type SerialisedPage, Serialiser } from './page-side/serialiser.js';
import type { RefusalRecord, RenderLease } from './page-source.js';
import { outOfTime, RenderError } from './render-error.js';
import { type Rendering, withRendering } from './rendering.js';
import { takeScreenshot } from './screenshot.js';
import { scrollThrough } from './scroll-through.js';
import { RESERVE_MS, settle } from './settle.js';

const MAX_NODES = 500_000;
const MAX_FRAMES = 50;
const MAX_FRAME_DEPTH = 5;
const SERIALISE_BUDGET_MS = 3_000;
const MAX_READS = 5;
/** How long the load event is waited for: one picture that never comes must not take all the time. */
const MAX_LOAD_MS = 10_000;
const HTML = 'text/html; charset=utf-8';

/**
 * Loads the page in the lent browser page, waits until it has come to rest, does what was asked for on
 * it, and reads it as a reader would see it.
 * @throws BlockedUrlError when the guard refused the page itself or what `onRedirect` throws; RenderError otherwise
 */
export async function renderPage(lease: RenderLease, request: FetchRequest): Promise<FetchedPage> {
  return withRendering(lease, request, async (rendering) => {
    const startedAt = performance.now();
    await rendering.lifeline.hold(giveCookies(lease.context, request), 'cookies were set');
    await navigate(rendering, lease.session);
    if (isUnshown(rendering)) return bodyAsSent(rendering, startedAt);
    const isSettled = await restOrEnd(rendering);
    if (isUnshown(rendering)) return bodyAsSent(rendering, startedAt);
    assertShown(rendering, lease.session);
    const actedAt = performance.now();
    const actionResults = await runActions(rendering);
    const actionsMs = performance.now() - actedAt;
    await clearAway(rendering);
    const { screenshot: shot } = request.render;
    const screenshot = shot ? await takeScreenshot(rendering, shot) : undefined;
    const read = await readPage(rendering);
    assertWhole(rendering, read);
    return {
      ...pageOf(rendering, read),
      timings: timingsOf(rendering, startedAt, actionsMs),
      ...(isSettled ? {} : { isUnsettled: true }),
      ...(screenshot ? { screenshot } : {}),
      ...(actionResults.length > 0 ? { actionResults } : {}),
    };
  });
}

/** The answer had no document to show: it ended with its status, or its body was taken on the way. */
function isUnshown({ gate, frame }: Rendering): boolean {
  return (
    frame.documents === 0 ||
    (gate.raw !== null && gate.responseOf(frame.loaderId) !== gate.responseOf())
  );
}

/** The page may have gone on by itself to where it cannot go: Chromium then shows a page of its own. */
function assertShown({ frame, gate }: Rendering, session: RefusalRecord): void {
  const { unreachableUrl, loaderId } = frame;
  const response = gate.responseOf(loaderId);
  const isAnswer = response?.headers['x-trawl-refused'] !== undefined;
  if (unreachableUrl === null && !isAnswer) return;
  const url = unreachableUrl ?? response?.url ?? gate.lastUrl;
  throw (
    refusalOf(session, url, isAnswer ? response : null) ??
    new RenderError('network', 'the page went on to an address that could not be loaded')
  );
}

/** A body that broke off before there was anything to read is no page. */
function assertWhole({ inFlight, gate }: Rendering, { html }: SerialisedPage): void {
  const { documentError } = inFlight;
  if (documentError === null || gate.raw !== null) return;
  if (html.replace(/<[^>]*>|\s+/g, '') === '') throw navigationError(documentError);
}

/** False: the page had not come to rest. Ends early when no more of a document will come. */
async function restOrEnd(rendering: Rendering): Promise<boolean> {
  const { gate, inFlight } = rendering;
  const rest = comeToRest(rendering);
  // Given up when the other comes first; its end is then nobody's concern.
  rest.catch(() => undefined);
  const end = Promise.race([gate.taken, inFlight.broken]).then(() => false);
  return Promise.race([rest, end]);
}

async function comeToRest(rendering: Rendering): Promise<boolean> {
  const { options } = rendering.request;
  if (options.waitForMs > 0) await waitAfterLoad(rendering, options.waitForMs);
  const isSettled = await settle(rendering);
  if (!options.scroll) return isSettled;
  await scrollThrough(rendering);
  return settle(rendering);
}

async function waitAfterLoad(rendering: Rendering, ms: number): Promise<void> {
  const { frame, lifeline, request } = rendering;
  const leftMs = (): number => lifeline.deadline.remainingMs() - RESERVE_MS;
  // A screenshot's wait counts from the parsed document (specification: POST /v1/screenshot, `waitFor`).
  const readiness = request.render.screenshot ? 'interactive' : 'complete';
  await frame.reached(readiness, Math.min(MAX_LOAD_MS, leftMs()));
  await lifeline.pause(Math.min(ms, leftMs()));
}

async function clearAway({ request, world, lifeline }: Rendering): Promise<void> {
  if (!request.render.removeOverlays) return;
  await world.run(OverlayRemover, null, lifeline.deadline.remainingMs() - RESERVE_MS);
}

/** Reads the document; one that goes away meanwhile is followed by the next. */
async function readPage(rendering: Rendering): Promise<SerialisedPage> {
  const { world, lifeline, request, frame } = rendering;
  const limits = {
    maxChars: request.maxBytes,
    maxNodes: MAX_NODES,
    maxFrames: MAX_FRAMES,
    maxFrameDepth: MAX_FRAME_DEPTH,
    budgetMs: SERIALISE_BUDGET_MS,
  };
  for (let reads = 0; reads < MAX_READS; reads++) {
    try {
      return await world.run(Serialiser, limits, readingMs(lifeline.deadline.remainingMs()));
    } catch (error) {
      if (!(error instanceof DocumentGone)) throw error;
      world.reset();
      await frame.reached('interactive', lifeline.deadline.remainingMs() - RESERVE_MS);
    }
  }
  throw outOfTime('the page kept replacing itself');
}

/** Leaves time to stop a page whose script never ends, and to ask it once more. */
function readingMs(leftMs: number): number {
  return Math.max(leftMs / 2, leftMs - 1_500);
}

function pageOf(
  { gate, frame, request }: Rendering,
  { html, url, isCut }: SerialisedPage,
): Omit<FetchedPage, 'timings'> {
  const response = gate.responseOf(frame.loaderId);
  const all = gate.raw?.bytes ?? new TextEncoder().encode(html);
  const body = all.length > request.maxBytes ? all.slice(0, request.maxBytes) : all;
  return {
    url,
    statusCode: response?.statusCode ?? 200,
    contentType: gate.raw ? (response?.headers['content-type'] ?? null) : HTML,
    headers: response?.headers ?? {},
    body,
    bytes: body.length,
    isCut: (gate.raw ? gate.raw.isCut : isCut) || body !== all,
    redirects: gate.redirects,
    isRendered: gate.raw === null,
  };
}

function bodyAsSent({ gate }: Rendering, startedAt: number): FetchedPage {
  const response = gate.responseOf();
  const body = gate.raw?.bytes ?? new Uint8Array();
  return {
    url: response?.url ?? '',
    statusCode: response?.statusCode ?? 200,
    contentType: response?.headers['content-type'] ?? null,
    headers: response?.headers ?? {},
    body,
    bytes: body.length,
    isCut: gate.raw?.isCut ?? false,
    redirects: gate.redirects,
    timings: { renderMs: Math.round(performance.now() - startedAt) },
    isRendered: false,
  };
}

function timingsOf(
  { gate, request }: Rendering,
  startedAt: number,
  actionsMs: number,
): Readonly<Record<string, number>> {
  const answeredAt = gate.responseOf()?.atMs;
  return {
    ...(answeredAt === undefined ? {} : { ttfbMs: Math.round(answeredAt - startedAt) }),
    renderMs: Math.round(performance.now() - startedAt - actionsMs),
    ...(request.options.actions.length > 0 ? { actionsMs: Math.round(actionsMs) } : {}),
  };
}
