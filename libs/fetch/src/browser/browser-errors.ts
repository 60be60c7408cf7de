/**
 * No page slot was free: the line is full, or the deadline passed while waiting. Try again later.
 */
export class PoolSaturatedError extends Error {
  override readonly name = 'PoolSaturatedError';
  constructor(readonly reason: 'line_full' | 'deadline' | 'closed') {
    super(SATURATED_TEXT[reason]);
  }
}

const SATURATED_TEXT = {
  line_full: 'Too many tasks wait for a browser page',
  deadline: 'No browser page became free within the deadline',
  closed: 'The browser pool takes no new pages: it is shutting down',
} as const;

/** No Chromium can be started at the moment. */
export class BrowserUnavailableError extends Error {
  override readonly name = 'BrowserUnavailableError';
  constructor(
    readonly reason: 'launch' | 'disk',
    message: string,
    /** Milliseconds in which no further launch is tried; 0: the next task tries at once. */
    readonly retryAfterMs: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The browser under a task went away; the task itself may be well. Retryable. */
export class BrowserLostError extends Error {
  override readonly name = 'BrowserLostError';
  constructor(
    readonly reason: CrashReason,
    /** `opening`: the work had not begun, so nothing was sent to the site twice by a second try. */
    readonly phase: 'opening' | 'working' = 'working',
    options?: ErrorOptions,
  ) {
    super(`The browser was lost (${reason})`, options);
  }
}

/** The page's own process ended: it used up its memory, or made Chromium fail. */
export class PageCrashedError extends Error {
  override readonly name = 'PageCrashedError';
  constructor(options?: ErrorOptions) {
    super('The page crashed', options);
  }
}

/** The work did not end by its deadline; its page is gone. */
export class PageTimeoutError extends Error {
  override readonly name = 'PageTimeoutError';
  constructor() {
    super('The page was not done by its deadline');
  }
}

export type CrashReason = 'signal' | 'disconnected' | 'unresponsive' | 'oom' | 'launch';
