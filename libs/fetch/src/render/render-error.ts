import type { ActionFailure, ErrorClass } from '@app/contracts';
import type { RungFailure } from '../fetch-rung.js';

/** A page could not be rendered. Stays inside the rungs: they hand it on as a value. */
export class RenderError extends Error {
  constructor(
    readonly errorClass: ErrorClass,
    /** For people, without internals. */
    problem: string,
    readonly details: {
      readonly statusCode?: number;
      readonly action?: ActionFailure;
      /** The message is complete: it is not about fetching. */
      readonly isWhole?: boolean;
      readonly signals?: readonly string[];
    } = {},
  ) {
    super(problem);
    this.name = 'RenderError';
  }

  toFailure(): RungFailure {
    const { statusCode = null, action, isWhole = false, signals } = this.details;
    return {
      errorClass: this.errorClass,
      problem: isWhole ? this.message : `Fetch failed: ${this.message}`,
      statusCode,
      retryAfterMs: null,
      ...(action ? { action } : {}),
      ...(signals ? { signals } : {}),
    };
  }
}

/** The page is gone. */
export class PageEndedError extends RenderError {
  constructor(problem: string, signals: readonly string[] = []) {
    super('unknown', problem, { signals });
  }
}

const BROWSER_LOST = 'browser_lost';

/** The browser ended under the page. */
export function browserLost(): PageEndedError {
  return new PageEndedError('the browser was lost', [BROWSER_LOST]);
}

/** Whether a failure is {@link browserLost}. */
export function isBrowserLost(signals: readonly string[] = []): boolean {
  return signals.includes(BROWSER_LOST);
}

export function outOfTime(doing: string): RenderError {
  return new RenderError('timeout', `the time ran out while ${doing}`);
}
