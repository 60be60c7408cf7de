import type { CDPSession } from 'playwright';
import { LATE, type Lifeline } from './lifeline.js';

type Readiness = 'loading' | 'interactive' | 'complete';
const ORDER: readonly Readiness[] = ['loading', 'interactive', 'complete'];

interface FrameWord {
  readonly id: string;
  readonly loaderId: string;
  readonly url: string;
  readonly unreachableUrl?: string;
}

/** Follows which document the page's main frame holds, and how far it has come. */
export class MainFrame {
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
