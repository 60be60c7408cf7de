import type { Browser, CDPSession } from 'playwright';
import { BlockedUrlError, InvalidUrlError, type RefusalKind, RefusalLog } from '@app/egress';
import { playwright } from '../browser/playwright.js';
import { quietRemoteBrowser } from '../browser/quiet-browser.js';
import type { PageSource, RefusalRecord, RenderLease, RenderLeaseRequest } from './page-source.js';
import { PageEndedError, RenderError } from './render-error.js';

export interface RemotePagesOptions {
  /**
   * `ws://` or `wss://`, or the `http://` address of a DevTools endpoint. May hold a key: never
   * logged or returned.
   */
  readonly wsUrl: string;
  /**
   * Throws when the guard refuses the address. Called for every request of a page, each redirect
   * too.
   */
  readonly vet: (url: string) => Promise<void>;
}

const CLOSE_MS = 2_000;
const LOSS_NOTICE_MS = 500;

/**
 * Pages of a browser elsewhere: one connection and one context per task, both closed with it. There
 * is no filtering proxy on its way out, so the guard is asked at the browser itself, for all its
 * frames. WebSockets are not shown there, and names are resolved by the other side: the operator
 * must choose a browser on a network without private services.
 */
export class RemotePages implements PageSource {
  constructor(private readonly options: RemotePagesOptions) {}

  async withPage<T>(
    request: RenderLeaseRequest,
    work: (lease: RenderLease) => Promise<T>,
  ): Promise<T> {
    const browser = await this.connect(request);
    try {
      quietRemoteBrowser(browser);
      return await work(await this.lend(browser, request));
    } catch (error) {
      throw (await isLost(browser, error)) ? lost() : error;
    } finally {
      // Disconnects, and takes the context along; a side that does not respond delays no caller.
      await within(CLOSE_MS, browser.close());
    }
  }

  private async connect({ deadline }: RenderLeaseRequest): Promise<Browser> {
    const timeout = Math.max(1, deadline.remainingMs());
    try {
      return await playwright().chromium.connectOverCDP(this.options.wsUrl, { timeout });
    } catch {
      // The message holds the address, and that its key.
      throw new RenderError('provider_error', 'the hosted browser could not be reached');
    }
  }

  private async lend(browser: Browser, request: RenderLeaseRequest): Promise<RenderLease> {
    const { viewport, mobile, deadline } = request;
    const opening = async (): Promise<RenderLease> => {
      const gate = new RemoteGate(await browser.newBrowserCDPSession(), this.options.vet);
      await gate.open();
      const context = await browser.newContext({
        viewport,
        isMobile: mobile,
        hasTouch: mobile,
        deviceScaleFactor: mobile ? PHONE_SCALE : 1,
        acceptDownloads: false,
        serviceWorkers: 'block',
      });
      const page = await context.newPage();
      return { page, context, cdp: await context.newCDPSession(page), session: gate };
    };
    const lease = await within(deadline.remainingMs(), opening());
    if (lease === null)
      throw new RenderError('provider_error', 'the hosted browser opened no page');
    return lease;
  }
}

const PHONE_SCALE = 2;

interface Paused {
  readonly requestId: string;
  readonly request: { readonly url: string };
}

/** Asks the guard for each request of the whole browser, and keeps its refusals. */
class RemoteGate implements RefusalRecord {
  private readonly refusals = new RefusalLog();

  constructor(
    private readonly cdp: CDPSession,
    private readonly vet: (url: string) => Promise<void>,
  ) {}

  async open(): Promise<void> {
    this.cdp.on('Fetch.requestPaused', (paused) => void this.decide(paused));
    await this.cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  }

  refusalOf(target: string): RefusalKind | null {
    return this.refusals.kindOf(target);
  }

  private async decide({ requestId, request }: Paused): Promise<void> {
    const isAllowed = await this.isAllowed(request.url);
    const decided = isAllowed
      ? this.cdp.send('Fetch.continueRequest', { requestId })
      : this.cdp.send('Fetch.failRequest', { requestId, errorReason: 'AccessDenied' });
    // The page went away meanwhile.
    await decided.catch(() => undefined);
  }

  private async isAllowed(target: string): Promise<boolean> {
    if (!/^https?:/i.test(target)) return /^(?:data|blob|about):/i.test(target);
    try {
      await this.vet(target);
      return true;
    } catch (error) {
      const isBlocked = error instanceof BlockedUrlError || error instanceof InvalidUrlError;
      this.refusals.add({ kind: isBlocked ? 'blocked' : 'network', target });
      return false;
    }
  }
}

/** A page's end may come a moment before the news that its browser is gone. */
async function isLost(browser: Browser, error: unknown): Promise<boolean> {
  if (!browser.isConnected()) return true;
  if (!(error instanceof PageEndedError)) return false;
  const disconnected = new Promise((resolve) => browser.once('disconnected', resolve));
  return (await within(LOSS_NOTICE_MS, disconnected)) !== null;
}

function lost(): RenderError {
  return new RenderError('provider_error', 'the connection to the hosted browser was lost');
}

/** Null: it took longer, or failed because the connection is gone. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([work.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
