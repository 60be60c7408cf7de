import type { Frame, Page, Request } from 'playwright';
import { LATE, type Lifeline } from './lifeline.js';

/**
 * Requests that may bring content. The others (beacons, sockets, event streams, pictures …) hold
 * nothing up.
 */
const CONTENT_TYPES: ReadonlySet<string> = new Set([
  'document',
  'stylesheet',
  'script',
  'xhr',
  'fetch',
]);
/** Asked this often, an address is a poll: the page goes on asking whatever is shown. */
const POLL_TIMES = 3;

/** Counts the requests a page is waiting for. */
export class PendingPageRequests {
  /** Content requests begun so far. */
  started = 0;
  private readonly open = new Map<Request, number>();
  private readonly times = new Map<string, number>();
  private onChange: () => void = () => undefined;
  private readonly whenBroken = Promise.withResolvers<void>();
  /** The main document broke off: nothing more of it will come. */
  readonly broken = this.whenBroken.promise;
  /** How it broke off, as Chromium names it. */
  documentError: string | null = null;

  constructor(
    private readonly page: Page,
    private readonly lifeline: Lifeline,
    /** Whether that address has begun to respond: the navigation reports earlier failures. */
    private readonly hasResponse: (url: string) => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  follow(): () => void {
    const begin = (request: Request): void => this.begin(request);
    const end = (request: Request): void => this.end(request);
    const fail = (request: Request): void => this.fail(request);
    this.page.on('request', begin).on('requestfinished', end).on('requestfailed', fail);
    return () => {
      this.page.off('request', begin).off('requestfinished', end).off('requestfailed', fail);
    };
  }

  /** A new document waits for none of the old one's requests. */
  reset(): void {
    this.open.clear();
    this.times.clear();
  }

  /**
   * Waits until no request is open, leaving out those open for longer than `holdMs`: nothing else
   * separates a long poll from a slow response. False: not within `ms`.
   */
  async settled(holdMs: number, ms: number): Promise<boolean> {
    const endsAt = this.now() + ms;
    while (this.holds(holdMs)) {
      const leftMs = endsAt - this.now();
      if (leftMs <= 0) return false;
      await this.changed(Math.min(leftMs, this.nextReleaseMs(holdMs)));
    }
    return true;
  }

  /** Whether a request is open, those open for longer than `holdMs` left out. */
  holds(holdMs: number): boolean {
    const since = this.now() - holdMs;
    for (const startedAt of this.open.values()) if (startedAt > since) return true;
    return false;
  }

  private nextReleaseMs(holdMs: number): number {
    const ages = [...this.open.values()].map((startedAt) => startedAt + holdMs - this.now());
    return Math.max(1, Math.min(...ages.filter((ms) => ms > 0)));
  }

  private async changed(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.onChange = resolve;
    await this.lifeline.atMost<void | typeof LATE>(promise, ms);
  }

  private begin(request: Request): void {
    if (!CONTENT_TYPES.has(request.resourceType()) || this.isElsewhere(request)) return;
    const key = `${request.method()} ${request.url().split('?')[0]}`;
    const times = (this.times.get(key) ?? 0) + 1;
    this.times.set(key, times);
    if (times > POLL_TIMES) return;
    this.started++;
    this.open.set(request, this.now());
  }

  private end(request: Request): void {
    if (this.open.delete(request)) this.onChange();
  }

  private fail(request: Request): void {
    this.end(request);
    const errorText = request.failure()?.errorText ?? '';
    if (!request.isNavigationRequest() || frameOf(request) !== this.page.mainFrame()) return;
    if (errorText === '' || errorText.includes('ERR_ABORTED')) return;
    if (!this.hasResponse(request.url())) return;
    this.documentError = errorText;
    this.whenBroken.resolve();
  }

  /** Frames of other origins are not read, so their requests are not waited for. */
  private isElsewhere(request: Request): boolean {
    const frame = frameOf(request);
    const main = this.page.mainFrame();
    if (frame === null || frame === main) return false;
    // The requested address decides what a frame will show: until then it has none of its own.
    const url = request.isNavigationRequest() ? request.url() : frame.url();
    const isOwn = url === '' || url.startsWith('about:');
    return !isOwn && originOf(url) !== originOf(main.url());
  }
}

/** Null: it belongs to none yet. */
export function frameOf(request: Request): Frame | null {
  try {
    return request.frame();
  } catch {
    // A navigation's request belongs to no frame before it commits.
    return null;
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
