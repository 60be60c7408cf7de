import { BROWSER_UNAVAILABLE, type FetchMethod } from '@app/contracts';
import type {
  FetchRequest,
  FetchRung,
  RungResult,
  FetchedPage,
  RungFailure,
} from '../fetch-rung.js';
import type { PageSource, RenderLeaseRequest } from '../render/page-source.js';
import { renderPage } from '../render/render-page.js';
import {
  BrowserLostError,
  BrowserUnavailableError,
  PageCrashedError,
  PageTimeoutError,
  PoolSaturatedError,
} from '../browser/browser-errors.js';
import { browserLost, RenderError } from '../render/render-error.js';

export interface HeadlessRungOptions {
  readonly pages: PageSource;
  /** A second try, in a browser that looks like one in use; only after a bot wall. */
  readonly stealth?: boolean;
}

const VIEWPORT = { width: 1280, height: 800 };
const PHONE_HEIGHT_PX = 844;
const MIN_WIDTH_PX = 100;

/** Level 2: the page as a browser makes it. Two instances: the plain one, and `stealth` after it. */
export class HeadlessRung implements FetchRung {
  readonly rung = 'headless';
  readonly network = 'ours';
  readonly runsScripts = true;
  readonly costMicroUsd = 0;
  readonly fetchMethod: FetchMethod;
  readonly onlyAfterBlocked: boolean;
  private readonly pages: PageSource;

  constructor({ pages, stealth = false }: HeadlessRungOptions) {
    this.pages = pages;
    this.onlyAfterBlocked = stealth;
    this.fetchMethod = stealth ? 'stealth' : 'headless';
  }

  async fetch(request: FetchRequest): Promise<RungResult> {
    return rendered(() =>
      this.pages.withPage(leaseRequest(request, this.onlyAfterBlocked), (lease) =>
        renderPage(lease, request),
      ),
    );
  }
}

/** Whether the page may be fetched once more when its browser is lost: actions may have run, and must not run twice. */
export function isRepeatable({ options }: Pick<FetchRequest, 'options'>): boolean {
  return options.actions.length === 0;
}

/** What kind of page the request needs. */
export function leaseRequest(request: FetchRequest, stealth: boolean): RenderLeaseRequest {
  const { options, render, deadline, signal, caller } = request;
  const mobile = render.screenshot?.mobile ?? false;
  const width = Math.max(MIN_WIDTH_PX, render.screenshot?.widthPx ?? VIEWPORT.width);
  const height = render.screenshot?.heightPx ?? (mobile ? PHONE_HEIGHT_PX : VIEWPORT.height);
  return {
    country: options.country,
    stealth,
    mobile,
    viewport: { width, height },
    contextKey: render.contextKey,
    priority: caller ? 'interactive' : 'crawl',
    ...(caller ? { owner: caller } : {}),
    deadline,
    isRepeatable: isRepeatable(request),
    ...(signal ? { signal } : {}),
  };
}

/** Beside BROWSER_UNAVAILABLE: none is configured, so only the operator can change it. */
const BROWSER_MISSING = 'browser_missing';

/** Failures of the browser, not of the page. */
export const BROWSER_FAILURES = {
  lost: browserLost().toFailure(),
  late: new RenderError('timeout', 'the page was not done in its time').toFailure(),
  unavailable: {
    ...new RenderError('unknown', 'no browser can be started').toFailure(),
    signals: [BROWSER_UNAVAILABLE],
  },
} satisfies Readonly<Record<string, RungFailure>>;

/** What a failure for lack of a browser says; null: it has another cause. `isPermanent`: none is configured. */
export function lackOfBrowser(
  signals: readonly string[] = [],
): { readonly kind: 'unavailable'; readonly isPermanent: boolean } | null {
  if (!signals.includes(BROWSER_UNAVAILABLE)) return null;
  return { kind: 'unavailable', isPermanent: signals.includes(BROWSER_MISSING) };
}

/** In the place of the headless rung where no browser is configured: the attempts show what is missing. */
export const MISSING_BROWSER: FetchRung = {
  rung: 'headless',
  fetchMethod: 'headless',
  network: 'ours',
  runsScripts: true,
  costMicroUsd: 0,
  onlyAfterBlocked: false,
  fetch: async () => ({
    ok: false,
    failure: {
      ...new RenderError('unknown', 'no browser is configured').toFailure(),
      signals: [BROWSER_UNAVAILABLE, BROWSER_MISSING],
    },
  }),
};

/** A rendering's outcome as a value. What the guard, or the caller's `onRedirect`, refused is thrown on. */
export async function rendered(work: () => Promise<FetchedPage>): Promise<RungResult> {
  try {
    return { ok: true, page: await work() };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { ok: false, failure };
  }
}

function failureOf(error: unknown): RungFailure | null {
  if (error instanceof RenderError) return error.toFailure();
  if (error instanceof PageTimeoutError) return BROWSER_FAILURES.late;
  if (error instanceof PageCrashedError) {
    return new RenderError('unknown', 'the page crashed its renderer').toFailure();
  }
  if (error instanceof BrowserLostError) return BROWSER_FAILURES.lost;
  if (error instanceof PoolSaturatedError) return saturated(error);
  if (error instanceof BrowserUnavailableError) {
    return { ...BROWSER_FAILURES.unavailable, retryAfterMs: error.retryAfterMs };
  }
  return null;
}

function saturated({ reason }: PoolSaturatedError): RungFailure {
  const errorClass = reason === 'deadline' ? 'timeout' : 'unknown';
  return new RenderError(errorClass, 'no browser page became free').toFailure();
}
