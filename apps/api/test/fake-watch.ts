import type { JobEntity } from '@app/jobs';
import type { LiveState, Watch } from '../src/jobs/results/live-jobs.js';

/** A followed job that the test advances. */
export class FakeWatch implements Watch {
  state: LiveState | null;
  isStopping = false;
  private wake: (() => void) | undefined;

  constructor(scraped = 0) {
    this.state = liveStateOf('running', scraped);
  }

  move(state: LiveState | null): void {
    this.state = state;
    this.wake?.();
  }

  stop(): void {
    this.isStopping = true;
    this.wake?.();
  }

  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      this.wake = () => {
        this.wake = undefined;
        resolve();
      };
      signal.addEventListener('abort', this.wake);
    });
  }

  close(): void {}
}

export function liveStateOf(status: string, scraped: number): LiveState {
  const view = { status, pages_scraped: scraped } as LiveState['view'];
  return { job: {} as JobEntity, scraped, limit: 100, view, isEnded: status !== 'running' };
}
