import { BlockedUrlError } from '@app/egress';
import type { ErrorClass } from '@app/contracts';
import type { FetchedPage, FetchRequest } from '../fetch-rung.js';
import { runActions } from './actions.js';
import { navigationRefusal, responseRefusal } from './refused-navigation.js';
import type { SerialisedPage } from './page-side/serialiser.js';
import type { RefusalRecord, RenderLease } from './page-source.js';
import { repairMisreadUtf8 } from './misread-utf8.js';
import { clearAway, readRenderedPage, readTerms } from './read-page.js';
import { RenderError, outOfTime } from './render-error.js';
import { withRendering, type Rendering } from './rendering.js';
import { takeScreenshot } from './screenshot.js';
import { scrollThrough } from './scroll-through.js';
import { settlePage, type Rest } from './settle.js';
import { keptCookies } from './cookies.js';
import { lookBack } from './watched-page.js';

/**
 * How long the load event is waited for: one picture that never comes must not take all the time.
 */
const MAX_LOAD_MS = 10_000;
const HTML = 'text/html; charset=utf-8';
/** Of an address that a page makes up. */
const MAX_URL_CHARS = 2_048;

/**
 * Loads the page in the lent browser page, waits until it has come to rest, runs the requested
 * actions, and reads it as a reader would see it.
 * @throws BlockedUrlError when the guard refused the page itself or what `onRedirect` throws;
 * RenderError otherwise
 */
export async function renderPage(lease: RenderLease, request: FetchRequest): Promise<FetchedPage> {
  return withRendering(lease, request, async (rendering) => {
    const page = await loadPage(rendering, lease.session);
    const setCookies = await rendering.setCookies.read();
    const { watch, keepsCookies } = request.render;
    return {
      ...page,
      ...(setCookies.length > 0 ? { setCookies } : {}),
      ...(watch ? { watched: await lookBack(rendering, watch, page) } : {}),
      ...(keepsCookies ? { cookies: await keptCookies(rendering) } : {}),
    };
  });
}

async function loadPage(rendering: Rendering, session: RefusalRecord): Promise<FetchedPage> {
  const startedAt = performance.now();
  await navigate(rendering, session);
  if (isUnshown(rendering)) return bodyAsSent(rendering, startedAt);
  const rest = await restOrEnd(rendering);
  assertNotRefused(rendering, session);
  if (isUnshown(rendering)) return bodyAsSent(rendering, startedAt);
  assertShown(rendering, session);
  if (rest.page !== null) return pageAtRest(rendering, rest.page, startedAt);
  return pageAfterwards(rendering, rest.isSettled, startedAt);
}

function pageAtRest(rendering: Rendering, read: SerialisedPage, startedAt: number): FetchedPage {
  assertWhole(rendering, read);
  return { ...pageOf(rendering, read, true), timings: timingsOf(rendering, startedAt, 0) };
}

/** Adds the requested outputs beside the page itself. */
async function pageAfterwards(
  rendering: Rendering,
  isSettled: boolean,
  startedAt: number,
): Promise<FetchedPage> {
  const actedAt = performance.now();
  const actionResults = await runActions(rendering);
  const actionsMs = performance.now() - actedAt;
  await clearAway(rendering);
  const { options, render } = rendering.request;
  // A page that the request scrolls has been scrolled through.
  const shot = render.screenshot && {
    ...render.screenshot,
    ...(options.scroll && { scroll: false }),
  };
  const screenshot = shot ? await takeScreenshot(rendering, shot) : undefined;
  const read = await readRenderedPage(rendering);
  assertWhole(rendering, read);
  return {
    ...pageOf(rendering, read, isSettled),
    timings: timingsOf(rendering, startedAt, actionsMs),
    ...(screenshot ? { screenshot } : {}),
    ...(actionResults.length > 0 ? { actionResults } : {}),
  };
}

/**
 * The response had no document to show: it ended with its status, or its body was taken on the way.
 */
function isUnshown({ gate, frame }: Rendering): boolean {
  return (
    frame.documents === 0 ||
    (gate.raw !== null && gate.responseOf(frame.loaderId) !== gate.responseOf())
  );
}

/** The response may be the filtering proxy's, which is no page of the site. */
function assertNotRefused({ gate }: Rendering, session: RefusalRecord): void {
  const refused = responseRefusal(session, gate.responseOf());
  if (refused !== null) throw refused;
}

/**
 * The page may have gone on by itself to where it cannot go: Chromium then shows a page of its own.
 */
function assertShown({ frame }: Rendering, session: RefusalRecord): void {
  const { unreachableUrl } = frame;
  if (unreachableUrl === null) return;
  throw (
    navigationRefusal(session, unreachableUrl) ??
    new RenderError('network', 'the page went on to an address that could not be loaded')
  );
}

/** A body that broke off before there was anything to read is no page. */
function assertWhole({ inFlight, gate }: Rendering, { html }: SerialisedPage): void {
  const { documentError } = inFlight;
  if (documentError === null || gate.raw !== null) return;
  if (!hasWords(html)) throw navigationError(documentError);
}

/** Ends early when no more of a document will come. */
async function restOrEnd(rendering: Rendering): Promise<Rest> {
  const { gate, inFlight } = rendering;
  const rest = comeToRest(rendering);
  // Abandoned when the other comes first; its end is then ignored.
  rest.catch(() => undefined);
  const end = Promise.race([gate.taken, inFlight.broken]);
  return Promise.race([rest, end.then(() => ({ isSettled: false, page: null }))]);
}

async function comeToRest(rendering: Rendering): Promise<Rest> {
  const { options, render } = rendering.request;
  if (options.waitForMs > 0) await waitAfterLoad(rendering, options.waitForMs);
  const isAllWanted = options.actions.length === 0 && render.screenshot === null;
  const reading = isAllWanted ? readTerms(rendering) : null;
  if (!options.scroll) return settlePage(rendering, reading);
  await settlePage(rendering);
  await scrollThrough(rendering);
  return settlePage(rendering, reading);
}

async function waitAfterLoad(rendering: Rendering, ms: number): Promise<void> {
  const { frame, gate, lifeline, request } = rendering;
  // A screenshot's wait counts from the parsed document (specification: POST /v1/screenshot,
  // `waitFor`).
  const readiness = request.render.screenshot ? 'interactive' : 'complete';
  const ready = frame.reached(readiness, Math.min(MAX_LOAD_MS, lifeline.leftMs()));
  await Promise.race([ready, gate.refused]);
  await lifeline.pause(Math.min(ms, lifeline.leftMs()));
}

function pageOf(
  rendering: Rendering,
  { html, url, isCut }: SerialisedPage,
  isSettled: boolean,
): Omit<FetchedPage, 'timings'> {
  const { gate, frame, request, world } = rendering;
  const response = gate.responseOf(frame.loaderId);
  const sourceOf = (): string => repairMisreadUtf8(html, response?.headers['content-type']);
  const all = gate.raw?.bytes ?? new TextEncoder().encode(sourceOf());
  const body = all.length > request.maxBytes ? all.slice(0, request.maxBytes) : all;
  return {
    url,
    statusCode: response?.statusCode ?? 200,
    contentType: gate.raw ? (response?.headers['content-type'] ?? null) : HTML,
    headers: response?.headers ?? {},
    ...(response?.robotsTags ? { robotsTags: response.robotsTags } : {}),
    body,
    bytes: body.length,
    isCut: (gate.raw ? gate.raw.isCut : isCut || isBrokenOff(rendering)) || body !== all,
    redirects: gate.redirects,
    isRendered: gate.raw === null,
    ...refusedIn(gate),
    ...(gate.refusedThirdParties > 0 ? { refusedThirdParties: gate.refusedThirdParties } : {}),
    ...(isSettled && !world.isStopped ? {} : { isUnsettled: true }),
  };
}

function refusedIn({ refusedNavigations: [first] }: Rendering['gate']): Partial<FetchedPage> {
  return first === undefined ? {} : { refusedNavigation: first.slice(0, MAX_URL_CHARS) };
}

/** More of the document would have come, had there been time for it, or had it not been stopped. */
function isBrokenOff({ world, frame, inFlight }: Rendering): boolean {
  return world.isStopped || !frame.isParsed || inFlight.documentError !== null;
}

function bodyAsSent({ gate }: Rendering, startedAt: number): FetchedPage {
  const response = gate.responseOf();
  const body = gate.raw?.bytes ?? new Uint8Array();
  return {
    url: response?.url ?? '',
    statusCode: response?.statusCode ?? 200,
    contentType: response?.headers['content-type'] ?? null,
    headers: response?.headers ?? {},
    ...(response?.robotsTags ? { robotsTags: response.robotsTags } : {}),
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
  const respondedAt = gate.responseOf()?.atMs;
  return {
    ...(respondedAt === undefined ? {} : { ttfbMs: Math.round(respondedAt - startedAt) }),
    renderMs: Math.round(performance.now() - startedAt - actionsMs),
    ...(request.options.actions.length > 0 ? { actionsMs: Math.round(actionsMs) } : {}),
  };
}

/**
 * Whether there is anything in an HTML source but tags and white space. A `<` that is never closed counts as text.
 * One pass: the source is untrusted, and as long as a page may be.
 */
export function hasWords(html: string): boolean {
  for (let at = 0; at < html.length; at++) {
    if (html[at] === '<') {
      const end = html.indexOf('>', at);
      if (end === -1) return true;
      at = end;
    } else if (!isSpace(html, at)) return true;
  }
  return false;
}

function isSpace(html: string, at: number): boolean {
  return /\s/.test(html.charAt(at));
}

/**
 * Loads the page until its document is there. A body that is not shown (no content, or no markup)
 * ends the navigation too; the gate has it then.
 * @throws BlockedUrlError | RenderError
 */
export async function navigate(rendering: Rendering, session: RefusalRecord): Promise<void> {
  const { cdp, request, lifeline, gate, frame } = rendering;
  assertOfWeb(request.url);
  const before = frame.documents;
  const work = cdp.send('Page.navigate', { url: request.url.href });
  const { errorText = '', isDownload } = await lifeline.hold(work, 'the page was loaded');
  const refused = responseRefusal(session, gate.responseOf());
  if (refused !== null) throw refused;
  if (errorText === '') {
    // Without a document there is nothing to read, which would look like an empty page.
    const isThere = await frame.documentAfter(before, lifeline.deadline.remainingMs());
    if (!isThere) throw outOfTime('the page was loaded');
    return;
  }
  if (gate.raw !== null) return;
  if (isDownload) throw new RenderError('parse_error', 'the address is a download');
  const isBodiless = /ERR_(?:ABORTED|HTTP_RESPONSE_CODE_FAILURE)/.test(errorText);
  if (isBodiless && gate.responseOf() !== null) return;
  throw navigationRefusal(session, gate.lastUrl) ?? navigationError(errorText);
}

/** A browser opens files and pages of its own too: whatever came before, it is given none. */
function assertOfWeb(url: URL): void {
  if (!/^https?:$/.test(url.protocol)) throw new BlockedUrlError('parse', url.href);
}

interface Row {
  readonly errorClass: ErrorClass;
  readonly problem: string;
}
const row = (errorClass: ErrorClass, problem: string): Row => ({ errorClass, problem });

/** Chromium's names of navigation errors (net/base/net_error_list.h), without `net::ERR_`. */
const ROWS: Readonly<Record<string, Row>> = {
  NAME_NOT_RESOLVED: row('network', 'the name could not be resolved'),
  CONNECTION_REFUSED: row('network', 'the connection was refused'),
  CONNECTION_RESET: row('network', 'the connection was reset'),
  CONNECTION_CLOSED: row('network', 'the connection was closed'),
  CONNECTION_ABORTED: row('network', 'the connection was aborted'),
  CONNECTION_FAILED: row('network', 'the connection failed'),
  ADDRESS_UNREACHABLE: row('network', 'the address is unreachable'),
  INTERNET_DISCONNECTED: row('network', 'there is no network'),
  EMPTY_RESPONSE: row('network', 'the server closed the connection without an answer'),
  TUNNEL_CONNECTION_FAILED: row('network', 'the connection failed'),
  PROXY_CONNECTION_FAILED: row('network', 'the proxy could not be reached'),
  SOCKS_CONNECTION_FAILED: row('network', 'the connection failed'),
  INCOMPLETE_CHUNKED_ENCODING: row('network', 'the answer broke off'),
  CONTENT_LENGTH_MISMATCH: row('network', 'the answer broke off'),
  TIMED_OUT: row('timeout', 'the server took too long'),
  CONNECTION_TIMED_OUT: row('timeout', 'the connection took too long'),
  TOO_MANY_REDIRECTS: row('http_error', 'too many redirects'),
  UNSAFE_REDIRECT: row('http_error', 'redirected to an address that is not of the web'),
  INVALID_REDIRECT: row('http_error', 'redirected to an address that is none'),
  INVALID_RESPONSE: row('parse_error', 'the answer is not valid HTTP'),
  INVALID_HTTP_RESPONSE: row('parse_error', 'the answer is not valid HTTP'),
  INVALID_CHUNKED_ENCODING: row('parse_error', 'the answer is not valid HTTP'),
  RESPONSE_HEADERS_TOO_BIG: row('parse_error', 'the headers of the answer are too large'),
  CONTENT_DECODING_FAILED: row('parse_error', 'the answer could not be decompressed'),
  UNKNOWN_URL_SCHEME: row('parse_error', 'the address is of an unknown scheme'),
};

/** The failure behind `net::ERR_…` in the text of a navigation. */
export function navigationError(errorText: string): RenderError {
  const name = /ERR_([A-Z0-9_]+)/.exec(errorText)?.[1] ?? '';
  const { errorClass, problem } = ROWS[name] ?? familyOf(name);
  return new RenderError(errorClass, problem);
}

function familyOf(name: string): Row {
  if (/^(?:CERT|SSL|BAD_SSL)/.test(name)) return row('network', 'the TLS connection failed');
  if (/^(?:HTTP2|QUIC|SPDY)/.test(name)) return row('network', 'the answer broke the protocol');
  if (/^(?:BLOCKED|UNSAFE_PORT|ACCESS_DENIED)/.test(name)) {
    return row('unknown', 'the browser refused the address');
  }
  return row('unknown', `the browser could not load the page (${name || 'no reason given'})`);
}
