import type { CDPSession, Frame, Page } from 'playwright';

/** Clearing costs work per origin; a page with more is not worth keeping. */
const MAX_ORIGINS = 20;
const MIB = 1024 ** 2;
/** Garbage is collected from this size of the heap on: left to the renderer, it doubles its memory. */
const COLLECTED_BYTES = 12 * MIB;
/** A page whose heap is larger without its garbage keeps what it should not. */
const MAX_KEPT_BYTES = 48 * MIB;

/** What the tasks on one page leave behind, and how it is wiped out. */
export class PageTraces {
  private readonly origins = new Set<string>();
  private hasCredentials = false;
  private isBloated = false;
  private readonly ownListeners: ReadonlyMap<string, ReadonlySet<unknown>>;

  constructor(
    private readonly page: Page,
    private readonly cdp: CDPSession,
  ) {
    page.on('framenavigated', (frame) => this.note(frame.url()));
    this.ownListeners = new Map(PAGE_EVENTS.map((name) => [name, new Set(listeners(page, name))]));
  }

  /**
   * Whether everything left is within reach. Session storage belongs to the tab and is reached only
   * through a document of its origin, so every origin must still be shown. HTTP credentials stay in
   * the context for good.
   */
  get canBeCleared(): boolean {
    if (this.hasCredentials || this.isBloated || this.origins.size > MAX_ORIGINS) return false;
    const shown = new Set(this.page.frames().map((frame) => originOf(frame.url())));
    return [...this.origins].every((origin) => shown.has(origin));
  }

  /** Leaves nothing but the HTTP cache. Rejects when the page is gone or keeps its document. */
  async clear(): Promise<void> {
    const origins = [...this.origins];
    this.dropListeners();
    await this.clearFrames();
    await this.leaveDocument();
    await Promise.all([
      this.cdp.send('Runtime.evaluate', { expression: CLEAR_STORAGE, silent: true }),
      this.cdp.send('Network.clearBrowserCookies'),
      this.cdp.send('Page.resetNavigationHistory'),
      this.page.setExtraHTTPHeaders({}),
      this.collectGarbage(),
      ...origins.map((origin) =>
        this.cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
      ),
    ]);
    // One more, come meanwhile, keeps the page from being used again.
    for (const origin of origins) this.origins.delete(origin);
  }

  private async collectGarbage(): Promise<void> {
    if ((await this.heapBytes()) < COLLECTED_BYTES) return;
    await this.cdp.send('HeapProfiler.collectGarbage');
    this.isBloated = (await this.heapBytes()) > MAX_KEPT_BYTES;
  }

  /** Of scripts and of the document. */
  private async heapBytes(): Promise<number> {
    const { usedSize, embedderHeapUsedSize } = await this.cdp.send('Runtime.getHeapUsage');
    return usedSize + embedderHeapUsedSize;
  }

  private note(url: string): void {
    const origin = originOf(url);
    if (origin !== 'null') this.origins.add(origin);
    if (URL.canParse(url) && new URL(url).username !== '') this.hasCredentials = true;
  }

  /** Frames of other origins, whose session storage is out of reach once they are gone. */
  private async clearFrames(): Promise<void> {
    const [main, ...frames] = this.page.frames();
    const own = originOf(main?.url() ?? '');
    const foreign = frames.filter((frame) => ![own, 'null'].includes(originOf(frame.url())));
    await Promise.all(foreign.map((frame) => frame.evaluate(CLEAR_STORAGE)));
  }

  /**
   * To an empty document, so that no script of the page writes anew. By the page itself, not by
   * `Page.navigate`: the empty document then has the page's origin, reaches what the tab stores for
   * it, and takes the place of the page in the same process.
   */
  private async leaveDocument(): Promise<void> {
    const left = Promise.withResolvers<void>();
    const onNavigated = (frame: Frame) => {
      if (frame === this.page.mainFrame()) left.resolve();
    };
    this.page.on('framenavigated', onNavigated);
    try {
      await this.cdp.send('Runtime.evaluate', { expression: LEAVE, silent: true });
      await left.promise;
    } finally {
      this.page.off('framenavigated', onNavigated);
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

/** No page can replace `location` or its methods. */
const LEAVE = `location.replace('about:blank')`;
/** Local storage too: its copy in this process would hear of the clearing a moment late. */
const CLEAR_STORAGE = `try { sessionStorage.clear(); localStorage.clear() } catch {} window.name = ''`;

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

/** `null`: an origin that nothing can be stored for. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'null';
}
