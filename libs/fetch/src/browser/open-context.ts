import type { Browser, BrowserContext, CDPSession, Dialog, Frame, Page } from 'playwright';
import { pageIdentity, type PageIdentity } from './page-identity.js';
import type { LeaseRequest, PageDoor } from './pool-options.js';
import { PLAIN_PAGE_SCRIPT, STEALTH_PAGE_SCRIPT } from './page-scripts.js';

/** Clearing costs a round trip's work per origin; a page with more is not worth keeping. */
const MAX_ORIGINS = 20;
const PHONE_PIXELS_PER_POINT = 2.625;

/**
 * A browser context with its one page, its door through the proxy and a raw session. Serves one task,
 * or several of one key in turn, cleared in between.
 */
export class OpenContext<D extends PageDoor = PageDoor> {
  uses = 1;
  /** Resolves when the page's process ends. Never rejects. */
  readonly crashed: Promise<void>;
  private hasCrashed = false;
  private readonly origins = new Set<string>();
  private readonly ownListeners: ReadonlyMap<string, ReadonlySet<unknown>>;

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly cdp: CDPSession,
    readonly session: D,
  ) {
    this.crashed = new Promise((resolve) => {
      page.once('crash', () => {
        this.hasCrashed = true;
        resolve();
      });
    });
    page.on('framenavigated', (frame) => this.noteOrigin(frame.url()));
    this.ownListeners = new Map(PAGE_EVENTS.map((name) => [name, new Set(listeners(page, name))]));
  }

  static async open<D extends PageDoor>(
    browser: Browser,
    request: LeaseRequest,
    session: D,
    userAgentSuffix: string,
  ): Promise<OpenContext<D>> {
    const identity = pageIdentity(request, browser.version(), userAgentSuffix);
    const context = await browser.newContext(contextOptions(request, identity, session.url));
    const content = request.stealth ? STEALTH_PAGE_SCRIPT : PLAIN_PAGE_SCRIPT;
    context.on('dialog', answerDialog);
    const [, page] = await Promise.all([context.addInitScript({ content }), context.newPage()]);
    // Only now: every further page is one the site opened.
    context.on('page', (popup) => void popup.close().catch(ignoreGone));
    const cdp = await context.newCDPSession(page);
    const { userAgent, acceptLanguage, platform, userAgentMetadata } = identity;
    // Not through Playwright's own option: that leaves the brands of frames and workers headless.
    await cdp.send('Emulation.setUserAgentOverride', {
      userAgent,
      acceptLanguage,
      platform,
      userAgentMetadata,
    });
    return new OpenContext(context, page, cdp, session);
  }

  /** Whether another page of the same key may follow in it. */
  get isReusable(): boolean {
    return (
      !this.hasCrashed &&
      !this.page.isClosed() &&
      this.origins.size <= MAX_ORIGINS &&
      this.session.renew !== undefined
    );
  }

  /** After a failure: the page's own error comes a turn before the news that it crashed. */
  async hasJustCrashed(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.hasCrashed;
  }

  /**
   * Leaves nothing of the last page but the HTTP cache: its document first, so that no script writes
   * anew, then all at once cookies, history, and what its origins and the tab stored.
   */
  async clear(): Promise<void> {
    this.dropListeners();
    const { cdp, page } = this;
    const origins = [...this.origins];
    this.origins.clear();
    await this.leaveDocument();
    await Promise.all([
      cdp.send('Runtime.evaluate', { expression: CLEAR_TAB_SCRIPT, silent: true }),
      cdp.send('Network.clearBrowserCookies'),
      page.setExtraHTTPHeaders({}),
      cdp.send('Page.resetNavigationHistory'),
      ...origins.map((origin) =>
        cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
      ),
    ]);
    this.session.renew?.();
    this.uses++;
  }

  private async leaveDocument(): Promise<void> {
    const { cdp, page } = this;
    const left = new Promise<void>((resolve) => {
      const onNavigated = (frame: Frame) => {
        if (frame !== page.mainFrame()) return;
        page.off('framenavigated', onNavigated);
        resolve();
      };
      page.on('framenavigated', onNavigated);
    });
    await cdp.send('Runtime.evaluate', {
      expression: `location.replace('about:blank')`,
      silent: true,
    });
    await left;
  }

  /** Context and door. Rejects when the browser is gone, after the door was closed all the same. */
  async close(): Promise<void> {
    const closings = await Promise.allSettled([this.context.close(), this.session.close()]);
    for (const closing of closings) if (closing.status === 'rejected') throw closing.reason;
  }

  private noteOrigin(url: string): void {
    if (URL.canParse(url)) {
      const { origin } = new URL(url);
      if (origin !== 'null') this.origins.add(origin);
    }
  }

  /** What the last task listened to is its own affair. */
  private dropListeners(): void {
    for (const [name, own] of this.ownListeners) {
      for (const listener of listeners(this.page, name)) {
        if (!own.has(listener)) this.page.removeListener(name as 'load', listener as () => void);
      }
    }
  }
}

const CLEAR_TAB_SCRIPT = `try { sessionStorage.clear() } catch {} window.name = ''`;

const PAGE_EVENTS = [
  'close',
  'console',
  'crash',
  'dialog',
  'domcontentloaded',
  'download',
  'filechooser',
  'frameattached',
  'framedetached',
  'framenavigated',
  'load',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
  'worker',
] as const;

/** Playwright's pages are event emitters, which its types do not say. */
function listeners(page: Page, name: string): readonly unknown[] {
  return (page as unknown as { listeners(name: string): unknown[] }).listeners(name);
}

function contextOptions(
  { mobile, viewport }: LeaseRequest,
  { locale, timezoneId }: PageIdentity,
  proxyUrl: string,
): NonNullable<Parameters<Browser['newContext']>[0]> {
  return {
    proxy: { server: proxyUrl, bypass: '<-loopback>' },
    acceptDownloads: false,
    serviceWorkers: 'block',
    viewport: { ...viewport },
    ...(locale === null ? {} : { locale }),
    ...(timezoneId === null ? {} : { timezoneId }),
    ...(mobile
      ? { isMobile: true, hasTouch: true, deviceScaleFactor: PHONE_PIXELS_PER_POINT }
      : {}),
  };
}

/** A page that asks whether it may be left is left; every other question is answered no. */
function answerDialog(dialog: Dialog): void {
  const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
  void answer.catch(ignoreGone);
}

/** The page was closed meanwhile, which is as good. */
function ignoreGone(): void {
  return undefined;
}
