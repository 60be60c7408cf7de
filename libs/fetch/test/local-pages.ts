import { chromium, type Browser } from 'playwright';
import { Deadline, DEFAULT_FETCH_OPTIONS, type FetchOptions, type TaskOwner } from '@app/contracts';
import type { RefusalKind } from '@app/egress';
import { chromiumPath } from '../../../test/setup/test-servers.js';
import { PLAIN_RENDER, type FetchRequest, type RenderRequest } from '../src/fetch-rung.js';
import type { PageSource, RenderLease, RenderLeaseRequest } from '../src/render/page-source.js';
import { Spend } from '../src/spend.js';

/** One Chromium without guard or pool, for pages of this machine: a fresh context for each lease. */
export class LocalPages implements PageSource {
  /** Refusals of a proxy that tests make up, by target. */
  readonly refusals = new Map<string, RefusalKind>();
  readonly requests: RenderLeaseRequest[] = [];

  private constructor(readonly browser: Browser) {}

  static async open(): Promise<LocalPages> {
    const browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
      timeout: 100_000,
    });
    return new LocalPages(browser);
  }

  refusalOf(target: string): RefusalKind | null {
    return this.refusals.get(target) ?? null;
  }

  async withPage<T>(
    request: RenderLeaseRequest,
    work: (lease: RenderLease) => Promise<T>,
  ): Promise<T> {
    this.requests.push(request);
    const context = await this.browser.newContext({
      viewport: request.viewport,
      deviceScaleFactor: request.mobile ? 2 : 1,
      isMobile: request.mobile,
      acceptDownloads: false,
      serviceWorkers: 'block',
    });
    try {
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      return await work({ page, context, cdp, session: this });
    } finally {
      await context.close();
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

export interface PageRequestOptions extends Partial<FetchOptions> {
  readonly deadlineMs?: number;
  /** Instead of `deadlineMs`: one with a clock of the test's. */
  readonly deadline?: Deadline;
  readonly maxBytes?: number;
  readonly render?: Partial<RenderRequest>;
  readonly onRedirect?: (target: URL) => Promise<void>;
  readonly signDocument?: FetchRequest['signDocument'];
  readonly signal?: AbortSignal;
  readonly caller?: TaskOwner;
}

/** A request for an address, with what a test is about. */
export function pageRequest(url: string, options: PageRequestOptions = {}): FetchRequest {
  const {
    deadlineMs = 60_000,
    deadline = Deadline.after(deadlineMs),
    maxBytes = 10_000_000,
    render,
    onRedirect,
    signDocument,
    signal,
    caller,
    ...own
  } = options;
  return {
    url: new URL(url),
    deadline,
    maxBytes,
    options: { ...DEFAULT_FETCH_OPTIONS, ...own },
    spend: new Spend(null),
    onRetryAfter: 'wait',
    render: { ...PLAIN_RENDER, ...render },
    ...(onRedirect ? { onRedirect } : {}),
    ...(signDocument ? { signDocument } : {}),
    ...(signal ? { signal } : {}),
    ...(caller ? { caller } : {}),
  };
}
