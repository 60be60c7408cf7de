import type { Page, Request } from 'playwright';
import { frameOf } from './pending-page-requests.js';
import type { Lifeline } from './lifeline.js';

/**
 * They come with the answer's first bytes, long before the page is read; no page is held up for
 * them.
 */
const MAX_WAIT_MS = 50;

/**
 * Follows the Set-Cookie headers of the main document. Where requests are paused, Chromium hides
 * them.
 */
export class SetCookies {
  private lines: readonly string[] = [];
  private asked: Request | null = null;
  private answer: Promise<void> = Promise.resolve();

  constructor(
    private readonly page: Page,
    private readonly lifeline: Lifeline,
  ) {}

  /** Begins to follow; call what it returns to stop. */
  follow(): () => void {
    const note = (request: Request): void => this.note(request);
    this.page.on('request', note);
    return () => this.page.off('request', note);
  }

  /** One by one, as they were sent by the document that came last. Never rejects. */
  async read(): Promise<readonly string[]> {
    // The page has been read: that it crashes now changes nothing.
    await this.lifeline.atMost(this.answer, MAX_WAIT_MS).catch(() => undefined);
    return this.lines;
  }

  private note(request: Request): void {
    if (!request.isNavigationRequest() || frameOf(request) !== this.page.mainFrame()) return;
    this.asked = request;
    this.lines = [];
    // A request that failed, or lost its page, has set none.
    this.answer = this.take(request).catch(() => undefined);
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
