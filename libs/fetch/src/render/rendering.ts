import type { CDPSession, Page, Request } from 'playwright';
import { BlockedUrlError } from '@app/egress';
import type { FetchedPage, FetchRequest } from '../fetch-rung.js';
import { giveCookies } from './cookies.js';
import { PendingPageRequests, frameOf } from './pending-page-requests.js';
import { IsolatedWorld } from './isolated-world.js';
import { Lifeline, LATE } from './lifeline.js';
import { navigationRefusal } from './refused-navigation.js';
import type { RenderLease } from './page-source.js';
import { PageRequestGate, PageRequestLog } from './page-request-gate.js';

/** Shared by the steps of one rendering. */
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
  { page, cdp, context, session, isReused = false }: RenderLease,
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
    refusesThirdParties: request.render.refusesThirdParties ?? false,
    // A crawl requests each page once.
    bypassesCache: isReused && request.caller !== undefined,
    takesRaw: request.render.screenshot === null && request.options.actions.length === 0,
    onRedirect: request.onRedirect,
    signDocument: request.signDocument,
    isRefused: (url) => navigationRefusal(session, url) instanceof BlockedUrlError,
    log,
  });
  undo.push(gate.follow());
  // All at once: each wait for a response of the browser costs a turn of both sides.
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
  const setCookies = new SetCookies(
    page,
    lifeline,
    () => gate.responseOf(gate.raw === null ? frame.loaderId : undefined)?.url,
  );
  undo.push(frame.follow(), inFlight.follow(), setCookies.follow());
  return { request, page, cdp, lifeline, gate, log, frame, world, inFlight, setCookies };
}

/** The request includes a screenshot. */
export function isLookedAt({ render, options }: FetchRequest): boolean {
  const isPicture = ({ type }: { readonly type: string }): boolean =>
    type === 'screenshot' || type === 'pdf';
  return render.screenshot !== null || options.actions.some(isPicture);
}

/**
 * They come with the response's first bytes, long before the page is read; no page is held up for
 * them.
 */
const MAX_WAIT_MS = 50;

/**
 * Follows the Set-Cookie headers of the main document. Where requests are paused, Chromium hides
 * them.
 */
class SetCookies {
  private lines: readonly string[] = [];
  /** The last navigation: its response may have no document, so that the one before stays. */
  private asked: Request | null = null;
  private taken: Promise<void> = Promise.resolve();

  constructor(
    private readonly page: Page,
    private readonly lifeline: Lifeline,
    /** Where the response came from that is read. */
    private readonly readUrl: () => string | undefined,
  ) {}

  /** Begins to follow; call what it returns to stop. */
  follow(): () => void {
    const note = (request: Request): void => this.note(request);
    this.page.on('request', note);
    return () => this.page.off('request', note);
  }

  /** One by one, as they were sent by the document that is read. Never rejects. */
  async read(): Promise<readonly string[]> {
    const readUrl = this.readUrl();
    // The page has been read: that it crashes now changes nothing.
    await this.lifeline.atMost(this.taken, MAX_WAIT_MS).catch(() => undefined);
    const [askedUrl] = this.asked?.url().split('#', 1) ?? [];
    return askedUrl === readUrl ? this.lines : [];
  }

  private note(request: Request): void {
    if (!request.isNavigationRequest() || frameOf(request) !== this.page.mainFrame()) return;
    this.asked = request;
    this.lines = [];
    // A request that failed, or lost its page, has set none.
    this.taken = this.take(request).catch(() => undefined);
  }

  private async take(request: Request): Promise<void> {
    const response = await request.response();
    const headers = (await response?.headersArray()) ?? [];
    if (this.asked !== request) return;
    this.lines = headers.flatMap(({ name, value }) =>
      name.toLowerCase() === 'set-cookie' ? value.split('\n') : [],
    );
  }
}

type Readiness = 'loading' | 'interactive' | 'complete';
const ORDER: readonly Readiness[] = ['loading', 'interactive', 'complete'];

interface FrameWord {
  readonly id: string;
  readonly loaderId: string;
  readonly url: string;
  readonly unreachableUrl?: string;
}

/** Follows which document the page's main frame holds, and how far it has come. */
class MainFrame {
  /** Number of the document: grows with each one that takes the frame. */
  documents = 0;
  /** Identifies the document, and the request that brought it. */
  loaderId = '';
  url = '';
  /** Set when Chromium shows a page of its own because this address could not be loaded. */
  unreachableUrl: string | null = null;
  private readiness: Readiness = 'loading';
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly cdp: CDPSession,
    readonly frameId: string,
    private readonly lifeline: Lifeline,
    /** Called for each new document. */
    private readonly onDocument: () => void,
  ) {}

  /** Begins to follow; call what it returns to stop. */
  follow(): () => void {
    const onNavigated = ({ frame }: { readonly frame: FrameWord }): void => this.take(frame);
    const onParsed = (): void => this.reach('interactive');
    const onLoaded = (): void => this.reach('complete');
    this.cdp.on('Page.frameNavigated', onNavigated);
    this.cdp.on('Page.domContentEventFired', onParsed);
    this.cdp.on('Page.loadEventFired', onLoaded);
    return () => {
      this.cdp.off('Page.frameNavigated', onNavigated);
      this.cdp.off('Page.domContentEventFired', onParsed);
      this.cdp.off('Page.loadEventFired', onLoaded);
    };
  }

  /** The whole document has come and was parsed. */
  get isParsed(): boolean {
    return this.readiness !== 'loading';
  }

  private take({ id, loaderId, url, unreachableUrl }: FrameWord): void {
    if (id !== this.frameId) return;
    this.documents++;
    this.loaderId = loaderId;
    this.url = url;
    this.unreachableUrl = unreachableUrl ?? null;
    this.readiness = 'loading';
    this.onDocument();
    this.notify();
  }

  /**
   * Waits until the document, or one that took its place, has come that far. False: not within
   * `ms`.
   */
  async reached(readiness: Readiness, ms: number): Promise<boolean> {
    return this.until(() => ORDER.indexOf(this.readiness) >= ORDER.indexOf(readiness), ms);
  }

  /** Waits for a document after the given one. False: none within `ms`. */
  async documentAfter(document: number, ms: number): Promise<boolean> {
    return this.until(() => this.documents > document, ms);
  }

  private async until(isTrue: () => boolean, ms: number): Promise<boolean> {
    if (isTrue()) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = (): void => {
      if (isTrue()) resolve();
    };
    this.listeners.add(listener);
    const result = await this.lifeline.atMost(promise, ms);
    this.listeners.delete(listener);
    return result !== LATE;
  }

  private reach(readiness: Readiness): void {
    // A document written anew after its load fires both events once more.
    if (ORDER.indexOf(readiness) > ORDER.indexOf(this.readiness)) this.readiness = readiness;
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
