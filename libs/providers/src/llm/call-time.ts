import type { Deadline } from '@app/contracts';
import { failedCall, type LlmCallFailure } from './llm-result.js';

/** Longer timers fire at once in Node. */
const MAX_TIMER_MS = 2_147_483_647;

/** Deadline and cancellation of one call as one signal. Dispose it. */
export class CallTime {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly deadline: Deadline,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.timer = setTimeout(this.end, Math.min(deadline.remainingMs(), MAX_TIMER_MS));
    caller?.addEventListener('abort', this.end, { once: true });
    // A timer would let the call start first.
    if (deadline.isPassed || caller?.aborted) this.end();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isOver(): boolean {
    return this.controller.signal.aborted || this.deadline.isPassed;
  }

  failure(): LlmCallFailure {
    return this.caller?.aborted
      ? failedCall('llm_timeout', 'the request was cancelled before the model answered')
      : failedCall('llm_timeout', 'the model did not answer in time');
  }

  /** Waits, or until the time is over. */
  pause(ms: number): Promise<void> {
    const { signal } = this;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.end);
  }

  private readonly end = (): void => this.controller.abort(new Error('the time of a call is over'));
}
