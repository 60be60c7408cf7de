import {
  BrowserLostError,
  BrowserUnavailableError,
  PageCrashedError,
  PageTimeoutError,
  PoolSaturatedError,
} from '../browser/browser-errors.js';
import type { FetchedPage, RungFailure, RungResult } from '../fetch-rung.js';
import { RenderError } from '../render/render-error.js';

/** Signal of a failure without any browser: nothing is wrong with the page. */
export const BROWSER_UNAVAILABLE = 'browser_unavailable';

/** Failures of the browser, not of the page. */
export const BROWSER_FAILURES = {
  lost: new RenderError('unknown', 'the browser was lost').toFailure(),
  late: new RenderError('timeout', 'the page was not done in its time').toFailure(),
  unavailable: {
    ...new RenderError('unknown', 'no browser can be started').toFailure(),
    signals: [BROWSER_UNAVAILABLE],
  },
} satisfies Readonly<Record<string, RungFailure>>;

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
