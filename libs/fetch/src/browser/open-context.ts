import type { Browser, BrowserContext, CDPSession, Dialog, Page } from 'playwright';
import { pageIdentity, type BrowserIdentity } from './browser-identity.js';
import type { LeaseRequest, ProxyPort } from './pool-options.js';
import { PageTraces } from './page-traces.js';
import { PLAIN_PAGE_SCRIPT, STEALTH_PAGE_SCRIPT } from './page-scripts.js';

const PHONE_PIXELS_PER_POINT = 2.625;

/**
 * A browser context with its one page, its proxy port and a raw session. Serves one task,
 * or several of one key in turn, cleared in between.
 */
export class OpenContext<D extends ProxyPort = ProxyPort> {
  uses = 1;
  /** Resolves when the page's process ends. Never rejects. */
  readonly crashed: Promise<void>;
  private hasCrashed = false;
  private isDiscarded = false;
  private readonly traces: PageTraces;

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
    this.traces = new PageTraces(page, cdp);
  }

  static async open<D extends ProxyPort>(
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
      !this.isDiscarded &&
      !this.page.isClosed() &&
      this.session.renew !== undefined &&
      this.traces.canBeCleared
    );
  }

  /** The page is in a state that no other may follow. */
  discard(): void {
    this.isDiscarded = true;
  }

  /** After a failure: the page's own error comes a turn before the news that it crashed. */
  async hasJustCrashed(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.hasCrashed;
  }

  /** Leaves nothing of the last page but the HTTP cache. Rejects when it cannot. */
  async clear(): Promise<void> {
    await this.traces.clear();
    this.session.renew?.();
    this.uses++;
  }

  /** Closes context and proxy port. Rejects when the browser is gone, but closes the port first. */
  async close(): Promise<void> {
    const closings = await Promise.allSettled([this.context.close(), this.session.close()]);
    for (const closing of closings) if (closing.status === 'rejected') throw closing.reason;
  }
}

function contextOptions(
  { mobile, viewport }: LeaseRequest,
  { locale, timezoneId }: BrowserIdentity,
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

/** A page that asks whether it may be left is left; every other dialog is dismissed. */
function answerDialog(dialog: Dialog): void {
  const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
  void answer.catch(ignoreGone);
}

/** The page was closed meanwhile, which is as good. */
function ignoreGone(): void {
  return undefined;
}
