import { rungLevel, type CascadeAttempt } from '@app/contracts';
import type { FetchRung } from '@app/fetch';
import type { FailedPage } from './page-result.js';
import { withFetch } from './request-pace.js';

/**
 * The attempts of one page, for pages that robots.txt ends: before the first rung, or at a redirect during one.
 */
export class PageAttempts {
  private readonly done: CascadeAttempt[] = [];
  private rung: FetchRung | undefined;
  private startedAt: number;

  /**
   * @param rungs those that support the request's options, in level order; the first would run
   * @param nowMs monotonic clock
   */
  constructor(
    [first]: readonly FetchRung[],
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.rung = first;
    this.startedAt = nowMs();
  }

  /** The same rung; records when it runs. */
  watched(rung: FetchRung): FetchRung {
    return withFetch(rung, (request) => {
      this.rung = rung;
      this.startedAt = this.nowMs();
      return rung.fetch(request);
    });
  }

  ended(attempt: CascadeAttempt): void {
    this.done.push(attempt);
  }

  /** The error with all attempts, including the one that it ended. */
  endedBy(refusal: FailedPage): FailedPage {
    const { rung } = this;
    if (rung === undefined) return refusal;
    const attempt: CascadeAttempt = {
      rung: rung.rung,
      level: rungLevel(rung.rung),
      ok: false,
      latencyMs: Math.round(this.nowMs() - this.startedAt),
      errorClass: refusal.errorClass,
    };
    return { ...refusal, report: { ...refusal.report, attempts: [...this.done, attempt] } };
  }
}
