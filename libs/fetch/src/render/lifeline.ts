import type { Deadline } from '@app/contracts';
import type { Page } from 'playwright';
import { browserLost, outOfTime, PageEndedError, RenderError } from './render-error.js';

/**
 * Ends every wait on a page when the page itself ends: it crashed, was closed with its browser, the
 * caller gave up, or a request was refused. Every wait on a browser needs it: a command to
 * a hanging page gets no response.
 */
export class Lifeline {
  private readonly gone = Promise.withResolvers<never>();
  private readonly undo: (() => void)[] = [];
  private readonly reserveMs: number;

  constructor(
    page: Page,
    readonly deadline: Deadline,
    signal: AbortSignal | undefined,
  ) {
    const part = RESERVE_PART * deadline.remainingMs();
    this.reserveMs = Math.min(MAX_RESERVE_MS, Math.max(MIN_RESERVE_MS, part));
    // No wait may be open at that moment.
    this.gone.promise.catch(() => undefined);
    const onCrash = (): void => this.end(new PageEndedError('the page crashed its renderer'));
    const onClose = (): void => this.end(browserLost());
    const onAbort = (): void => this.end(new RenderError('unknown', 'the request was cancelled'));
    page.once('crash', onCrash).once('close', onClose);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.undo.push(
      () => page.off('crash', onCrash).off('close', onClose),
      () => signal?.removeEventListener('abort', onAbort),
    );
    if (signal?.aborted) onAbort();
    if (page.isClosed()) onClose();
  }

  /** Time for waiting and acting: what is kept back for reading the page is not in it. */
  leftMs(): number {
    return this.deadline.remainingMs() - this.reserveMs;
  }

  end(reason: Error): void {
    this.gone.reject(reason);
  }

  release(): void {
    for (const undo of this.undo) undo();
    // An abandoned wait must not last until its time is over.
    this.gone.reject(new Error('the rendering is over'));
  }

  /** The work's outcome, unless the page ends first or the deadline passes. */
  hold<T>(work: Promise<T>, doing: string): Promise<T> {
    return this.within(this.deadline.remainingMs(), work, doing);
  }

  /** As `hold`, with the time for reading the page kept back. */
  holdBack<T>(work: Promise<T>, doing: string): Promise<T> {
    return this.within(this.leftMs(), work, doing);
  }

  private async within<T>(ms: number, work: Promise<T>, doing: string): Promise<T> {
    const result = await this.atMost(work, ms);
    if (result === LATE) throw outOfTime(doing);
    return result;
  }

  /** As `hold`, but a wait of at most `ms` which may end without result. */
  async atMost<T>(work: Promise<T>, ms: number): Promise<T | typeof LATE> {
    // Outlives the wait when that ends first; its failure is then ignored.
    work.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<typeof LATE>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, Math.min(ms, this.deadline.remainingMs())), LATE);
    });
    try {
      return await Promise.race([work, this.gone.promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  pause(ms: number): Promise<typeof LATE> {
    return this.atMost<typeof LATE>(new Promise(() => undefined), ms);
  }
}

/** Of the whole time, kept back for reading the page: a busy machine needs more of it. */
const RESERVE_PART = 0.2;
const MIN_RESERVE_MS = 500;
const MAX_RESERVE_MS = 2_500;

/** What a bounded wait gives when its time ended first. */
export const LATE: unique symbol = Symbol('late');
