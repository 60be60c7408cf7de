import { Injectable } from '@nestjs/common';
import { BrokerUnavailableError, QueueFullError, RequestTimeoutError } from '@app/broker';
import { Refusal, type ScrapeTask, type ScreenshotTask } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { InjectRuntime } from '../runtime.token.js';

/** A fetcher answers by the deadline with what it has; this much later nobody has the task. */
const REPLY_GRACE_MS = 500;
const RETRY_AFTER_SECONDS = 5;

/** Hands a task to a fetcher and waits for its reply. */
@Injectable()
export class FetcherCall {
  constructor(@InjectRuntime() private readonly runtime: Runtime) {}

  async request(
    queue: 'scrape' | 'screenshot',
    task: ScrapeTask | ScreenshotTask,
    signal: AbortSignal,
  ): Promise<unknown> {
    const timeoutMs = task.deadlineAtMs - Date.now() + REPLY_GRACE_MS;
    try {
      return await this.runtime.queue.request(queue, task, { timeoutMs, signal });
    } catch (cause) {
      if (signal.aborted) throw new Refusal('client_gone', {}, { cause });
      if (!isUnavailable(cause)) throw cause;
      const retryAfterSeconds = RETRY_AFTER_SECONDS;
      throw new Refusal('scrape_unavailable', { retryAfterSeconds }, { cause });
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return (
    error instanceof QueueFullError ||
    error instanceof BrokerUnavailableError ||
    error instanceof RequestTimeoutError
  );
}
