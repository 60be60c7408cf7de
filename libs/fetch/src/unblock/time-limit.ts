import type { FetchRequest } from '../fetch-rung.js';

/** Longer timers fire at once in Node. */
const MAX_TIMER_MS = 2_147_483_647;

/** Runs work under a signal that ends with the request's deadline or its caller; leaves no timer behind. */
export async function withinTime<T>(
  { deadline, signal }: Pick<FetchRequest, 'deadline' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onEnd = () => controller.abort(new Error('time is up'));
  const timer = setTimeout(onEnd, Math.min(deadline.remainingMs(), MAX_TIMER_MS));
  signal?.addEventListener('abort', onEnd, { once: true });
  // A timer would let the work start first.
  if (deadline.isPassed || signal?.aborted) onEnd();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onEnd);
  }
}

/** Waits `ms`, or until the signal ends. */
export function pauseUnless(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
    if (signal?.aborted) done();
  });
}
