import type { DomDocument, PageDom } from './page-dom.js';

export interface QuietTerms {
  /** Milliseconds without a change that make a page with text quiet. */
  readonly quietMs: number;
  /** The same where no timer of the page is due in the 50 ms that follow. */
  readonly idleQuietMs: number;
  /** The same for a page that shows next to nothing yet: its script may still be thinking. */
  readonly thinQuietMs: number;
  /** Visible characters below which a page shows next to nothing. */
  readonly thinChars: number;
  /** Longest wait; its text shows whether a page that keeps changing is ready. */
  readonly maxMs: number;
  /**
   * A page without anything that could run may be taken at once. Not after an action: it may have
   * handlers.
   */
  readonly trustsStatic: boolean;
}

export interface QuietLook {
  readonly isQuiet: boolean;
  readonly textChars: number;
  readonly isThin: boolean;
}

interface Observer {
  observe(node: DomDocument, what: Readonly<Record<string, boolean>>): void;
  disconnect(): void;
}
declare const MutationObserver: new (onChange: () => void) => Observer;
declare function requestIdleCallback(onIdle: (idle: { timeRemaining(): number }) => void): number;
declare function cancelIdleCallback(id: number): void;

/** Waits until the DOM has not changed for a while. */
export class QuietWatch {
  private readonly textAtStart: number;

  constructor(
    private readonly terms: QuietTerms,
    private readonly dom: PageDom,
  ) {
    this.textAtStart = this.textChars();
  }

  run(): Promise<QuietLook> {
    // Without a script nothing will change: what is parsed is there to stay.
    const ACTIVE = 'script, iframe, frame, meta[http-equiv=refresh], [onload], [onerror]';
    const isStatic = this.dom.queryDocument(this.dom.document, ACTIVE).length === 0;
    if (isStatic && this.terms.trustsStatic) return Promise.resolve(this.look(true));
    return new Promise((resolve) => this.watch(resolve));
  }

  private watch(resolve: (look: QuietLook) => void): void {
    const { quietMs, idleQuietMs, thinQuietMs, maxMs } = this.terms;
    // An idle period lasts 50 ms, or until the next timer is due (HTML, event loop processing model, computeDeadline).
    const IDLE_MS = 49;
    let changedAt = performance.now();
    let asked = 0;
    const finish = (isQuiet: boolean): void => {
      observer.disconnect();
      clearTimeout(quiet);
      clearTimeout(end);
      cancelIdleCallback(asked);
      resolve(this.look(isQuiet));
    };
    const again = (restMs: number): void => {
      clearTimeout(quiet);
      quiet = setTimeout(check, restMs);
    };
    const check = (): void => {
      if (this.isFilling()) return again(idleQuietMs);
      const isThin = this.isThin();
      const restMs = (isThin ? thinQuietMs : quietMs) - (performance.now() - changedAt);
      if (restMs <= 1) return finish(true);
      if (isThin) return again(restMs);
      asked = requestIdleCallback((idle) => {
        if (idle.timeRemaining() >= IDLE_MS) finish(true);
        else again(quietMs - (performance.now() - changedAt));
      });
      // Should it never be idle; sooner, this timer itself would be the next one due.
      again(Math.max(restMs, IDLE_MS + 3));
    };
    const observer = new MutationObserver(() => {
      changedAt = performance.now();
      cancelIdleCallback(asked);
      again(idleQuietMs);
    });
    let quiet = setTimeout(check, idleQuietMs);
    const end = setTimeout(() => finish(false), maxMs);
    observer.observe(this.dom.document, { subtree: true, childList: true, characterData: true });
  }

  private look(isQuiet: boolean): QuietLook {
    const textChars = this.textChars();
    // A clock or a carousel changes for ever, and what it shows is all there.
    const isStill = Math.abs(textChars - this.textAtStart) <= 0.02 * this.textAtStart;
    const isThin = textChars < this.terms.thinChars;
    // With next to nothing around it, what a frame will show may be all there is.
    const isEmpty = isThin && this.isFilling();
    return { isQuiet: (isQuiet || isStill) && !isEmpty, textChars, isThin };
  }

  /**
   * Whether a same-origin frame has not committed its document yet, or is parsing it: no mutation of this document shows
   * when it has.
   */
  private isFilling(): boolean {
    const FRAMES = 'iframe[src]:not([loading=lazy i]), frame[src]';
    const MAX_FRAMES = 50;
    const { dom } = this;
    const frames = dom.queryDocument(dom.document, FRAMES);
    for (let i = 0; i < Math.min(frames.length, MAX_FRAMES); i++) {
      const element = frames[i];
      if (!element) continue;
      const inner = dom.innerDocument(element);
      if (!inner) continue;
      const isBlank = dom.url(inner) === 'about:blank';
      const isParsing = dom.readyState(inner) === 'loading';
      if ((isBlank || isParsing) && this.isOwn(dom.attribute(element, 'src') ?? '')) return true;
    }
    return false;
  }

  /** Frames of other origins are not read. */
  private isOwn(address: string): boolean {
    try {
      const { document } = this.dom;
      const { origin, protocol } = new URL(address, this.dom.baseUri(document));
      return protocol.startsWith('http') && origin === new URL(this.dom.url(document)).origin;
    } catch {
      return false;
    }
  }

  private isThin(): boolean {
    return this.textChars() < this.terms.thinChars;
  }

  /** Without layout: near enough, and cheap. A long text is not measured exactly. */
  private textChars(): number {
    const body = this.dom.body(this.dom.document);
    if (!body) return 0;
    const text = this.dom.textContent(body) ?? '';
    if (text.length > 50_000) return text.length;
    let chars = text.replace(/\s+/g, ' ').length;
    const unseen = this.dom.queryIn(body, 'script, style, noscript');
    for (let i = 0; i < unseen.length; i++) {
      const element = unseen[i];
      if (element) chars -= this.dom.textContent(element)?.replace(/\s+/g, ' ').length ?? 0;
    }
    return chars;
  }
}
