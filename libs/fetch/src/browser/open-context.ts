import type { Browser, BrowserContext, CDPSession, Dialog, Page } from 'playwright';
import { pageIdentity, type BrowserIdentity } from './browser-identity.js';
import type { ContextLook, ProxyPort } from './pool-options.js';
import { PageTraces } from './page-traces.js';
import { rawSession } from './quiet-browser.js';

const PHONE_PIXELS_PER_POINT = 2.625;

/**
 * A browser context with its one page, its proxy port and a raw session. Serves one task,
 * or several of one key in turn, cleared in between.
 */
export class OpenContext<D extends ProxyPort = ProxyPort> {
  uses = 1;
  /** Resolves when the page's process ends. Never rejects. */
  readonly crashed: Promise<void>;
  hasCrashed = false;
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
    request: ContextLook,
    session: D,
    userAgentSuffix: string,
  ): Promise<OpenContext<D>> {
    const identity = pageIdentity(request, browser.version(), userAgentSuffix);
    const context = await browser.newContext(contextOptions(request, identity, session.url));
    const content = request.stealth ? STEALTH_PAGE_SCRIPT : PLAIN_PAGE_SCRIPT;
    context.on('dialog', closeDialog);
    const [, page] = await Promise.all([context.addInitScript({ content }), context.newPage()]);
    // Only now: every further page is one the site opened.
    context.on('page', (popup) => void popup.close().catch(ignoreGone));
    const cdp = await rawSession(context, page);
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
  { mobile, viewport }: ContextLook,
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
function closeDialog(dialog: Dialog): void {
  const closed = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
  void closed.catch(ignoreGone);
}

/** The page was closed meanwhile, which is as good. */
function ignoreGone(): void {
  return undefined;
}

/**
 * Run in every frame before any script of the page. Plain: WebRTC and WebTransport are gone (flags
 * keep them from passing the proxy; here a page does not even find them), and a page cannot open
 * windows by the hundred, each of which would cost a process before it is closed.
 */
const PLAIN_PAGE_SCRIPT = `(() => {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport'])
    delete globalThis[name];
  globalThis.open = function open() { return null; };
})();`;

/**
 * Makes headless Chromium behave as the desktop one does where the two differ. Everything that is
 * replaced says it is native code, also through \`Function.prototype.toString\`.
 */
const STEALTH_PAGE_SCRIPT = `(() => {
  const native = new WeakMap();
  const toString = Function.prototype.toString;
  const patched = new Proxy(toString, {
    apply: (target, self, args) => native.get(self) ?? Reflect.apply(target, self, args),
  });
  native.set(patched, 'function toString() { [native code] }');
  Object.defineProperty(Function.prototype, 'toString', { value: patched, writable: true, configurable: true });
  const named = (fn, name) => {
    native.set(fn, 'function ' + name + '() { [native code] }');
    return fn;
  };
  const getter = (proto, name, read) => {
    const { get } = Object.getOwnPropertyDescriptor(proto, name) ?? {};
    if (!get) return;
    const wrapped = named(new Proxy(get, { apply: (target, self, args) => read(Reflect.apply(target, self, args), self) }), 'get ' + name);
    Object.defineProperty(proto, name, { get: wrapped, configurable: true, enumerable: true });
  };

  // As with a pop-up blocker: a new window would send its first request under the headless name.
  globalThis.open = named(() => null, 'open');

  const isMobile = navigator.maxTouchPoints > 0;
  if (!isMobile && navigator.plugins.length === 0) {
    const make = (proto, fields) => {
      const made = Object.create(proto);
      for (const [name, value] of Object.entries(fields))
        Object.defineProperty(made, name, { value, enumerable: !Number.isInteger(Number(name)) });
      return made;
    };
    const list = (proto, items, key) => {
      const fields = { length: items.length };
      items.forEach((item, at) => { fields[at] = item; fields[item[key]] = item; });
      const made = make(proto, fields);
      for (const [name, read] of [['item', (at) => items[at] ?? null], ['namedItem', (id) => items.find((one) => one[key] === id) ?? null]])
        Object.defineProperty(made, name, { value: named(read, name) });
      Object.defineProperty(made, Symbol.iterator, { value: named(() => items.values(), 'values') });
      return made;
    };
    const description = 'Portable Document Format';
    const mimes = ['application/pdf', 'text/pdf'].map((type) =>
      make(MimeType.prototype, { type, suffixes: 'pdf', description }));
    const plugins = ['PDF Viewer', 'Chrome PDF Viewer', 'Chromium PDF Viewer', 'Microsoft Edge PDF Viewer', 'WebKit built-in PDF']
      .map((name) => make(Plugin.prototype, { name, filename: 'internal-pdf-viewer', description, length: 2, 0: mimes[0], 1: mimes[1] }));
    for (const mime of mimes) Object.defineProperty(mime, 'enabledPlugin', { value: plugins[0] });
    const pluginList = list(PluginArray.prototype, plugins, 'name');
    Object.defineProperty(pluginList, 'refresh', { value: named(() => undefined, 'refresh') });
    const mimeList = list(MimeTypeArray.prototype, mimes, 'type');
    getter(Navigator.prototype, 'plugins', () => pluginList);
    getter(Navigator.prototype, 'mimeTypes', () => mimeList);
    getter(Navigator.prototype, 'pdfViewerEnabled', () => true);
  }

  if (!globalThis.chrome) {
    const startMs = performance.timeOrigin;
    const chrome = {
      app: { isInstalled: false, InstallState: { DISABLED: 'disabled', INSTALLED: 'installed', NOT_INSTALLED: 'not_installed' },
        RunningState: { CANNOT_RUN: 'cannot_run', READY_TO_RUN: 'ready_to_run', RUNNING: 'running' } },
      csi: named(() => ({ startE: startMs, onloadT: Date.now(), pageT: performance.now(), tran: 15 }), 'csi'),
      loadTimes: named(() => ({ requestTime: startMs / 1000, startLoadTime: startMs / 1000, navigationType: 'Other', connectionInfo: 'h2', npnNegotiatedProtocol: 'h2', wasNpnNegotiated: true, wasFetchedViaSpdy: true }), 'loadTimes'),
    };
    Object.defineProperty(globalThis, 'chrome', { value: chrome, writable: true, enumerable: true });
  }

  // Headless denies without asking, yet a query says that it would ask.
  if (globalThis.Notification) getter(Notification, 'permission', (value) => (value === 'denied' ? 'default' : value));
  if (globalThis.PermissionStatus) {
    const query = Permissions.prototype.query;
    const asked = new WeakSet();
    Permissions.prototype.query = named(new Proxy(query, {
      apply: async (target, self, args) => {
        const status = await Reflect.apply(target, self, args);
        if (args[0]?.name === 'notifications') asked.add(status);
        return status;
      },
    }), 'query');
    getter(PermissionStatus.prototype, 'state', (value, self) => (asked.has(self) && value === 'denied' ? 'prompt' : value));
  }

  // A window has a frame and a toolbar round its page; a phone's has not.
  if (!isMobile && top === self) {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'innerHeight')?.get;
    const inner = () => (own ? Reflect.apply(own, globalThis, []) : innerHeight);
    getter(globalThis, 'outerHeight', () => inner() + 87);
    getter(globalThis, 'outerWidth', () => innerWidth);
  }
})();`;
